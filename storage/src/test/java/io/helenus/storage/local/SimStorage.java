package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.compaction.GraceRule;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.StorageOptions;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.testing.TestStorageOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A node's storage in a simulated world, with blocking helpers for tests. */
final class SimStorage {
  static final int GRACE_SECONDS = 100;

  final SimWorld world;
  final SimFileSystem files;
  final List<Throwable> fatal = new ArrayList<>();
  private long fatalNanos;
  UnaryOperator<FileSystem> wrapper = files -> files;
  GraceRule graceRule = GraceRule.GRACE_PERIOD;
  Supplier<NodeMemory> memories = NodeMemory::unlimited;

  /** Of the current start. */
  NodeMemory memory = NodeMemory.unlimited();

  StorageOptions options;
  Tables tables;
  private @Nullable LocalStorage storage;

  SimStorage(long seed, StorageOptions options, Tables tables) {
    world = new SimWorld(seed);
    files = new SimFileSystem(new SimRandomness(~seed));
    this.options = options;
    this.tables = tables;
  }

  static TableDescriptor table(int id) {
    return table(id, List.of());
  }

  static TableDescriptor table(int id, List<IndexDescriptor> indexes) {
    List<TableDescriptor.Column> columns = new ArrayList<>();
    for (int column = 1; column <= ModelTable.STATIC_COLUMN; column++) {
      TableDescriptor.Kind kind =
          column == ModelTable.MULTI_CELL_COLUMN
              ? TableDescriptor.Kind.MULTI_CELL
              : TableDescriptor.Kind.SIMPLE;
      columns.add(new TableDescriptor.Column(column, kind, RowFormat.NO_TIMESTAMP));
    }
    // above the default, so that small files are not merged early and reads meet several
    return new TableDescriptor(
        id, columns, GRACE_SECONDS, TableDescriptor.Compression.LZ4, 5, 8, 0.01, indexes);
  }

  static Tables tables(int... ids) {
    List<TableDescriptor> live = new ArrayList<>();
    int last = 0;
    for (int id : ids) {
      live.add(table(id));
      last = Math.max(last, id);
    }
    return new Tables(1, live, last);
  }

  LocalStorage open() throws IOException {
    memory = memories.get();
    List<Scheduler> shards = new ArrayList<>();
    for (int i = 0; i < options.shards(); i++) {
      shards.add(world.scheduler("shard" + i));
    }
    StorageEnvironment environment =
        new StorageEnvironment(
            wrapper.apply(files),
            world.clock(),
            world.randomness(),
            shards,
            world.pool("io"),
            world.pool("search"),
            world.pool("background"),
            new HaltRecorder(),
            memory);
    LocalStorage opened = LocalStorage.open(environment, options, tables, graceRule);
    storage = opened;
    return opened;
  }

  /** Records what halted the node. A simulated crash is not a halt and propagates. */
  private final class HaltRecorder implements FatalErrors {
    @Override
    public void halt(Throwable cause) {
      if (cause instanceof SimulatedCrash crash) {
        throw crash;
      }
      if (fatal.isEmpty()) {
        fatalNanos = world.clock().nanos();
      }
      fatal.add(cause);
    }

    @Override
    public Exception contain(Throwable failure) {
      if (failure instanceof SimulatedCrash crash) {
        throw crash;
      }
      return FatalErrors.super.contain(failure);
    }
  }

  /** The time at which the node halted, or now. */
  long lastNanos() {
    return fatal.isEmpty() ? world.clock().nanos() : fatalNanos;
  }

  LocalStorage storage() {
    LocalStorage open = storage;
    if (open == null) {
      throw new IllegalStateException("not open");
    }
    return open;
  }

  StorageEngine engine(int partitionKey) {
    int shard = new ShardMap(options.shards()).shardOf(TestKeys.token(partitionKey));
    return storage().engines().get(shard);
  }

  long nowSeconds() {
    return Math.floorDiv(world.clock().wallMicros(), 1_000_000L);
  }

  /** The outcome of a request: done, and with which failure if any. */
  static final class Outcome implements StorageEngine.WriteListener, Consumer<Exception> {
    boolean done;
    @Nullable Exception failure;

