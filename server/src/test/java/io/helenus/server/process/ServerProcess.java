package io.helenus.server.process;

import io.helenus.server.client.CqlClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One run of {@code bin/helenus}. */
public final class ServerProcess implements AutoCloseable {
  private static final long START_SECONDS = 600;
  private static final long END_MINUTES = 10;
  private static final long LOOK_NANOS = 10_000_000;
  private static final String READY = "Startup complete";

  private final Process process;
  private final int port;
  private final Path log;

  private ServerProcess(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /** A port that was free a moment ago. */
  public static int freePort() {
    return FreePorts.next();
  }

  /** The launcher. */
  public static Path launcher() {
    return Path.of("..", "bin", "helenus").toAbsolutePath().normalize();
  }

  /** The exit code and output of a run. */
  public record ExitResult(int exitCode, String output) {}

  /** Starts a node on a data folder and waits until it reports that it is ready. */
  public static ServerProcess start(Path data, int port, List<String> more) {
    return start(data, port, more, "");
  }

  /** Starts a node without waiting until it is ready. */
  public static ServerProcess launch(Path data, int port, List<String> more) {
    return launch(data, port, arguments(data, port, more), Map.of());
  }

  /** The same with additional JVM flags, and without the AOT cache, which they would invalidate. */
  public static ServerProcess start(Path data, int port, List<String> more, String jvmFlags) {
    ServerProcess server = launch(data, port, arguments(data, port, more), jvmFlags);
    server.awaitReady();
    return server;
  }

  /** The same with variables for the environment of the launcher. */
  static ServerProcess start(Path data, int port, Map<String, String> environment) {
    ServerProcess server = launch(data, port, arguments(data, port, List.of()), environment);
    server.awaitReady();
    return server;
  }

  /** Starts a node on a data folder that it must reject, and waits for it to exit. */
  public static ExitResult startRefused(Path data, List<String> more) {
    int port = freePort();
    return toItsEnd(data, port, arguments(data, port, more));
  }

  /** Runs {@code helenus verify} on a data folder. */
  public static ExitResult verify(Path data) {
    return toItsEnd(data, 0, List.of("verify", "--data", data.toString()));
  }

  private static ExitResult toItsEnd(Path data, int port, List<String> arguments) {
    try (ServerProcess server = launch(data, port, arguments, "")) {
      int exitCode = server.awaitEnd();
      return new ExitResult(exitCode, server.log());
    }
  }

  private static List<String> arguments(Path data, int port, List<String> more) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--data", data.toString(), "--port", Integer.toString(port)));
    arguments.addAll(more);
    return arguments;
  }

  private static ServerProcess launch(
      Path data, int port, List<String> arguments, String jvmFlags) {
    return launch(
        data,
        port,
        arguments,
        jvmFlags.isEmpty() ? Map.of() : Map.of("HELENUS_JVM_OPTS", jvmFlags, "HELENUS_AOT", "no"));
  }

  private static ServerProcess launch(
      Path data, int port, List<String> arguments, Map<String, String> environment) {
    List<String> command = new ArrayList<>();
    command.add(launcher().toString());
    command.addAll(arguments);
    Path log = data.resolveSibling(data.getFileName() + ".log");
    try {
      Files.deleteIfExists(log);
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
      builder.environment().put("HELENUS_JAVA_HOME", System.getProperty("java.home"));
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      return new ServerProcess(process, port, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it reports that it is ready. */
  public void awaitReady() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (System.nanoTime() < end) {
      if (log().contains(READY)) {
        return;
      }
      if (!process.isAlive()) {
        throw new AssertionError("the server exited before it was ready:\n" + log());
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    process.destroyForcibly();
    throw new AssertionError("the server did not become ready:\n" + log());
  }

  /** The port it listens on, on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** The output so far. */
  public String log() {
    try {
      return Files.exists(log) ? Files.readString(log) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A new connection. */
  public CqlClient connect() {
    return CqlClient.connect(InetAddress.getLoopbackAddress(), port);
  }

  /** Sends SIGKILL and waits for the process to exit. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Sends SIGSTOP: it does not run until {@link #resume}. */
  public void pause() {
    signal("STOP");
  }

  /** Sends SIGCONT. */
  public void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new AssertionError("kill -" + name + " failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Sends SIGTERM and waits for the process to exit; returns the exit code. */
  public int terminate() {
    process.destroy();
    return awaitEnd();
  }

  /** Waits for the process to exit by itself; returns the exit code. */
  public int awaitEnd() {
    try {
      if (!process.waitFor(END_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError(
            "the server did not exit within " + END_MINUTES + " minutes\n" + log());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }
}
