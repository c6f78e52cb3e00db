package io.helenus.clients;

import io.helenus.server.process.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** An Apache Cassandra in a process of its own, which needs a JDK 17. */
final class CassandraProcess implements AutoCloseable {
  private static final Path JDKS = Path.of("/usr/lib/jvm");
  private static final long START_SECONDS = 300;
  private static final long LOOK_NANOS = 100_000_000;

  private final Process process;
  private final int port;
  private final Path log;

  private CassandraProcess(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /**
   * Starts one and waits until it accepts connections.
   *
   * @param jars the folder of its jars
   * @param folder where to put its configuration, data and log
   */
  static CassandraProcess start(Path jars, Path folder) throws IOException {
    int port = ServerProcess.freePort();
    Files.createDirectories(folder);
    Path configuration = folder.resolve("cassandra.yaml");
    Files.writeString(
        configuration,
        resource("cassandra.yaml")
            .replace("$FOLDER", folder.toString())
            .replace("$STORAGE_PORT", Integer.toString(ServerProcess.freePort()))
            .replace("$PORT", Integer.toString(port)));
    List<String> command = new ArrayList<>();
    command.add(java17().toString());
    resource("java.options").lines().forEach(command::add);
    command.add("-Dcassandra.config=" + configuration.toUri());
    command.add("-Dcassandra.storagedir=" + folder);
    command.add("-Dcassandra.logdir=" + folder);
    command.addAll(List.of("-cp", jars + "/*", "org.apache.cassandra.service.CassandraDaemon"));
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    CassandraProcess cassandra = new CassandraProcess(process, port, log);
    cassandra.awaitReady();
    return cassandra;
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = CassandraProcess.class.getResourceAsStream("/cassandra/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Path java17() throws IOException {
    try (Stream<Path> folders = Files.list(JDKS)) {
      return folders
          .filter(folder -> folder.getFileName().toString().contains("17"))
          .map(folder -> folder.resolve("bin/java"))
          .filter(Files::isExecutable)
          .findFirst()
          .orElseThrow(() -> new AssertionError("Cassandra needs a JDK 17 under " + JDKS));
    }
  }

  private void awaitReady() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!accepts()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        close();
        throw new AssertionError("Cassandra did not start:\n" + Files.readString(log));
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private boolean accepts() {
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** Where it listens: HOST:PORT. */
  String address() {
    return "127.0.0.1:" + port;
  }

  @Override
  public void close() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
