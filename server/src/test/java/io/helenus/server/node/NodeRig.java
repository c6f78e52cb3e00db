package io.helenus.server.node;

import io.helenus.server.admin.NodeMeasurements;
import io.helenus.server.admin.Snapshots;
import io.helenus.server.client.Frame;
import io.helenus.server.client.Response;
import io.helenus.server.client.ResponseDecoder;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.config.TestSettings;
import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.coordinator.Timeouts;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.internode.Network;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.Members;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.Request;
import io.helenus.server.protocol.Session;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.server.viewbuild.ViewVerification;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.local.LocalStorage;
import io.helenus.storage.memory.PageDiscard;
import io.helenus.storage.row.RowView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A real node on simulated files, threads and time, so that the test controls clock and faults.
 * Single-threaded.
 */
public final class NodeRig {
  private static final int VERSION = 5;
  private static final int SHARDS = 2;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** The simulated time and threads. */
  public final SimWorld world = new SimWorld(7);

  /** The simulated disk. */
  public final SimFileSystem disk = new SimFileSystem(new SimRandomness(7));

  /** The faults to inject into its storage. */
  public final FaultyStorage.Faults faults = new FaultyStorage.Faults();

  private final Session session =
      new Session(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
  private final UnaryOperator<TestSettings> configuration;
  private final List<String> warnings = new ArrayList<>();
  private Node node;
  private List<StorageEngine> engines = List.of();

  /** Creates a rig with a newly started node. */
  public NodeRig() {
    this(UnaryOperator.identity());
  }

  /** Creates a rig with a newly started node that is configured so. */
  public NodeRig(UnaryOperator<TestSettings> configuration) {
    this.configuration = configuration;
    session.protocolVersion(VERSION);
    node = open();
  }

  private static final class NoClients implements ClientConnections {
    @Override
    public List<Session> sessions() {
      return List.of();
    }

    @Override
    public int port() {
      return 9042;
    }
  }

  private Node open() {
    List<Scheduler> loops = new ArrayList<>();
    for (int i = 0; i < SHARDS; i++) {
      loops.add(world.scheduler("shard-" + i));
    }
    World outside =
        new World(
            disk,
            world.clock(),
            world.randomness(),
            loops,
            world.pool("io"),
            world.pool("search"),
            world.pool("background"),
            PageDiscard.NONE,
            () -> true,
            Network.NONE,
            failure -> {
              throw new AssertionError("the node halted", failure);
            });
    try {
      Node opened =
          Node.open(
              outside,
              settings(),
              new NoClients(),
              (environment, options, tables) -> {
                FaultyStorage storage =
                    new FaultyStorage(LocalStorage.open(environment, options, tables), faults);
                engines = storage.engines();
                return storage;
              });
      await(opened.start(event -> {}));
      return opened;
    } catch (IOException e) {
      throw new AssertionError("the node does not start", e);
    }
  }

  private Settings settings() {
    return configuration
        .apply(
            TestSettings.simulated()
                .with(Setting.MEMTABLE_OFFHEAP_SPACE, "1MiB")
                .with(Setting.COMMITLOG_SEGMENT_SIZE, "256KiB")
                .with(Setting.BLOCK_CACHE_SIZE, "256KiB")
                .with(Setting.COMMITLOG_SYNC, "batch"))
        .build();
  }

  private void await(CompletableFuture<Void> future) {
    world.runUntil(future::isDone);
    future.join();
  }

  /** Advances time. */
  public void runForSeconds(long seconds) {
    world.runFor(seconds * SECOND_NANOS);
  }

  /** Kills the node and restarts it after this many seconds. */
  public void killAndRestart(long secondsBetween) {
    world.forgetTasks();
    disk.killProcess();
    faults.held.clear();
    world.clock().advance(secondsBetween * SECOND_NANOS);
    node = open();
  }

  /** Simulates a power loss and restarts the node. */
  public void losePowerAndRestart() {
    world.forgetTasks();
    disk.losePower();
    node = open();
  }

  /** Stops the node cleanly and restarts it. */
  public void stopAndRestart() {
    await(node.stop());
    world.runReady();
    world.forgetTasks();
    node.close();
    node = open();
  }

  /** Changes the timeouts of requests. */
  public void timeouts(Timeouts changed) {
    node.timeouts(changed);
  }

  /** What monitoring systems read. */
  public NodeMeasurements measurements() {
    NodeMeasurements[] answer = new NodeMeasurements[1];
    Shard shard = node.shards().getFirst();
    shard.execute(() -> node.counts(shard, new int[0], counts -> answer[0] = counts));
    world.runUntil(() -> answer[0] != null);
    return answer[0];
  }

  /** The snapshots in its data folder. */
  public Snapshots snapshots() {
    return node.snapshots();
  }

  /** Loads the files of a folder of a snapshot into a table. */
  public void load(String folder, String keyspace, String name) throws IOException {
    TableSchema table = node.metadata().state().schema().table(keyspace, name);
    FilesToLoad files = node.snapshots().files(folder, table);
    CompletableFuture<Void> done = new CompletableFuture<>();
    node.storage()
        .load(
            table.storageId(),
            files,
            failure -> {
              if (failure != null) {
                throw new AssertionError(failure);
              }
              done.complete(null);
            });
    await(done);
  }

  /** Flushes a table and compacts its files into one per shard. */
  public void compact(int tableId) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    node.storage()
        .flush(
            tableId,
            unflushed ->
                node.storage()
                    .compact(
                        tableId,
                        failure -> {
                          if (unflushed != null || failure != null) {
                            throw new AssertionError(unflushed == null ? failure : unflushed);
                          }
                          done.complete(null);
                        }));
    await(done);
  }

