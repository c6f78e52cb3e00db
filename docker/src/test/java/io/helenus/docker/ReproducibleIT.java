package io.helenus.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.clients.Toolchain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two builds of the image have the same layers. */
class ReproducibleIT {
  private static final String AGAIN = TestImage.NAME + "-again";
  private static final String WITHOUT_CACHES = TestImage.NAME + "-without-caches";

  @BeforeAll
  static void build() throws IOException {
    TestImage.require();
    docker("build", "-q", "--no-cache", "-t", AGAIN, "target/image");
    docker("build", "-q", "--target", "node", "-t", WITHOUT_CACHES, "target/image");
  }

  @AfterAll
  static void remove() throws IOException {
    TestImage.docker("image", "rm", AGAIN);
    TestImage.docker("image", "rm", WITHOUT_CACHES);
  }

  private static List<String> docker(String... arguments) throws IOException {
    Toolchain.Run run = TestImage.docker(arguments);
    assertEquals(0, run.exitCode(), () -> run.out() + run.err());
    return run.out().lines().filter(line -> !line.isBlank()).toList();
  }

  private static List<String> layers(String image) throws IOException {
    String each = "{{range .RootFS.Layers}}{{println .}}{{end}}";
    return docker("image", "inspect", "--format", each, image);
  }

  /**
   * The files of an image with their sizes and times, without /etc and /run, where engines write.
   */
  private static Set<String> files(String image) throws IOException {
    String what = "/ -xdev ( -path /etc -o -path /run ) -prune -o -not -type d -printf";
    List<String> command = new ArrayList<>();
    command.addAll(List.of("run", "--rm", "--user", "0", "--entrypoint", "find", image));
    command.addAll(List.of(what.split(" ")));
    command.add("%s %T@ %p\\n");
    return new HashSet<>(docker(command.toArray(String[]::new)));
  }

  @Test
  void allLayersAreTheSame() throws IOException {
    assertEquals(layers(TestImage.NAME), layers(AGAIN));
  }

  @Test
  void theLastLayerHasTheStartUpCachesOnly() throws IOException {
    Set<String> before = files(WITHOUT_CACHES);
    Set<String> after = files(TestImage.NAME);
    assertTrue(after.containsAll(before));
    after.removeAll(before);
    Set<String> caches = new TreeSet<>();
    for (String file : after) {
      caches.add(file.replaceFirst("^\\S+ \\S+ ", "").replaceFirst("-\\d+\\.jsa$", ""));
    }
    assertEquals(Set.of("/opt/helenus/nodetool", "/opt/helenus/start-up"), caches);
    assertEquals(2, after.size());
  }

  @Test
  void theStartUpCacheIsUsed() throws IOException {
    String log = "JDK_JAVA_OPTIONS=-Xlog:cds,aot";
    String[] command = {"run", "--rm", "-e", log, AGAIN, "helenus", "version"};
    String out = String.join("\n", docker(command));
    assertTrue(out.contains("Opened shared archive file /opt/helenus/start-up-"), out);
    assertTrue(out.contains("Using AOT-linked classes: true"), out);
  }
}
