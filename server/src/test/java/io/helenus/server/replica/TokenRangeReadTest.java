package io.helenus.server.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.shard.Shard;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A range of tokens of the shards 1 to 3: which shards are read, and what the reply says. */
class TokenRangeReadTest {
  private static final long DEADLINE_NANOS = 1_000;

  private long nanos;
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
          throw new AssertionError("it runs on the thread of the replies");
        }

        @Override
        public Timer schedule(Runnable task, long delayNanos) {
          throw new AssertionError("it needs no timer");
        }
      };
  private final List<String> log = new ArrayList<>();
  private final List<ReplicaAccess.ReadReply> asked = new ArrayList<>();
  private boolean answersAtOnce;
  private TokenRangeRead read = newRead();

  private TokenRangeRead newRead() {
    Shard from =
        new Shard(
            0,
            loop,
            clock,
            failure -> {
              throw new AssertionError(failure);
            });
    return new TokenRangeRead(from, 1, 3, this::readShard, new Reply());
  }

  private RunningRead readShard(int shard, ReplicaAccess.ReadReply reply) {
    log.add("read shard " + shard);
    asked.add(reply);
    if (answersAtOnce) {
      reply.read(false, 1, 2, -1);
    }
    return () -> log.add("cancel shard " + shard);
  }

  private final class Reply implements ReplicaAccess.ReadReply {
    @Override
    public void read(boolean stopped, int rows, int tombstones, long tookNanos) {
      log.add(
          (stopped ? "stopped" : "done")
              + ", rows "
              + rows
              + ", tombstones "
              + tombstones
              + ", nanos "
              + tookNanos);
    }

    @Override
    public void notRead(Exception cause) {
      log.add("failed: " + cause.getMessage());
    }

    @Override
    public boolean isOverdue(long nowNanos) {
      return nowNanos >= DEADLINE_NANOS;
    }

    @Override
    public void timedOut() {
      log.add("timed out");
      // as the coordinator does
      read.cancel();
    }

    @Override
    public void released() {
      log.add("released");
    }
  }

  private void logged(String... expected) {
    assertEquals(List.of(expected), log);
  }

  @BeforeEach
  void start() {
    read.start();
  }

  @Test
  void theCountsOfAllShardsAreAdded() {
    asked.get(0).read(false, 3, 1, 10);
    asked.get(1).read(false, 0, 0, 20);
    asked.get(2).read(false, 4, 5, 30);
    logged("read shard 1", "read shard 2", "read shard 3", "done, rows 7, tombstones 6, nanos 60");
  }

  @Test
  void noFurtherShardIsReadWhenTheSinkStops() {
    asked.get(0).read(false, 3, 1, 10);
    asked.get(1).read(true, 2, 0, 10);
    logged("read shard 1", "read shard 2", "stopped, rows 5, tombstones 1, nanos 20");
  }

  @Test
  void theShardOfTheRequestIsMeasuredHere() {
    nanos = 5;
    asked.get(0).read(false, 0, 0, -1);
    nanos = 12;
    asked.get(1).read(true, 0, 0, -1);
    logged("read shard 1", "read shard 2", "stopped, rows 0, tombstones 0, nanos 12");
  }

  @Test
  void shardsMayAnswerDuringTheCall() {
    log.clear();
    answersAtOnce = true;
    read = newRead();
    read.start();
    logged("read shard 1", "read shard 2", "read shard 3", "done, rows 3, tombstones 6, nanos 0");
    read.cancel();
    assertEquals(4, log.size(), "it has ended");
  }

  @Test
  void aCancellationReachesTheShardThatReads() {
    asked.get(0).read(false, 3, 1, 10);
    read.cancel();
    read.cancel();
    asked.get(1).released();
    logged("read shard 1", "read shard 2", "cancel shard 2", "released");
  }

  @Test
  void aShardThatRepliesAfterTheCancellationIsTheLast() {
    read.cancel();
    asked.get(0).read(false, 3, 1, 10);
    logged("read shard 1", "cancel shard 1", "released");
  }

  @Test
  void afterTheDeadlineNoFurtherShardIsRead() {
    nanos = DEADLINE_NANOS;
    asked.get(0).read(false, 3, 1, 10);
    logged("read shard 1", "timed out", "released");
  }

  @Test
  void aShardChecksTheDeadlineToo() {
    assertTrue(asked.get(0).isOverdue(DEADLINE_NANOS));
    asked.get(0).timedOut();
    asked.get(0).released();
    logged("read shard 1", "timed out", "released");
  }

  @Test
  void aShardThatCannotReadEndsTheRead() {
    asked.get(0).read(false, 3, 1, 10);
    asked.get(1).notRead(new IllegalStateException("damaged"));
    asked.get(1).released();
    read.cancel();
    logged("read shard 1", "read shard 2", "failed: damaged", "released");
  }
}
