package io.helenus.docker;

import static io.helenus.docker.Podman.inPod;
import static io.helenus.docker.Podman.podman;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.clients.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The examples for Kubernetes: against its schemas, and the pod of docker/kubernetes.yaml run by
 * Podman, which knows pods and claims but no StatefulSet. {@link KubernetesClusterIT} runs the pods
 * of the other example.
 */
class KubernetesIT {
  private static final String POD = "helenus-pod-under-test";
  private static final String FETCH =
      "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).status)";

  @TempDir Path folder;

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

  @Test
  void itsPodServesWithAReadOnlyRootAndNoRights() throws IOException, InterruptedException {
    Podman.require();
    PodExample example = new PodExample("kubernetes.yaml");
    Path file =
        Files.writeString(
            folder.resolve("pod.yaml"),
            example.claim(POD) + "---\n" + example.pod(POD, "helenus-0"));
    try {
      podman("play", "kube", file.toString());
      Podman.await(POD);
      for (String address : example.probes()) {
        String status = inPod(POD, "/opt/python/python3.13", "-c", FETCH, address);
        assertEquals("200\n", status, address);
      }
      inPod(POD, "nodetool", "flush");
      String data = inPod(POD, "sh", "-c", "echo no > /x || ls /var/lib/cassandra/data");
      assertTrue(data.contains("commitlog"), data);
    } finally {
      Podman.run("play", "kube", "--down", file.toString());
      Podman.run("volume", "rm", "--force", POD);
    }
  }
}
