package io.helenus.server.process;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.shard.Shard;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes of one cluster in this process, on loopback addresses, with sockets and files. Nodes
 * are numbered from 1.
 */
public final class ThreeServers implements AutoCloseable {
  private static final int COUNT = 3;

  private final Path folder;
  private final BiFunction<Integer, TestSettings, TestSettings> given;
  private final int storagePort;
  private final int[] clientPorts = new int[COUNT + 1];
  private final @Nullable Server[] servers = new Server[COUNT + 1];
  private final @Nullable CqlClient[] clients = new CqlClient[COUNT + 1];

  /** What the shards of a stalled node wait for. */
  private final @Nullable CountDownLatch[] stalled = new CountDownLatch[COUNT + 1];

  /** Starts all of them at once, and waits until each serves clients. */
  ThreeServers(Path folder) throws IOException {
    this(folder, settings -> settings);
  }

  /** The same with further settings of each. */
  public ThreeServers(Path folder, UnaryOperator<TestSettings> given) throws IOException {
    this(folder, (number, settings) -> given.apply(settings));
  }

  /** The same with settings that depend on the number of the node. */
  ThreeServers(Path folder, BiFunction<Integer, TestSettings, TestSettings> given)
      throws IOException {
    this.folder = folder;
    this.given = given;
    storagePort = FreePorts.next();
    for (int i = 1; i <= COUNT; i++) {
      clientPorts[i] = FreePorts.next();
    }
    List<FutureTask<Server>> starts = new ArrayList<>();
    for (int i = 1; i <= COUNT; i++) {
      int number = i;
      FutureTask<Server> start = new FutureTask<>(() -> open(number));
      starts.add(start);
      Thread thread = new Thread(start, "start-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    for (int i = 1; i <= COUNT; i++) {
      servers[i] = get(starts.get(i - 1));
    }
  }

  private static Server get(FutureTask<Server> start) throws IOException {
    try {
      return start.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  /** The address of a node. */
  public static String address(int number) {
    return "127.0.0." + number;
  }

  private Server open(int number) throws IOException {
    return Server.start(
        given
            .apply(number, TestSettings.in(folder.resolve("node" + number)))
            .with(Setting.SEEDS, "127.0.0.1")
            .with(Setting.LISTEN_ADDRESS, address(number))
            .with(Setting.STORAGE_PORT, String.valueOf(storagePort))
            .with(Setting.RPC_ADDRESS, address(number))
            .with(Setting.NATIVE_TRANSPORT_PORT, String.valueOf(clientPorts[number]))
            .with(Setting.ADMIN_ADDRESS, address(number))
            .with(Setting.ADMIN_PORT, "0")
            .with(Setting.HEALTH_ADDRESS, address(number))
            .with(Setting.SHARDS, "2")
            .with(Setting.INITIAL_CLUSTER_SIZE, String.valueOf(COUNT))
            .build());
  }

  /** The CQL port of a node. */
  public int port(int number) {
    return clientPorts[number];
  }

  /** A node that runs. */
  Server server(int number) {
    Server server = servers[number];
    if (server == null) {
      throw new AssertionError("node " + number + " is stopped");
    }
    return server;
  }

  /** Makes a node stand still as if its process was stopped: its links stay, but it is silent. */
  void stall(int number) throws InterruptedException {
    CountDownLatch goesOn = new CountDownLatch(1);
    stalled[number] = goesOn;
    List<Shard> shards = server(number).node().shards();
    CountDownLatch standing = new CountDownLatch(shards.size());
    for (Shard shard : shards) {
      shard.execute(
          () -> {
            standing.countDown();
            try {
              goesOn.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    standing.await();
  }

  /** Lets a node that was stalled go on. */
  void goOn(int number) {
    CountDownLatch goesOn = stalled[number];
    if (goesOn != null) {
      stalled[number] = null;
      goesOn.countDown();
    }
  }

  /** Whether a node runs, be it stalled. */
  boolean isRunning(int number) {
    return servers[number] != null;
  }

  /** The port of all nodes for each other. */
  int storagePort() {
    return storagePort;
  }

  /** Stops a node. */
  void stop(int number) {
    goOn(number);
    CqlClient client = clients[number];
    if (client != null) {
      client.close();
      clients[number] = null;
    }
    Server server = servers[number];
    if (server != null) {
      servers[number] = null;
      server.close();
    }
  }

  /** Starts a node that was stopped. */
  void start(int number) throws IOException {
    servers[number] = open(number);
  }

  /** Gives a node that is stopped another CQL port. */
  void otherPort(int number) throws IOException {
    clientPorts[number] = FreePorts.next();
  }

  /** A connection to a node. */
  CqlClient client(int number) throws IOException {
    CqlClient client = clients[number];
    if (client == null) {
      client = connect(number);
      clients[number] = client;
    }
    return client;
  }

  /** Another connection to a node, which the caller closes. */
  CqlClient connect(int number) throws IOException {
    return CqlClient.connect(InetAddress.getByName(address(number)), server(number).port());
  }

  /** The outcome of a statement sent to a node: its rows as texts, or its error. */
  String run(int number, ConsistencyLevel level, String cql) throws IOException {
    Response response = client(number).query(cql, QueryOptions.NONE.withConsistency(level.code()));
    return switch (response) {
      case Response.Rows rows -> text(rows);
      case Response.Failure failure -> "error: " + failure.message();
      default -> "done";
    };
  }

  private static String text(Response.Rows rows) {
    List<String> lines = new ArrayList<>();
    for (List<byte @Nullable []> row : rows.rows()) {
      List<String> values = new ArrayList<>();
      for (byte[] value : row) {
        values.add(
            value == null
                ? "null"
                : value.length == 4
                    ? String.valueOf(java.nio.ByteBuffer.wrap(value).getInt())
                    : new String(value, StandardCharsets.UTF_8));
      }
      lines.add(String.join(",", values));
    }
    return String.join(" ", lines);
  }

  /** Waits until a node sees as many others up. */
  public void awaitUp(int number, int others) throws InterruptedException {
    for (int i = 0; i < 600; i++) {
      if (server(number).node().liveMembers() == others + 1) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError(
        "node " + number + " sees " + server(number).node().liveMembers() + " nodes");
  }

  @Override
  public void close() {
    for (int i = 1; i <= COUNT; i++) {
      stop(i);
    }
  }
}
