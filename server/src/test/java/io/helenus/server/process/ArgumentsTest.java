package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.config.Setting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgumentsTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);

  private Arguments.Outcome read(String... arguments) {
    return Arguments.read(arguments, stream, stream);
  }

  private String error(String... arguments) {
    printed.reset();
    assertEquals(new Arguments.Outcome.Exit(Commands.USAGE_ERROR), read(arguments));
    return printed.toString(StandardCharsets.UTF_8).lines().findFirst().orElseThrow();
  }

  private Arguments.Outcome.Cluster cluster(String... arguments) {
    Arguments.Outcome outcome = read(arguments);
    return assertInstanceOf(
        Arguments.Outcome.Cluster.class, outcome, printed.toString(StandardCharsets.UTF_8));
  }

  @Test
  void seedsAreGivenAsAnOption() {
    Arguments.Outcome.Run run =
        assertInstanceOf(Arguments.Outcome.Run.class, read("--seeds", "127.0.0.1"));
    assertEquals("127.0.0.1", run.settings().text(Setting.SEEDS));
    assertTrue(error("--seeds", "a,,b").startsWith("helenus: --seeds: seeds needs nodes such as"));
  }

  private String listen(String... arguments) {
    Arguments.Outcome.Run run = assertInstanceOf(Arguments.Outcome.Run.class, read(arguments));
    return Objects.requireNonNull(run.settings().cluster()).listen().getHostString();
  }

  @Test
  void theAddressForClientsIsThatForNodesToo() {
    assertEquals("127.0.0.2", listen("--listen", "127.0.0.2", "--seeds", "127.0.0.1"));
    assertEquals(
        "127.0.0.3",
        listen("--listen", "127.0.0.2", "--seeds", "127.0.0.1", "-Dlisten_address=127.0.0.3"));
    for (String[] alone :
        new String[][] {
          {"--listen", "127.0.0.2"},
          {"--listen", "0.0.0.0", "--seeds", "127.0.0.1", "-Dbroadcast_rpc_address=127.0.0.1"}
        }) {
      Arguments.Outcome.Run run = assertInstanceOf(Arguments.Outcome.Run.class, read(alone));
      assertEquals("localhost", run.settings().text(Setting.LISTEN_ADDRESS));
    }
  }

  @Test
  void aClusterHasThreeNodesUnlessSaidOtherwise() {
    assertEquals(3, cluster("cluster").nodes());
    assertEquals("helenus-cluster", cluster("cluster").folder());
    Arguments.Outcome.Cluster five = cluster("cluster", "--data", "d", "5", "--port", "9043");
    assertEquals(5, five.nodes());
    assertEquals("d", five.folder());
    assertEquals(List.of("--port", "9043"), five.options());
    assertEquals(9043, five.settings().number(Setting.NATIVE_TRANSPORT_PORT));
  }

  @Test
  void optionsOfAClusterAreThoseOfItsNodes() throws IOException {
    Path file = Files.writeString(folder.resolve("h.yaml"), "cluster_name: Here\n");
    // the launcher puts the configuration first
    Arguments.Outcome.Cluster cluster =
        cluster(
            "--config",
            file.toString(),
            "cluster",
            "-D",
            "memory=512MiB",
            "-Dauto_snapshot=false",
            "2");
    assertEquals(2, cluster.nodes());
    assertEquals(
        List.of("--config", file.toString(), "-D", "memory=512MiB", "-D", "auto_snapshot=false"),
        cluster.options());
    assertEquals("Here", cluster.settings().text(Setting.CLUSTER_NAME));
  }

  @Test
  void aClusterThatCannotBeIsExplained() {
    assertEquals("helenus: cluster starts 1 to 9 nodes, not 0", error("cluster", "0"));
    assertEquals("helenus: cluster starts 1 to 9 nodes, not 10", error("cluster", "10"));
    assertTrue(error("cluster", "many").contains("'many' is not an int"), error("cluster", "many"));
    assertTrue(error("cluster", "2", "3").contains("'3'"), error("cluster", "2", "3"));
    assertEquals(
        "helenus: -Drpc_address: each node of helenus cluster has its own",
        error("cluster", "-D", "rpc_address=127.0.0.1"));
    assertEquals(
        "helenus: --seeds: each node of helenus cluster has its own",
        error("--seeds", "127.0.0.1", "cluster"));
    assertEquals("helenus: -D requires key=value", error("cluster", "-D", "memory"));
    assertTrue(error("cluster", "--port", "x").contains("needs an integer"));
  }
}
