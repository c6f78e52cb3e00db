package io.helenus.server.process;

import io.helenus.server.client.CqlClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One run of {@code bin/helenus}, from its start to its end. */
public final class ServerProcess implements AutoCloseable {
  private static final long START_SECONDS = 120;
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
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The launcher. */
  public static Path launcher() {
    return Path.of("..", "bin", "helenus").toAbsolutePath().normalize();
  }

  /** How a run ended that never answered, and what it printed. */
  public record Refusal(int exitCode, String output) {}

  /** Starts a node on a data folder and waits until it says that it answers. */
  public static ServerProcess start(Path data, int port, List<String> more) {
    ServerProcess server = launch(data, port, more);
    server.awaitReady();
    return server;
  }

  /** Starts a node on a data folder that it must refuse, and waits for its end. */
  public static Refusal startRefused(Path data, List<String> more) {
    try (ServerProcess server = launch(data, freePort(), more)) {
      int exitCode = server.awaitEnd();
      return new Refusal(exitCode, server.log());
    }
  }

  private static ServerProcess launch(Path data, int port, List<String> more) {
    List<String> command = new ArrayList<>();
    command.add(launcher().toString());
    command.addAll(List.of("--data", data.toString(), "--port", Integer.toString(port)));
    command.addAll(more);
    Path log = data.resolveSibling(data.getFileName() + ".log");
    try {
      Files.deleteIfExists(log);
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
      builder.environment().put("HELENUS_JAVA_HOME", System.getProperty("java.home"));
      Process process = builder.start();
      process.getOutputStream().close();
      return new ServerProcess(process, port, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitReady() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (System.nanoTime() < end) {
      if (log().contains(READY)) {
        return;
      }
      if (!process.isAlive()) {
        throw new AssertionError("the server ended before it answered:\n" + log());
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    process.destroyForcibly();
    throw new AssertionError("the server did not answer:\n" + log());
  }

  /** The port it listens on, on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** What it has printed so far. */
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

  /** kill -9, and waits for the end. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** SIGTERM, and waits for the end; returns the exit code. */
  public int terminate() {
    process.destroy();
    return awaitEnd();
  }

  private int awaitEnd() {
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("the server did not end within a minute\n" + log());
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
