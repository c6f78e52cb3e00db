package io.helenus.docker;

import static io.helenus.docker.Podman.inPod;
import static io.helenus.docker.Podman.podman;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pods of docker/kubernetes-cluster.yaml, run by Podman as Kubernetes runs those of a
 * StatefulSet: each has a name and a volume of its own, and another address after each start.
 */
class KubernetesClusterIT {
  private static final String PODS = "helenus-cluster-under-test";
  private static final int COUNT = 3;
  private static final Pattern UP = Pattern.compile("(?m)^UN +(\\S+)");

  @TempDir Path folder;

  @AfterEach
  void remove() throws IOException {
    removePods();
    for (int i = 0; i < COUNT; i++) {
      Podman.run("volume", "rm", "--force", pod(i), pod(i) + "-temporary");
    }
    Podman.run("network", "rm", "--force", PODS);
  }

  private static void removePods() throws IOException {
    List<String> command = new ArrayList<>(List.of("pod", "rm", "--force"));
    IntStream.range(0, COUNT).forEach(i -> command.add(pod(i)));
    Podman.run(command.toArray(String[]::new));
  }

  private static String pod(int ordinal) {
    return PODS + "-" + ordinal;
  }

  /** Its names are known before the pods are ready, and no pod waits for another to be ready. */
  @Test
  void thePodsMayWaitForEachOther() throws IOException {
    PodExample example = new PodExample("kubernetes-cluster.yaml");
    Map<String, Object> set = example.set();
    assertEquals(COUNT, set.get("replicas"));
    assertEquals("Parallel", set.get("podManagementPolicy"));
    Map<String, Object> service = example.spec("Service", (String) set.get("serviceName"));
    assertEquals("None", service.get("clusterIP"));
    assertEquals(true, service.get("publishNotReadyAddresses"));
  }

  @Test
  void thePodsAreOneClusterAndSoAreTheyAtOtherAddresses() throws IOException, InterruptedException {
    Podman.require();
    PodExample example = new PodExample("kubernetes-cluster.yaml");
    remove(); // what a run that was interrupted has left
    podman("network", "create", PODS);
    for (int i = 0; i < COUNT; i++) {
      podman("volume", "create", pod(i));
    }
    start(example, List.of(0, 1, 2));
    Set<String> before = addresses(pod(1));
    assertEquals(COUNT, before.size(), () -> "up: " + before);
    cqlsh(pod(2), SharedItem.WRITE);
    inPod(pod(0), "health-check");
    removePods();
    start(example, List.of(2, 0, 1));
    awaitOthersThan(before);
    SharedItem.assertRead(cqlsh(pod(0), SharedItem.read("ALL")));
  }

  /** Starts the pods in this order, with the names that the StatefulSet's service gives them. */
  private void start(PodExample example, List<Integer> ordinals)
      throws IOException, InterruptedException {
    String service = (String) example.set().get("serviceName");
    for (int i : ordinals) {
      String name = "helenus-" + i;
      Path file = Files.writeString(folder.resolve("pod.yaml"), example.pod(pod(i), name));
      String network = PODS + ":alias=" + name + "." + service;
      podman("play", "kube", "--network", network, file.toString());
    }
    for (int i : ordinals) {
      Podman.await(pod(i));
    }
  }

  private static String cqlsh(String pod, String statements) throws IOException {
    return inPod(pod, "cqlsh", "--connect-timeout=120", "--request-timeout=120", "-e", statements);
  }

  /** The addresses of the nodes that a node takes to be up. */
  private static Set<String> addresses(String pod) throws IOException {
    return UP.matcher(inPod(pod, "nodetool", "status"))
        .results()
        .map(line -> line.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Waits until each node takes all to be up, at other addresses than these. */
  private static void awaitOthersThan(Set<String> before) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    for (int i = 0; i < COUNT; i++) {
      Set<String> now = addresses(pod(i));
      while (now.size() < COUNT || !Collections.disjoint(now, before)) {
        Set<String> seen = now;
        assertTrue(System.nanoTime() < deadline, () -> "up: " + seen + ", before: " + before);
        Thread.sleep(200);
        now = addresses(pod(i));
      }
    }
  }
}
