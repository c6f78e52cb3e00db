package io.helenus.server.replica;

import io.helenus.server.coordinator.BatchLogEntries;
import io.helenus.server.coordinator.ComputedWrite;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.coordinator.RunningWrite;
import io.helenus.server.coordinator.VirtualTables;
import io.helenus.server.metrics.HotPartitions;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.schema.Schema;
import io.helenus.server.shard.Shard;
import io.helenus.server.shard.TokenSlices;
import io.helenus.server.view.ViewedTables;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.env.Clock;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The replica on this node, which knows the shards of the tokens. A request for the shard that it
 * arrived on is processed on the same thread; for another shard, one object serves as the message
 * there and back. Used on every shard's thread.
 */
public final class LocalReplica implements ReplicaAccess {
  private final List<Shard> shards;
  private final Storage storage;
  private final List<StorageEngine> readEngines;
  private final List<StorageEngine> writeEngines;
  private volatile List<StorageEngine> engines;
  private final ShardMap map;
  private final TokenSlices slices;
  private final PartitionQueues.Environment environment;
  private final List<PartitionQueues> queues;
  private final List<ShardReplica> parts;
  private final VirtualTables virtualTables;

  /**
   * Creates the replica on a storage with one engine per shard.
   *
   * @param timestamps the timestamps of computed writes, strictly increasing; any thread
   * @param schema the present schema, which says which tables have views; any thread
   * @param batchLogs the entries in the batch log of each shard; while there may be any, a
   *     truncation is recorded durably so that their replay does not undo it
   * @param metrics the metrics of each shard
   */
  public LocalReplica(
      List<Shard> shards,
      Storage storage,
      ShardMap map,
      Clock clock,
      LongSupplier timestamps,
      Supplier<Schema> schema,
      List<BatchLogEntries> batchLogs,
      List<ShardMetrics> metrics,
      VirtualTables virtualTables) {
    this.shards = List.copyOf(shards);
    this.storage = storage;
    this.readEngines = countedReads(this.shards, storage.engines(), metrics);
    this.writeEngines = countedWrites(this.shards, storage.engines(), metrics);
    this.engines = readEngines;
    this.map = map;
    this.slices = new TokenSlices(map);
    environment =
        new PartitionQueues.Environment(
            clock, timestamps, schema, List.copyOf(batchLogs), List.copyOf(metrics));
    List<PartitionQueues> made = new ArrayList<>(engines.size());
    for (int i = 0; i < engines.size(); i++) {
      made.add(new PartitionQueues(this.shards.get(i), this, writeEngines.get(i), environment));
    }
    this.queues = List.copyOf(made);
    this.parts =
        made.stream().<ShardReplica>map(each -> new LocalShardReplica(this, each)).toList();
    this.virtualTables = virtualTables;
  }

  /** The engines, by which nothing is counted if that is off. */
  private static List<StorageEngine> countedReads(
      List<Shard> shards, List<? extends StorageEngine> engines, List<ShardMetrics> metrics) {
    List<StorageEngine> counted = new ArrayList<>();
    for (int i = 0; i < engines.size(); i++) {
      HotPartitions hot = metrics.get(i).hotPartitions();
      StorageEngine engine = engines.get(i);
      counted.add(hot == null ? engine : new CountedReads(engine, shards.get(i), hot));
    }
    return List.copyOf(counted);
  }

  private static List<StorageEngine> countedWrites(
      List<Shard> shards, List<? extends StorageEngine> engines, List<ShardMetrics> metrics) {
    List<StorageEngine> counted = new ArrayList<>();
    for (int i = 0; i < engines.size(); i++) {
      HotPartitions hot = metrics.get(i).hotPartitions();
      StorageEngine engine = engines.get(i);
      counted.add(hot == null ? engine : new CountedWrites(engine, shards.get(i), hot));
    }
    return List.copyOf(counted);
  }

  /**
   * Counts the requests of each shard with a sampler of its own, from now on. Any thread; one
   * caller at a time.
   */
  public void sample(List<PartitionSampler> samplers) {
    List<StorageEngine> sampledReads = new ArrayList<>();
    List<StorageEngine> sampledWrites = new ArrayList<>();
    for (int i = 0; i < samplers.size(); i++) {
      sampledReads.add(new SampledEngine(readEngines.get(i), samplers.get(i)));
      sampledWrites.add(new SampledEngine(writeEngines.get(i), samplers.get(i)));
    }
    use(sampledReads, sampledWrites);
  }

  /** Ends the sampling. A shard may use its sampler until a task that follows has run there. */
  public void endSampling() {
    use(readEngines, writeEngines);
  }

  private void use(List<StorageEngine> forReads, List<StorageEngine> forWrites) {
    engines = List.copyOf(forReads);
    for (int i = 0; i < forWrites.size(); i++) {
      PartitionQueues ofShard = queues.get(i);
      StorageEngine engine = forWrites.get(i);
      shards.get(i).execute(() -> ofShard.engine(engine));
    }
  }

  @Override
  public TokenSlices slices() {
    return slices;
  }