  /** Begins the verification of a materialized view by the storage ids of table and view. */
  public ViewVerification startVerification(
      int baseId, int viewId, boolean repairs, Consumer<? super Exception> whenEnded) {
    ViewVerification verification = node.verification(baseId, viewId, repairs);
    verification.start(whenEnded);
    return verification;
  }

  /** The outcome of the verification of a materialized view. */
  public ViewVerification.Report verifyView(int baseId, int viewId, boolean repairs) {
    boolean[] ended = new boolean[1];
    ViewVerification verification =
        startVerification(
            baseId,
            viewId,
            repairs,
            failure -> {
              if (failure != null) {
                throw new AssertionError(failure);
              }
              ended[0] = true;
            });
    world.runUntil(() -> ended[0]);
    return verification.report();
  }

  /** Lets another node join in a data centre with these tokens; nothing answers there. */
  public void join(String dataCenter, long... tokens) {
    ClusterNode other = new ClusterNode(new UUID(7, 7), dataCenter, "rack1", tokens);
    Members.join(node.metadataLog(), other);
    world.runUntil(() -> node.metadata().state().node(other.hostId()) != null);
  }

  /** The response to a statement. */
  public Response ask(String cql) {
    Response[] answer = new Response[1];
    warnings.clear();
    QueryParameters parameters = new QueryParameters();
    parameters.reset(ConsistencyLevel.ONE);
    Shard shard = node.shards().getFirst();
    shard.execute(
        () -> {
          TestExchange exchange = new TestExchange(answer, warnings);
          try {
            node.handlers()
                .getFirst()
                .handle(session, new Request.Query(cql, parameters), exchange);
          } catch (CqlException e) {
            exchange.respondError(e.error());
          }
        });
    world.runUntil(() -> answer[0] != null);
    return answer[0];
  }

  /** The warnings of the last response. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** Runs a statement that must succeed. */
  public void run(String cql) {
    if (ask(cql) instanceof Response.Failure failure) {
      throw new AssertionError(cql + ": " + failure.message());
    }
  }

  /** The message of a statement that must fail. */
  public String failure(String cql) {
    if (ask(cql) instanceof Response.Failure failure) {
      return failure.message();
    }
    throw new AssertionError(cql + " did not fail");
  }

