package io.helenus.server.process;

import io.helenus.server.client.CqlClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run of {@code bin/helenus}, from its start to its end. */
public final class ServerProcess implements AutoCloseable {
  private static final long START_SECONDS = 120;
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

  /** Starts a node on a data folder and waits until it says that it answers. */
  public static ServerProcess start(Path data, int port, List<String> more) {
    List<String> command = new ArrayList<>();
    command.add(launcher().toString());
    command.addAll(List.of("--data", data.toString(), "--port", Integer.toString(port)));
    command.addAll(more);
    return start(command, port, data.resolveSibling(data.getFileName() + ".log"));
  }

  private static ServerProcess start(List<String> command, int port, Path log) {
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().put("HELENUS_JAVA_HOME", System.getProperty("java.home"));
      Process process = builder.start();
      process.getOutputStream().close();
      ServerProcess server = new ServerProcess(process, port, log);
      server.awaitReady();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitReady() throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder seen = new StringBuilder();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (System.nanoTime() < end) {
      String line = output.readLine();
      if (line == null) {
        throw new AssertionError("the server ended before it answered:\n" + seen);
      }
      seen.append(line).append('\n');
      if (line.contains(READY)) {
        Thread.ofPlatform().daemon().start(() -> keepLog(output, seen.toString()));
        return;
      }
    }
    throw new AssertionError("the server did not answer:\n" + seen);
  }

  private void keepLog(BufferedReader output, String begin) {
    try (var writer = Files.newBufferedWriter(log)) {
      writer.write(begin);
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        writer.write(line);
        writer.newLine();
        writer.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