  @Override
  public RunningWrite write(
      Shard from, long token, MemorySegment mutation, int length, WriteReply reply) {
    int shard = map.shardOf(token);
    Shard target = shards.get(shard);
    LocalWrite write = new LocalWrite(from, target, queues.get(shard), mutation, length, reply);
    if (target == from) {
      write.start();
    } else {
      from.send(target, write);
    }
    return write;
  }

  @Override
  public void compute(Shard from, long token, ComputedWrite write, ComputedReply reply) {
    int shard = map.shardOf(token);
    Shard target = shards.get(shard);
    QueuedWrite queued = new QueuedWrite(from, target, queues.get(shard), write, reply);
    if (target == from) {
      queued.run();
    } else {
      from.send(target, queued);
    }
  }

  /** The part of each shard, by its index. Any thread. */
  public List<ShardReplica> parts() {
    return parts;
  }

  /** The part of the shard that has a token. Any thread. */
  public ShardReplica partOf(long token) {
    return parts.get(map.shardOf(token));
  }

  @Override
  public RunningRead read(
      Shard from,
      long firstToken,
      long lastToken,
      ReadRequest request,
      RowSink sink,
      ReadReply reply) {
    if (request.tableId() < 0) {
      readVirtual(from, request, sink, reply);
      return RunningRead.ENDED;
    }
    int first = map.shardOf(firstToken);
    int last = firstToken == lastToken ? first : map.shardOf(lastToken);
    if (first == last) {
      return read(from, first, request, sink, reply);
    }
    TokenRangeRead range =
        new TokenRangeRead(
            from,
            first,
            last,
            (shard, ofShard) -> read(from, shard, request, sink, ofShard),
            reply);
    range.start();
    return range;
  }

  private RunningRead read(
      Shard from, int shard, ReadRequest request, RowSink sink, ReadReply reply) {
    Shard target = shards.get(shard);
    LocalRead read = new LocalRead(from, target, engines.get(shard), request, sink, reply);
    if (target == from) {
      read.run();
    } else {
      from.send(target, read);
    }
    return read;
  }

  @Override
  public RunningRead readRaw(
      Shard from,
      long firstToken,
      long lastToken,
      ReadRequest request,
      int limitBytes,
      ByteWriter into,
      ReadReply reply) {
    if (ReplicaAccess.isTooOld(request, environment.clock())) {
      reply.notRead(
          new IllegalArgumentException(
              "a read as of more than "
                  + OLDEST_NOW_SECONDS
                  + " s ago: replicas may have dropped different expired values"));
      reply.released();
      return RunningRead.ENDED;
    }
    LocalRawRead read =
        new LocalRawRead(
            from,
            shards,
            engines,
            map.shardOf(firstToken),
            map.shardOf(lastToken),
            request,
            limitBytes,
            into,
            reply);
    read.start();
    return read;
  }

  @Override
  public ReplicaMerge merge(Shard shard, ReadRequest request, int replicas) {
    return engines.get(shard.index()).replicaReads().merge(request, replicas);
  }

  /** Truncates the table's views with it; meanwhile no write changes views. */
  @Override
  public void truncate(Shard from, int tableId, WriteReply reply) {
    List<Integer> views = new ViewedTables(environment.schema().get()).viewIds(tableId);
    if (views.isEmpty()) {
      truncate(from, List.of(tableId), reply);
      return;
    }
    List<Integer> together = new ArrayList<>(views);
    together.add(tableId);
    pause(from, () -> truncate(from, together, new ResumingReply(from, reply)));
  }

  private void truncate(Shard from, List<Integer> tableIds, WriteReply reply) {
    storage.truncate(
        tableIds,
        environment.batchLogs().stream().anyMatch(BatchLogEntries::mayHoldEntries),
        failure ->
            from.execute(
                () -> {
                  if (failure == null) {
                    reply.written(0);
                  } else {
                    reply.notWritten(failure);
                  }
                }));
  }

  /** Pauses the queues of all shards. */
  private void pause(Shard from, Runnable whenPaused) {
    int[] left = {shards.size()};
    Runnable paused =
        () -> {
          if (--left[0] == 0) {
            whenPaused.run();
          }
        };
    for (int i = 0; i < queues.size(); i++) {
      PartitionQueues ofShard = queues.get(i);
      Shard shard = shards.get(i);
      from.send(shard, () -> ofShard.pause(() -> shard.send(from, paused)));
    }
  }

  /** Resumes the queues of all shards before it passes on the outcome. */
  private final class ResumingReply implements WriteReply {
    private final Shard from;
    private final WriteReply reply;

    ResumingReply(Shard from, WriteReply reply) {
      this.from = from;
      this.reply = reply;
    }

    private void resume() {
      for (int i = 0; i < queues.size(); i++) {
        from.send(shards.get(i), queues.get(i)::resume);
      }
    }

    @Override
    public void written(long nanos) {
      resume();
      reply.written(nanos);
    }

    @Override
    public void notWritten(Exception cause) {
      resume();
      reply.notWritten(cause);
    }
  }

  private void readVirtual(Shard from, ReadRequest request, RowSink sink, ReadReply reply) {
    try {
      virtualTables.read(from, request, sink, reply);
    } catch (Throwable e) {
      reply.notRead(from.fatal().contain(e));
    }
  }
}