  /**
   * The rows of a SELECT as comma-separated columns, with numbers in decimal and "null" for null.
   */
  public List<String> rows(String cql) {
    if (!(ask(cql) instanceof Response.Rows found)) {
      throw new AssertionError(cql + " has no rows");
    }
    List<String> rows = new ArrayList<>();
    for (List<byte[]> row : found.rows()) {
      List<String> texts = new ArrayList<>();
      row.forEach(value -> texts.add(text(value)));
      rows.add(String.join(",", texts));
    }
    return rows;
  }

  private static String text(byte[] value) {
    if (value == null) {
      return "null";
    }
    return switch (value.length) {
      case 4 -> Integer.toString(ByteBuffer.wrap(value).getInt());
      case 8 -> Long.toString(ByteBuffer.wrap(value).getLong());
      default -> new String(value, StandardCharsets.UTF_8);
    };
  }

  /** A table's storage id, by order of creation. */
  public int tableId(int created) {
    return 100 + created;
  }

  /** The cells of the batch log in storage. */
  public List<byte[]> batchLogEntries() {
    List<byte[]> entries = new ArrayList<>();
    for (StorageEngine engine : engines) {
      ReadRequest request = new ReadRequest().reset(BatchLog.TABLE_ID, 0);
      try (ReadCursor cursor = engine.read(request)) {
        while (true) {
          switch (cursor.advance(new Cells(entries))) {
            case DONE, STOPPED -> {}
            case YIELD -> {
              continue;
            }
            case WAITING -> {
              boolean[] ready = new boolean[1];
              cursor.whenReady(() -> ready[0] = true);
              world.runUntil(() -> ready[0]);
              continue;
            }
          }
          break;
        }
      }
    }
    return entries;
  }

  /** Performs the delayed writes. */
  public void applyHeld() {
    for (FaultyStorage.HeldWrite write : faults.held) {
      node.shards().get(write.shard()).execute(write.apply());
    }
    faults.held.clear();
  }

  /** Writes a mutation on the first shard's engine. */
  public void apply(ByteWriter mutation) {
    boolean[] done = new boolean[1];
    node.shards()
        .getFirst()
        .execute(
            () ->
                engines
                    .getFirst()
                    .apply(
                        mutation.segment(),
                        0,
                        mutation.size(),
                        new StorageEngine.WriteListener() {
                          @Override
                          public void onDurable() {
                            done[0] = true;
                          }

                          @Override
                          public void onRefused(Exception cause) {
                            throw new AssertionError(cause);
                          }
                        }));
    world.runUntil(() -> done[0]);
  }

  private record Cells(List<byte[]> values) implements RowSink {
    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      return Next.CONTINUE;
    }

    @Override
    public Next staticRow(RowView row) {
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      row.rewind();
      while (row.nextCell()) {
        values.add(Bytes.toArray(row.segment(), row.valueOffset(), row.valueLength()));
      }
      return Next.CONTINUE;
    }
  }

  /** A request with its decoded response. */
  private static final class TestExchange implements Exchange {
    private final Response[] answer;
    private final List<String> warnings;
    private final ByteWriter body = new ByteWriter(256);

    TestExchange(Response[] answer, List<String> warnings) {
      this.answer = answer;
      this.warnings = warnings;
    }

    private void answer(Response response) {
      if (answer[0] != null) {
        throw new AssertionError("answered twice");
      }
      answer[0] = response;
    }

    @Override
    public int protocolVersion() {
      return VERSION;
    }

    @Override
    public int streamId() {
      return 1;
    }

    @Override
    public boolean tracingRequested() {
      return false;
    }

    @Override
    public ByteWriter body() {
      return body.clear();
    }

    @Override
    public void respond(int opcode, ByteWriter bytes) {
      answer(ResponseDecoder.decode(new Frame(VERSION, true, 0, 1, opcode, bytes.toArray())));
    }

    @Override
    public void respondError(CqlError error) {
      answer(
          new Response.Failure(
              new Response.Extras(List.of(), null, Map.of()),
              error.code(),
              error.message(),
              Map.of()));
    }

    @Override
    public void warn(String text) {
      warnings.add(text);
    }

    @Override
    public void tracingId(long mostSignificantBits, long leastSignificantBits) {}

    @Override
    public void holdEvents() {}

    @Override
    public void onDisconnect(Runnable cancel) {}
  }
}
