package io.helenus.server.process;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.ring.ConsistencyLevel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Three processes of {@code bin/helenus} that are one cluster, on 127.0.0.1, 127.0.0.2 and
 * 127.0.0.3. Nodes are numbered from 1. Not thread-safe, but for {@link #connect}.
 */
public final class ClusterProcesses implements AutoCloseable {
  /** The number of nodes. */
  public static final int COUNT = 3;

  private static final String ADDRESSES = "127.0.0.";
  private static final int TIMEOUT_MILLIS = 30_000;

  private final Path folder;
  private final int port = ServerProcess.freePort();
  private final int storagePort;
  private final String reachedAt;
  private final int healthPort = ServerProcess.freePort();
  private final List<String> options;
  private final ServerProcess[] nodes = new ServerProcess[COUNT + 1];

  /**
   * Starts all of them at once, and waits until each serves clients.
   *
   * @param options of each node
   */
  public ClusterProcesses(Path folder, List<String> options) throws IOException {
    this(folder, options, ServerProcess.freePort(), ADDRESSES);
  }

  /**
   * The same with something between the nodes.
   *
   * @param storagePort where it and the nodes listen
   * @param reachedAt with the number of a node: where others reach it
   */
  public ClusterProcesses(Path folder, List<String> options, int storagePort, String reachedAt)
      throws IOException {
    this.storagePort = storagePort;
    this.reachedAt = reachedAt;
    this.folder = Files.createDirectories(folder);
    this.options = List.copyOf(options);
    startAll();
  }

  /** The port on which clients are served. */
  public int port() {
    return port;
  }

  /** The port on which nodes take links. */
  public int storagePort() {
    return storagePort;
  }

  /** Where a node serves clients. */
  public static InetAddress address(int number) {
    try {
      return InetAddress.getByName(ADDRESSES + number);
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The process of a node, which may have ended. */
  public ServerProcess node(int number) {
    return nodes[number];
  }

  private void launch(int number) {
    String address = ADDRESSES + number;
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(
        List.of(
            "--seeds=" + reachedAt + 1,
            "--listen=" + address,
            "-Dbroadcast_address=" + reachedAt + number,
            "-Dstorage_port=" + storagePort,
            "-Dadmin_address=" + address,
            "-Dadmin_port=0",
            "-Dhealth_address=" + address,
            "-Dhealth_port=" + healthPort,
            "-Dinitial_cluster_size=" + COUNT,
            "-Dshards=1"));
    nodes[number] = ServerProcess.launch(folder.resolve("node" + number), port, arguments);
  }

  /** Starts a node that was stopped or killed, and waits until it serves clients. */
  public void start(int number) {
    launch(number);
    nodes[number].awaitReady();
  }

  /** Starts all nodes at once. */
  public void startAll() {
    for (int i = 1; i <= COUNT; i++) {
      launch(i);
    }
    for (int i = 1; i <= COUNT; i++) {
      nodes[i].awaitReady();
    }
  }

  /** Kills all nodes at once. */
  public void killAll() {
    List<Thread> kills = new ArrayList<>();
    for (int i = 1; i <= COUNT; i++) {
      Thread kill = new Thread(nodes[i]::kill, "kill-" + i);
      kills.add(kill);
      kill.start();
    }
    for (Thread kill : kills) {
      try {
        kill.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A new connection to a node. Any thread. */
  public CqlClient connect(int number) {
    return CqlClient.connect(
        CqlClient.Settings.of(address(number), port).withTimeoutMillis(TIMEOUT_MILLIS));
  }

  /** Sends a statement on a connection of its own. */
  public Response query(int number, ConsistencyLevel level, String cql) {
    try (CqlClient client = connect(number)) {
      return client.query(cql, QueryOptions.NONE.withConsistency(level.code()));
    }
  }

  /** Sends a statement that must succeed. */
  public void run(int number, String cql) {
    if (query(number, ConsistencyLevel.QUORUM, cql) instanceof Response.Failure failure) {
      throw new AssertionError(cql + ": " + failure.message());
    }
  }

  /** Waits until a request that needs all nodes succeeds through each of them. */
  public void awaitAll(String select) throws InterruptedException {
    for (int i = 1; i <= COUNT; i++) {
      long end = System.nanoTime() + 60_000_000_000L;
      Response response = query(i, ConsistencyLevel.ALL, select);
      while (response instanceof Response.Failure failure) {
        if (System.nanoTime() > end) {
          throw new AssertionError("node " + i + ": " + failure.message() + "\n" + logs());
        }
        Thread.sleep(50);
        response = query(i, ConsistencyLevel.ALL, select);
      }
    }
  }

  /** The page of metrics of a node. */
  public String metrics(int number) throws IOException {
    String host = address(number).getHostAddress();
    URL page = URI.create("http://" + host + ":" + healthPort + "/metrics").toURL();
    try (InputStream in = page.openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** What the nodes have logged since their last starts. */
  public String logs() {
    StringBuilder logs = new StringBuilder();
    for (int i = 1; i <= COUNT; i++) {
      logs.append("--- node ").append(i).append('\n').append(nodes[i].log());
    }
    return logs.toString();
  }

  @Override
  public void close() {
    for (ServerProcess node : nodes) {
      if (node != null) {
        node.close();
      }
    }
  }
}
