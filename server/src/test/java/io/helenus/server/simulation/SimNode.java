package io.helenus.server.simulation;

import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.config.TestSettings;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.internode.Network;
import io.helenus.server.node.ClientConnections;
import io.helenus.server.node.Node;
import io.helenus.server.node.World;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.RecordedExchange;
import io.helenus.server.protocol.Request;
import io.helenus.server.protocol.Session;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.local.LocalStorage;
import io.helenus.storage.memory.PageDiscard;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The simulation's node: a real node on simulated files, time and threads. */
final class SimNode {
  /** The sync period of the log in periodic mode. */
  static final long SYNC_PERIOD_NANOS = 20_000_000L;

  private static final int STEPS_LIMIT = 1_000_000;

  /** Replaceable parts of a node, for planted bugs and injected errors. */
  interface Hooks {
    /** Replaces nothing. */
    Hooks NONE = new Hooks() {};

    /** The files as the node sees them. */
    default FileSystem files(FileSystem files) {
      return files;
    }

    /** How storage is opened. */
    default Node.StorageOpener opener() {
      return LocalStorage::open;
    }

    /** The handler of unexpected exceptions; null for the simulation's default. */
    default @Nullable FatalErrors fatal() {
      return null;
    }

    /** Wraps the responses to clients. */
    default Exchange exchange(Exchange exchange) {
      return exchange;
    }
  }

  /** A statement and its request options. */
  record Query(
      String cql,
      long nowSeconds,
      int pageSize,
      byte @Nullable [] pagingState,
      ConsistencyLevel level) {
    Query(String cql, long nowSeconds, int pageSize, byte @Nullable [] pagingState) {
      this(cql, nowSeconds, pageSize, pagingState, ConsistencyLevel.ONE);
    }

    static Query of(String cql) {
      return new Query(cql, 0, -1, null);
    }

    Query at(ConsistencyLevel other) {
      return new Query(cql, nowSeconds, pageSize, pagingState, other);
    }
  }

  /** A node without client connections. */
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

  /**
   * Records that the node stopped itself, as it does after an injected fault. An {@link Error},
   * contained or not, is a bug found by the simulation.
   */
  private final class HaltRecorder implements FatalErrors {
    @Override
    public void halt(Throwable cause) {
      if (cause instanceof Error error) {
        throw error;
      }
      fatal = (Exception) cause;
    }

    @Override
    public Exception contain(Throwable failure) {
      if (failure instanceof Error error) {
        throw error;
      }
      return (Exception) failure;
    }
  }

  private final SimWorld world;
  private final Node node;
  private final Hooks hooks;
  private final FatalErrors fatalErrors;
  private final Scheduler io;
  private final Session session =
      new Session(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
  private final List<List<Runnable>> unsent = new ArrayList<>();
  private @Nullable Storage storage;

  /** Why the node stopped itself; null if it did not. */
  @Nullable Exception fatal;

  SimNode(SimWorld world, FileSystem files, int shards, SyncMode syncMode, Hooks hooks) {
    this.world = world;
    this.hooks = hooks;
    List<Scheduler> loops = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      loops.add(world.scheduler("shard-" + i));
    }
    io = world.pool("io");
    FatalErrors replacement = hooks.fatal();
    fatalErrors = replacement == null ? new HaltRecorder() : replacement;
    World outside =
        new World(
            files,
            world.clock(),
            world.randomness(),
            loops,
            io,
            world.pool("search"),
            world.pool("background"),
            PageDiscard.NONE,
            () -> true,
            Network.NONE,
            fatalErrors);
    Node.StorageOpener opener = hooks.opener();
    try {
      node =
          Node.open(
              outside,
              settings(syncMode),
              new NoClients(),
              (environment, options, tables) -> {
                Storage opened = opener.open(environment, options, tables);
                storage = opened;
                return opened;
              });
    } catch (IOException | RuntimeException e) {
      throw new ViolationError(Violation.NOT_STARTED, e.toString(), e);
    }
    for (Shard shard : node.shards()) {
      List<Runnable> answers = new ArrayList<>();
      unsent.add(answers);
      shard.onTickEnd(() -> send(answers));
    }
    session.protocolVersion(RecordedExchange.VERSION);
    CompletableFuture<Void> started = node.start(event -> world.note(event.toString()));
    await(started::isDone);
    if (fatal != null) {
      throw new ViolationError(Violation.NOT_STARTED, fatal.toString(), fatal);
    }
    started.join();
  }