    @Override
    public void onDurable() {
      done = true;
    }

    @Override
    public void onRefused(Exception cause) {
      accept(cause);
    }

    @Override
    public void accept(@Nullable Exception cause) {
      done = true;
      failure = cause;
    }
  }

  Outcome apply(int partitionKey, ByteWriter mutation) {
    Outcome outcome = new Outcome();
    engine(partitionKey).apply(mutation.segment(), 0, mutation.size(), outcome);
    return outcome;
  }

  void endTicks() {
    for (StorageEngine engine : storage().engines()) {
      if (engine.tickPending()) {
        engine.endTick();
      }
    }
  }

  /** Runs the simulation until a request is complete. */
  Outcome await(Outcome outcome) {
    endTicks();
    world.runUntil(
        () -> {
          endTicks();
          return outcome.done;
        });
    return outcome;
  }

  void awaitSuccess(Outcome outcome) {
    Exception failure = await(outcome).failure;
    if (failure != null) {
      throw new AssertionError(failure);
    }
  }

  void flush() {
    Outcome outcome = new Outcome();
    storage().flush(0, outcome);
    awaitSuccess(outcome);
  }

  void compact() {
    Outcome outcome = new Outcome();
    storage().compact(0, outcome);
    awaitSuccess(outcome);
  }

  void truncate(int tableId) {
    Outcome outcome = new Outcome();
    storage().truncate(tableId, outcome);
    awaitSuccess(outcome);
  }

  /** Kills the process or cuts the power, and reopens the storage. */
  LocalStorage crash(boolean powerLoss, int shards) throws IOException {
    prepareCrash(powerLoss, shards);
    return open();
  }

  /** Kills the process or cuts the power; the next start uses the given number of shards. */
  void prepareCrash(boolean powerLoss, int shards) {
    world.forgetTasks();
    if (powerLoss) {
      files.losePower();
    } else {
      files.killProcess();
    }
    options = TestStorageOptions.of(shards, options.syncMode()).build();
  }

  /** A request for the rows of a partition between two clustering keys. */
  static ReadRequest request(
      int tableId, int partitionKey, int from, int to, boolean reversed, long nowSeconds) {
    ReadRequest request = new ReadRequest();
    ByteWriter prefix = TestKeys.prefix(partitionKey);
    request.reset(tableId, nowSeconds).partition(prefix.segment(), 0, prefix.size());
    request.reversed(reversed).wantsStatic(true);
    if (from != Integer.MIN_VALUE || to != Integer.MAX_VALUE) {
      ByteWriter lower = TestKeys.suffix(from, KeyFormat.TAG_BOUND_BEFORE);
      ByteWriter upper = TestKeys.suffix(to, KeyFormat.TAG_BOUND_AFTER);
      request.addSlice(lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size());
    }
    return request;
  }

  /** Reads a slice of a partition as text. */
  String read(int tableId, int partitionKey, int from, int to, boolean reversed) {
    ReadRequest request = request(tableId, partitionKey, from, to, reversed, nowSeconds());
    TextSink sink = new TextSink(request.nowSeconds());
    drive(engine(partitionKey).read(request), sink);
    return sink.partition(partitionKey);
  }

  String read(int tableId, int partitionKey) {
    return read(tableId, partitionKey, Integer.MIN_VALUE, Integer.MAX_VALUE, false);
  }

  /** Reads a whole table, shard by shard. */
  TextSink scan(int tableId) {
    TextSink sink = new TextSink(nowSeconds());
    for (StorageEngine engine : storage().engines()) {
      ReadRequest request = new ReadRequest();
      request.reset(tableId, nowSeconds()).wantsStatic(true);
      drive(engine.read(request), sink);
    }
    return sink;
  }

  void drive(ReadCursor cursor, RowSink sink) {
    try (cursor) {
      ReadCursor.Status status = cursor.advance(sink);
      while (status == ReadCursor.Status.WAITING || status == ReadCursor.Status.YIELD) {
        if (status == ReadCursor.Status.WAITING) {
          Outcome ready = new Outcome();
          cursor.whenReady(ready::onDurable);
          Outcome done = await(ready);
          assert done == ready;
        }
        status = cursor.advance(sink);
      }
    }
  }
}
