package io.helenus.server.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.coordinator.ComputedResult;
import io.helenus.server.coordinator.ComputedWrite;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.coordinator.RunningWrite;
import io.helenus.server.error.CqlError;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TableSchemaBuilder;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.shard.Shard;
import io.helenus.server.shard.TokenSlices;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowView;
import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a shard, with writes and steps that append to a transcript what becomes of them.
 */
abstract class QueueFixture {
  static final int BASE = 200;
  static final long DEADLINE_NANOS = 1_000;

  private static final TableSchema TABLE =
      new TableSchemaBuilder("ks", "t", new UUID(0, 1), BASE, TableOptions.defaults())
          .partitionKey("p", ScalarType.BLOB)
          .clustering("c", ScalarType.BLOB, false)
          .build();

  static final Schema WITHOUT_VIEWS = schema(List.of(TABLE));
  static final Schema WITH_VIEW = schema(List.of(TABLE, view("v", 201)));
  static final Schema WITH_TWO_VIEWS = schema(List.of(TABLE, view("v", 201), view("v2", 202)));

  final List<String> transcript = new ArrayList<>();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final List<Throwable> halts = new ArrayList<>();
  final ScriptedEngine engine = new ScriptedEngine(transcript);
  long nanos;
  private long timestamp = 100;
  Schema schema = WITHOUT_VIEWS;

  private final Clock clock =
      new Clock() {
        @Override
        public long wallMicros() {
          return 0;
        }

        @Override
        public long nanos() {
          return nanos;
        }
      };

  private final Shard shard =
      new Shard(
          0,
          new Scheduler() {
            @Override
            public void execute(Runnable task) {
              tasks.add(task);
            }

            @Override
            public Timer schedule(Runnable task, long delayNanos) {
              assertEquals(0, delayNanos, "the queues need no timer");
              tasks.add(task);
              return () -> {};
            }
          },
          clock,
          halts::add);

  private final ShardMetrics metrics = new ShardMetrics(0, () -> 0, () -> 0);

  final PartitionQueues queues =
      new PartitionQueues(
          shard,
          new NoReplica(),
          engine,
          new PartitionQueues.Environment(
              clock,
              () -> ++timestamp,
              () -> schema,
              List.of(), // nothing is written to other shards
              List.of(metrics)));

  private static Schema schema(List<TableSchema> tables) {
    KeyspaceSchema keyspace = KeyspaceSchema.empty("ks", true, Replication.simple(1));
    for (TableSchema table : tables) {
      keyspace = keyspace.with(table);
    }
    return Schema.of(List.of(keyspace), new UUID(0, 9), 1);
  }

  private static TableSchema view(String name, int id) {
    TableSchemaBuilder view =
        new TableSchemaBuilder("ks", name, new UUID(0, id), id, TableOptions.defaults());
    for (String key : List.of("c", "p")) {
      ColumnSchema base = Objects.requireNonNull(TABLE.column(key));
      ColumnKind kind = key.equals("c") ? ColumnKind.PARTITION_KEY : ColumnKind.CLUSTERING;
      view.add(
          new ColumnSchema(key, base.type(), kind, 0, false, base.id(), false, null, List.of()));
    }
    return view.view(new ViewSchema("t", TABLE.id(), false, List.of(), null, List.of())).build();
  }

  private static final class NoReplica implements ReplicaAccess {
    @Override
    public RunningRead readRaw(
        Shard from,
        long firstToken,
        long lastToken,
        ReadRequest request,
        int limitBytes,
        ByteWriter into,
        ReadReply reply) {
      throw new UnsupportedOperationException("no test reads several replicas");
    }

    @Override
    public ReplicaMerge merge(Shard shard, ReadRequest request, int replicas) {
      throw new UnsupportedOperationException("no test reads several replicas");
    }

    @Override
    public RunningWrite write(
        Shard from, long token, MemorySegment mutation, int length, WriteReply reply) {
      throw new AssertionError("nothing is written to other partitions");
    }

    @Override
    public void compute(Shard from, long token, ComputedWrite write, ComputedReply reply) {
      throw new AssertionError("nothing is written to other partitions");
    }

    @Override
    public RunningRead read(
        Shard from,
        long firstToken,
        long lastToken,
        ReadRequest request,
        RowSink sink,
        ReadReply reply) {
      throw new AssertionError("nothing is read from other partitions");
    }

    @Override
    public void truncate(Shard from, int tableId, WriteReply reply) {
      throw new AssertionError("nothing is truncated");
    }

    @Override
    public TokenSlices slices() {
      return new TokenSlices(new ShardMap(1));
    }
  }

