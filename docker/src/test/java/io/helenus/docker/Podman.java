package io.helenus.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.clients.Toolchain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs pods, whose container is that of the examples for Kubernetes. */
final class Podman {
  private Podman() {}

  /**
   * Builds the image. Without Podman as the container engine the test is skipped with the reason;
   * in continuous integration it fails.
   */
  static void require() throws IOException {
    TestImage.require();
    Toolchain.requireProgram("podman");
    if (run("image", "exists", TestImage.NAME).exitCode() != 0) {
      Toolchain.skipOrFail("Pods are not tested, as the container engine is not Podman");
    }
  }

  /** Runs the command podman with these arguments, whatever its outcome. */
  static Toolchain.Run run(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("podman"));
    command.addAll(List.of(arguments));
    return Toolchain.run(command, Path.of("."), Map.of());
  }

  /** Runs the command podman with these arguments; its output. */
  static String podman(String... arguments) throws IOException {
    Toolchain.Run run = run(arguments);
    assertEquals(0, run.exitCode(), () -> run.out() + run.err());
    return run.out();
  }

  /** Runs a command in the container of a pod; its output. */
  static String inPod(String pod, String... command) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("exec", container(pod)));
    arguments.addAll(List.of(command));
    return podman(arguments.toArray(String[]::new));
  }

  /** Waits until the node of a pod serves clients. */
  static void await(String pod) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!podman("logs", container(pod)).contains("Startup complete")) {
      assertTrue(System.nanoTime() < deadline, podman("logs", container(pod)));
      Thread.sleep(200);
    }
  }

  private static String container(String pod) {
    return pod + "-helenus";
  }
}
