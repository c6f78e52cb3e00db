package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.helenus.server.cluster.Members;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who has the memory of a mutation, and what remains of a write whose reply never comes. */
class CoordinatedWriteTest {
  private static final long TIMEOUT_NANOS = 2_000_000_000L;
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
  private final SilentReplica replica = new SilentReplica();
  private final Shard shard =
      new Shard(
          0,
          loop,
          clock,
          failure -> {
            throw new AssertionError("the node halted", failure);
          });
  private final Coordinator coordinator =
      new Coordinator(
          shard,
          ignored -> new OneReplica(),
          replica,
          RemoteReplicas.NONE,
          new NoBatchLog(),
          () -> 1,
          ignored -> true,
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
  private final Answers answers = new Answers();

  /** A replica that replies when the test says so. */
  private static final class SilentReplica implements ReplicaAccess {
    private @Nullable WriteReply reply;
    private boolean isReading;
    private int withdrawals;

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

  private static final class OneReplica implements Placement {
    private static final ReplicaSet LOCAL_ONLY =
        new ReplicaSet(List.of(new Members(new UUID(0, 1)).local()), 1);

    @Override
    public int required(ConsistencyLevel level) {
      return 1;
    }

    @Override
    public ReplicaSet replicas(long token) {
      return LOCAL_ONLY;
    }

    @Override
    public ReplicaSet everywhere() {
      return LOCAL_ONLY;
    }

    @Override
    public long lastWithSameReplicas(long token) {
      return Long.MAX_VALUE;
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

  private static final class Answers implements WriteCallback {
    private final List<String> calls = new ArrayList<>();

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

  /** Starts a write; returns its buffer. */
  private ByteWriter write() {
    ByteWriter buffer = coordinator.takeBuffer();
    ByteWriter key = new ByteWriter(64);
    KeyFormat.putPartition(7, new ByteWriter(4).putInt(1).segment(), 0, 4, key);
    MutationWriter writer = new MutationWriter(buffer);
    writer.begin(7, 0, key.segment(), 0, key.size()).beginTable(101);
    writer.partitionDeletion(1, 1).endTable().finish();
    coordinator.write(KEYSPACE, 7, ConsistencyLevel.ONE, WriteType.SIMPLE, buffer, answers);
    return buffer;
  }

  private void passDeadline() {
    nanos += TIMEOUT_NANOS;
    Runnable due = Objects.requireNonNull(timer);
    timer = null;
    due.run();
  }

  /** The pool hands out what it has, and then new buffers. */
  private void assertPooledOnce(ByteWriter buffer) {
    assertSame(buffer, coordinator.takeBuffer());
    assertNotSame(buffer, coordinator.takeBuffer());
  }

  @Test
  void aReplyFreesTheMutation() {
    ByteWriter buffer = write();
    assertEquals(1, coordinator.running().size());
    replica.reply().written(0);
    assertEquals(List.of("written"), answers.calls);
    assertEquals(List.of(), coordinator.running());
    assertPooledOnce(buffer);
    assertEquals(0, replica.withdrawals);
  }

  @Test
  void aFailureFreesTheMutation() {
    ByteWriter buffer = write();
    replica.reply().notWritten(new IllegalStateException("damaged"));
    assertEquals(List.of("failure, 0 of 1, failed 1"), answers.calls);
    assertEquals(List.of(), coordinator.running());
    assertPooledOnce(buffer);
  }

  @Test
  void aReplyThatNeverComesLeavesNothing() {
    ByteWriter buffer = write();
    passDeadline();
    assertEquals(List.of("timeout, 0 of 1"), answers.calls);
    assertEquals(List.of(), coordinator.running());
    assertEquals(1, replica.withdrawals);
    assertPooledOnce(buffer);
  }

  @Test
  void aLateReplyIsHarmless() {
    ByteWriter buffer = write();
    passDeadline();
    replica.reply().written(0);
    replica.reply().written(0);
    assertEquals(List.of("timeout, 0 of 1", "written late"), answers.calls);
    assertPooledOnce(buffer);
  }

  @Test
  void aLateFailureIsHarmless() {
    ByteWriter buffer = write();
    passDeadline();
    replica.reply().notWritten(new IllegalStateException("damaged"));
    assertEquals(List.of("timeout, 0 of 1"), answers.calls);
    assertPooledOnce(buffer);
  }

  @Test
  void aMutationThatIsBeingReadIsNotHandedOut() {
    replica.isReading = true;
    ByteWriter buffer = write();
    passDeadline();
    assertEquals(List.of("timeout, 0 of 1"), answers.calls);
    assertEquals(List.of(), coordinator.running());
    assertNotSame(buffer, coordinator.takeBuffer());
    replica.reply().released();
    assertPooledOnce(buffer);
  }

  @Test
  void aReplyFreesAMutationThatWasBeingReadAtTheDeadline() {
    replica.isReading = true;
    ByteWriter buffer = write();
    passDeadline();
    assertNotSame(buffer, coordinator.takeBuffer());
    replica.reply().written(0);
    assertEquals(List.of("timeout, 0 of 1", "written late"), answers.calls);
    assertPooledOnce(buffer);
  }

  @Test
  void manyLostRepliesNeedOneBuffer() {
    ByteWriter buffer = write();
    passDeadline();
    for (int i = 0; i < 100; i++) {
      assertSame(buffer, write());
      passDeadline();
    }
    assertEquals(List.of(), coordinator.running());
  }
}