  private static ByteWriter prefix(int partition) {
    ByteWriter key = new ByteWriter(4).putInt(partition);
    ByteWriter prefix = new ByteWriter(16);
    KeyFormat.putPartition(partition, key.segment(), 0, key.size(), prefix);
    return prefix;
  }

  /** Appends the mutation that writes a row. */
  private static void putMutation(int partition, String row, ByteWriter out) {
    ByteWriter prefix = prefix(partition);
    ByteWriter suffix = new ByteWriter(4).putByte(KeyFormat.SECTION_ROWS);
    suffix.putByte(row.charAt(0)).putByte(KeyFormat.TAG_END);
    MutationWriter writer = new MutationWriter(out);
    writer.begin(partition, 0, prefix.segment(), 0, prefix.size()).beginTable(BASE);
    writer.beginRow(suffix.segment(), 0, suffix.size()).liveness(1).endRow();
    writer.endTable().finish();
  }

  /** A computed write of a row of partition 1; with an upper case letter it writes nothing. */
  private final class Computed implements ComputedWrite, ReplicaAccess.ComputedReply, RowSink {
    private final String row;
    private final boolean counts;
    private final ReadRequest request = new ReadRequest().reset(BASE, 0);

    Computed(String row, boolean counts) {
      this.row = row;
      this.counts = counts;
      ByteWriter prefix = prefix(1);
      request.partition(prefix.segment(), 0, prefix.size());
    }

    @Override
    public ReadRequest request() {
      return request;
    }

    @Override
    public boolean needsCounterShare() {
      return counts;
    }

    @Override
    public RowSink begin(@Nullable ShareId counterShare) {
      return this;
    }

    @Override
    public boolean compute(long timestampMicros, ByteWriter mutation) {
      transcript.add("compute " + row + " at " + timestampMicros);
      if (Character.isUpperCase(row.charAt(0))) {
        return false;
      }
      putMutation(1, row, mutation);
      return true;
    }

    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      return Next.CONTINUE;
    }

    @Override
    public Next staticRow(RowView staticRow) {
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView found) {
      return Next.CONTINUE;
    }

    @Override
    public void computed(ComputedResult result) {
      transcript.add(row + (result.wrote() ? " written" : " answered") + " of " + result.turn());
    }

    @Override
    public void notRead(Exception cause) {
      transcript.add(row + " not read: " + cause.getMessage());
    }

    @Override
    public void notWritten(Exception cause) {
      transcript.add(row + " not written: " + cause.getMessage());
    }

    @Override
    public void refused(CqlError error) {
      transcript.add(row + " refused: " + error.getClass().getSimpleName());
    }

    @Override
    public boolean isOverdue(long nowNanos) {
      return nowNanos >= DEADLINE_NANOS;
    }

    @Override
    public void timedOut() {
      transcript.add(row + " timed out");
    }
  }

  void compute(String... rows) {
    for (String row : rows) {
      Computed write = new Computed(row, false);
      new QueuedWrite(shard, shard, queues, write, write).run();
    }
  }

  void count(String row) {
    Computed write = new Computed(row, true);
    new QueuedWrite(shard, shard, queues, write, write).run();
  }

  /** A plain write of rows of a partition. */
  void write(int partition, String row) {
    ByteWriter mutation = new ByteWriter(64);
    putMutation(partition, row, mutation);
    new LocalWrite(
            shard,
            shard,
            queues,
            mutation.segment(),
            mutation.size(),
            new ReplicaAccess.WriteReply() {
              @Override
              public void written(long ignoredNanos) {
                transcript.add(row + " written");
              }

              @Override
              public void notWritten(Exception cause) {
                transcript.add(row + " not written: " + cause.getMessage());
              }
            })
        .start();
  }

  /** A step of partition 1 that ends when the test says so. */
  final class Step implements PartitionStep {
    private @Nullable Runnable turnEnd;
    private final boolean endsAtOnce;

    Step(boolean endsAtOnce) {
      this.endsAtOnce = endsAtOnce;
      queues.add(this, prefix(1));
    }

    @Override
    public void begin(Runnable whenOver) {
      transcript.add("step begins");
      turnEnd = whenOver;
      if (endsAtOnce) {
        end();
      }
    }

    void end() {
      transcript.add("step ends");
      Objects.requireNonNull(turnEnd).run();
    }

    @Override
    public void refused(CqlError error) {
      transcript.add("step refused: " + error.getClass().getSimpleName());
    }
  }

  /** Runs the loop until it is idle, then compares what has happened since the last time. */
  void expect(String... lines) {
    int ran = 0;
    while (!tasks.isEmpty() && ran++ < 1_000) {
      tasks.remove().run();
    }
    assertEquals(List.of(lines), transcript);
    assertTrue(tasks.isEmpty(), "the loop becomes idle");
    assertEquals(List.of(), halts);
    transcript.clear();
  }
}
