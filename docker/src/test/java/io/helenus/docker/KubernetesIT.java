package io.helenus.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.clients.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The examples for Kubernetes: against its schemas, and the pod of docker/kubernetes.yaml run by
 * Podman, which knows pods and claims but no StatefulSet.
 */
class KubernetesIT {
  private static final Path EXAMPLE = Path.of("kubernetes.yaml").toAbsolutePath();
  private static final String POD = "helenus-pod-under-test";
  private static final String FETCH =
      "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).status)";

  @TempDir Path folder;

  private static Map<String, Object> document(String kind) throws IOException {
    Iterable<Object> documents =
        new Load(LoadSettings.builder().build()).loadAllFromString(Files.readString(EXAMPLE));
    return StreamSupport.stream(documents.spliterator(), false)
        .map(KubernetesIT::map)
        .filter(document -> document.get("kind").equals(kind))
        .findFirst()
        .orElseThrow();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(Object value) {
    return (List<Object>) value;
  }

  @ParameterizedTest
  @ValueSource(strings = {"kubernetes.yaml", "kubernetes-cluster.yaml"})
  void theyFitTheSchemasOfKubernetes(String example) throws IOException {
    Path programs = Toolchain.pythonPrograms("kubernetes", "kubernetes-validate==1.37.0");
    Toolchain.Run run =
        Toolchain.run(
            List.of(
                programs.resolve("kubernetes-validate").toString(),
                "--strict",
                Path.of(example).toAbsolutePath().toString()),
            folder,
            Map.of());
    assertEquals(0, run.exitCode(), () -> run.out() + run.err());
  }

  private static Toolchain.Run podman(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("podman"));
    command.addAll(List.of(arguments));
    return Toolchain.run(command, Path.of("."), Map.of());
  }

  private static String inContainer(String... command) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("exec", POD + "-helenus"));
    arguments.addAll(List.of(command));
    Toolchain.Run run = podman(arguments.toArray(String[]::new));
    assertEquals(0, run.exitCode(), () -> run.out() + run.err());
    return run.out();
  }

  /** The pod of the StatefulSet with the image under test, and its claim. */
  private static String podAndClaim(Map<String, Object> set) {
    Map<String, Object> template = map(set.get("template"));
    Map<String, Object> pod = map(template.get("spec"));
    Map<String, Object> container = map(list(pod.get("containers")).getFirst());
    container.put("image", TestImage.NAME);
    container.remove("ports"); // Podman would publish them
    list(pod.get("volumes"))
        .add(Map.of("name", "data", "persistentVolumeClaim", Map.of("claimName", POD)));
    Map<String, Object> claim = map(list(set.get("volumeClaimTemplates")).getFirst());
    List<Object> documents =
        List.of(
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolumeClaim",
                "metadata",
                Map.of("name", POD),
                "spec",
                claim.get("spec")),
            Map.of(
                "apiVersion", "v1", "kind", "Pod", "metadata", Map.of("name", POD), "spec", pod));
    Dump dump = new Dump(DumpSettings.builder().build());
    return documents.stream().map(dump::dumpToString).collect(Collectors.joining("---\n"));
  }

  /**
   * Replaces the names of ports in the probes, which are all for HTTP, and gives their addresses.
   */
  private static Set<String> probes(Map<String, Object> container) {
    Map<Object, Object> ports = new HashMap<>();
    for (Object port : list(container.get("ports"))) {
      ports.put(map(port).get("name"), map(port).get("containerPort"));
    }
    Set<String> addresses = new TreeSet<>();
    for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
      Map<String, Object> request = map(map(container.get(probe)).get("httpGet"));
      Object port = Objects.requireNonNull(ports.get(request.get("port")));
      request.put("port", port);
      addresses.add("http://localhost:" + port + request.get("path"));
    }
    return addresses;
  }

  private void await() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!podman("logs", POD + "-helenus").out().contains("Startup complete")) {
      assertTrue(System.nanoTime() < deadline, podman("logs", POD + "-helenus").out());
      Thread.sleep(200);
    }
  }

  @Test
  void itsPodServesWithAReadOnlyRootAndNoRights() throws IOException, InterruptedException {
    TestImage.require();
    Toolchain.requireProgram("podman");
    if (podman("image", "exists", TestImage.NAME).exitCode() != 0) {
      Toolchain.skipOrFail("The pod is not tested, as the container engine is not Podman");
    }
    Map<String, Object> set = map(document("StatefulSet").get("spec"));
    Map<String, Object> pod = map(map(set.get("template")).get("spec"));
    Set<String> probes = probes(map(list(pod.get("containers")).getFirst()));
    Path file = Files.writeString(folder.resolve("pod.yaml"), podAndClaim(set));
    try {
      Toolchain.Run play = podman("play", "kube", file.toString());
      assertEquals(0, play.exitCode(), () -> play.out() + play.err());
      await();
      for (String address : probes) {
        assertEquals("200\n", inContainer("/opt/python/python3.13", "-c", FETCH, address), address);
      }
      inContainer("nodetool", "flush");
      String data = inContainer("sh", "-c", "echo no > /x || ls /var/lib/cassandra/data");
      assertTrue(data.contains("commitlog"), data);
    } finally {
      podman("play", "kube", "--down", file.toString());
      podman("volume", "rm", "--force", POD);
    }
  }
}
