package io.helenus.server.coordinator;

import io.helenus.server.error.CqlError;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.schema.KeyspaceProperties;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import io.helenus.server.shard.Shard;
import io.helenus.server.shard.TokenSlices;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator of writes without a node: its clock stands until a deadline is passed, this node's
 * replica replies when the test says so, and what the client is told is noted.
 */
final class WriteFixture {
  static final long TIMEOUT_NANOS = 2_000_000_000L;
  private static final KeyspaceProperties KEYSPACE =
      KeyspaceSchema.empty("ks", true, Replication.simple(1)).properties();

  private long nanos;
  private @Nullable Runnable timer;
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
  private final Scheduler loop =
      new Scheduler() {
        @Override
        public void execute(Runnable task) {
          // the end of a tick, which nothing here waits for
        }

        @Override
        public Timer schedule(Runnable task, long delayNanos) {
          timer = task;
          return () -> timer = null;
        }
      };
  final SilentReplica replica = new SilentReplica();
  private final Shard shard =
      new Shard(
          0,
          loop,
          clock,
          failure -> {
            throw new AssertionError("the node halted", failure);
          });
  final Coordinator coordinator;
  final Answers answers = new Answers();

  WriteFixture(Placement placement, RemoteReplicas others) {
    coordinator =
        new Coordinator(
            shard,
            ignored -> placement,
            replica,
            others,
            new NoBatchLog(),
            () -> 1,
            ignored -> true,
            (tableId, answerOn, callback) -> {
              throw new AssertionError("there are no other nodes");
            },
            clock,
            new Timeouts(
                TIMEOUT_NANOS,
                TIMEOUT_NANOS,
                TIMEOUT_NANOS,
                TIMEOUT_NANOS,
                TIMEOUT_NANOS,
                TIMEOUT_NANOS),
            new ShardMetrics(0, () -> 0, () -> 0),
            new LargeSegments());
  }

  /** A replica that replies when the test says so. */
  static final class SilentReplica implements ReplicaAccess {
    private @Nullable WriteReply reply;
    boolean isReading;
    int withdrawals;

    WriteReply reply() {
      return Objects.requireNonNull(reply);
    }

    @Override
    public RunningWrite write(
        Shard from, long token, MemorySegment mutation, int length, WriteReply toReply) {
      reply = toReply;
      return () -> {
        withdrawals++;
        return !isReading;
      };
    }

    @Override
    public void compute(Shard from, long token, ComputedWrite write, ComputedReply toReply) {
      throw new UnsupportedOperationException("no test computes");
    }

    @Override
    public RunningRead read(
        Shard from,
        long firstToken,
        long lastToken,
        ReadRequest request,
        RowSink sink,
        ReadReply toReply) {
      throw new UnsupportedOperationException("no test reads");
    }

    @Override
    public void truncate(Shard from, int tableId, WriteReply toReply) {
      throw new UnsupportedOperationException("no test truncates");
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
      throw new UnsupportedOperationException("no test reads");
    }

    @Override
    public ReplicaMerge merge(Shard shard, ReadRequest request, int replicas) {
      throw new UnsupportedOperationException("no test reads");
    }

    @Override
    public TokenSlices slices() {
      return new TokenSlices(new ShardMap(1));
    }
  }

  private static final class NoBatchLog implements BatchLogKeeper {
    @Override
    public BatchId newId(long token) {
      throw new UnsupportedOperationException("no test writes a batch");
    }

    @Override
    public void store(BatchId id, MemorySegment entry, int length, ReplicaAccess.WriteReply reply) {
      throw new UnsupportedOperationException("no test writes a batch");
    }

    @Override
    public void remove(BatchId id, ReplicaAccess.WriteReply reply) {
      throw new UnsupportedOperationException("no test writes a batch");
    }
  }

  /** What the client is told. */
  static final class Answers implements WriteCallback {
    final List<String> calls = new ArrayList<>();
    final List<String> reasons = new ArrayList<>();
    @Nullable RequestTrace trace;

    @Override
    public @Nullable RequestTrace trace() {
      return trace;
    }

    @Override
    public void written() {
      calls.add("written");
    }

    @Override
    public void writtenLate() {
      calls.add("written late");
    }

    @Override
    public void failed(CqlError error) {
      if (error instanceof CqlError.WriteFailure failure) {
        failure.failures().forEach(each -> reasons.add(text(each)));
      }
      calls.add(
          switch (error) {
            case CqlError.WriteTimeout timeout ->
                "timeout, " + timeout.received() + " of " + timeout.blockFor();
            case CqlError.WriteFailure failure ->
                "failure, "
                    + failure.received()
                    + " of "
                    + failure.blockFor()
                    + ", failed "
                    + failure.failures().size();
            default -> error.message();
          });
    }
  }

  private static String text(CqlError.FailureReason reason) {
    try {
      return InetAddress.getByAddress(reason.address()) + " " + reason.reasonCode();
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  /** Starts a write; returns its buffer. */
  ByteWriter write(ConsistencyLevel level) {
    ByteWriter buffer = coordinator.takeBuffer();
    ByteWriter key = new ByteWriter(64);
    KeyFormat.putPartition(7, new ByteWriter(4).putInt(1).segment(), 0, 4, key);
    MutationWriter writer = new MutationWriter(buffer);
    writer.begin(7, 0, key.segment(), 0, key.size()).beginTable(101);
    writer.partitionDeletion(1, 1).endTable().finish();
    coordinator.write(KEYSPACE, 7, level, WriteType.SIMPLE, buffer, answers);
    return buffer;
  }

  void passDeadline() {
    nanos += TIMEOUT_NANOS;
    Runnable due = Objects.requireNonNull(timer);
    timer = null;
    due.run();
  }
}