  private static Settings settings(SyncMode syncMode) {
    return TestSettings.simulated()
        .with(Setting.MEMTABLE_OFFHEAP_SPACE, "64KiB")
        .with(Setting.COMMITLOG_SEGMENT_SIZE, "16KiB")
        .with(Setting.BLOCK_CACHE_SIZE, "256KiB")
        .with(Setting.MATERIALIZED_VIEWS_ENABLED, "true")
        .with(Setting.COMMITLOG_SYNC, syncMode.name().toLowerCase(Locale.ROOT))
        .with(Setting.COMMITLOG_SYNC_PERIOD, SYNC_PERIOD_NANOS / 1_000_000 + "ms")
        .build();
  }

  int shards() {
    return node.shards().size();
  }

  /** Responses leave when a tick ends, after its log records have been written. */
  private static void send(List<Runnable> answers) {
    List<Runnable> sent = List.copyOf(answers);
    answers.clear();
    sent.forEach(Runnable::run);
  }

  /** Sends a statement to a shard; the returned action disconnects the client. */
  Runnable query(int shardIndex, Query query, Consumer<Response> answered) {
    Shard shard = node.shards().get(shardIndex);
    List<Runnable> answers = unsent.get(shardIndex);
    RecordedExchange recorded =
        new RecordedExchange(response -> answers.add(() -> answered.accept(response)));
    Exchange exchange = hooks.exchange(recorded);
    shard.execute(
        () -> {
          try {
            node.handlers()
                .get(shardIndex)
                .handle(session, new Request.Query(query.cql, parameters(query)), exchange);
          } catch (CqlException e) {
            exchange.respondError(e.error());
          } catch (Throwable e) {
            // as a connection does
            assert fatalErrors.contain(e) != null;
            exchange.respondError(new CqlError.ServerError(e.toString()));
          }
        });
    return () -> shard.execute(recorded::disconnect);
  }

  private static QueryParameters parameters(Query query) {
    QueryParameters parameters = new QueryParameters();
    parameters.reset(query.level);
    if (query.nowSeconds > 0) {
      parameters.nowInSeconds((int) query.nowSeconds);
    }
    parameters.pageSize(query.pageSize);
    byte[] state = query.pagingState;
    if (state != null) {
      ByteWriter bytes = new ByteWriter(state.length);
      bytes.putBytes(state);
      parameters.values().begin(bytes.segment());
      parameters.pagingState(0, state.length);
    }
    return parameters;
  }

  void flush() {
    CompletableFuture<Void> unused = node.flushAll();
    assert unused != null;
  }

  CompletableFuture<Void> compact() {
    return node.compactAll();
  }

  /** Suspends everything that waits for the disk. */
  void stallDisk(long nanos) {
    world.stall(io, nanos);
  }

  /** The files known to storage. */
  int liveFiles(int lastTableId) {
    Storage opened = storage;
    if (opened == null) {
      throw new AssertionError("not open");
    }
    int files = 0;
    for (int id = 1; id <= lastTableId; id++) {
      files += opened.statistics(id).files();
    }
    return files;
  }

  /** Stops the node cleanly. */
  void stop() {
    CompletableFuture<Void> stopped = node.stop();
    await(stopped::isDone);
    if (fatal == null) {
      stopped.join();
    }
    world.runReady();
    world.forgetTasks();
    node.close();
  }

  /** Runs the world until a response arrives or the node stops itself. */
  void await(BooleanSupplier condition) {
    for (int i = 0; i < STEPS_LIMIT; i++) {
      if (condition.getAsBoolean() || fatal != null) {
        return;
      }
      if (!world.step()) {
        throw new ViolationError(Violation.NO_ANSWER, "no tasks are left to run");
      }
    }
    throw new ViolationError(Violation.NO_ANSWER, "not within " + STEPS_LIMIT + " steps");
  }
}
