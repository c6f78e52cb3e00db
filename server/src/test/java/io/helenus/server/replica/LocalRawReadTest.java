package io.helenus.server.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ForwardingEngine;
import io.helenus.storage.engine.RawCursor;
import io.helenus.storage.engine.ReadCursor.Status;
import io.helenus.storage.engine.ReadLimits;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.ReplicaReads;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A raw read of the tokens of two shards, task by task, asked for on the first of them. */
class LocalRawReadTest {
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
  private final List<String> log = new ArrayList<>();
  private final Loop here = new Loop();
  private final Loop there = new Loop();
  private final Shard from = new Shard(0, here, clock, this::halted);
  private final Shard other = new Shard(1, there, clock, this::halted);
  private final Engine first = new Engine("first");
  private final Engine second = new Engine("second");
  private final ByteWriter into = new ByteWriter(64);
  private final ReadRequest request = new ReadRequest().reset(7, 0);

  private void halted(Throwable failure) {
    throw new AssertionError(failure);
  }

  /** An event loop whose tasks are run by the test. */
  private static final class Loop implements Scheduler {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
      tasks.add(task);
      return () -> {};
    }
  }

  /** An engine whose reply is given by the test, each part after a pause. */
  private final class Engine extends ForwardingEngine implements ReplicaReads {
    private final String name;
    private final ArrayDeque<String> parts = new ArrayDeque<>();
    private Status pause = Status.YIELD;
    private boolean isComplete = true;
    private boolean fails;
    private boolean isSlow;
    private int rows;
    private Runnable continuation = () -> {};

    Engine(String name) {
      super(new ScriptedEngine(log));
      this.name = name;
    }

    /** A reply of so many rows; its last part has its end. */
    void replies(int rowsRead, String... ofReply) {
      rows = rowsRead;
      parts.addAll(List.of(ofReply));
    }

    @Override
    public ReplicaReads replicaReads() {
      return this;
    }

    @Override
    public RawCursor read(ReadRequest asked, int limitBytes) {
      int limit = asked.limits().rows();
      String most = limit == ReadLimits.NONE ? "all rows" : limit + " rows";
      log.add("read " + name + ": " + most + ", " + limitBytes + " bytes");
      return new Cursor();
    }

    @Override
    public ReplicaMerge merge(ReadRequest merged, int replicas) {
      throw new AssertionError("nothing is merged here");
    }

    private final class Cursor implements RawCursor {
      @Override
      public Status advance(ByteWriter reply) {
        if (fails) {
          throw new IllegalStateException("damaged");
        }
        nanos += isSlow ? DEADLINE_NANOS : 0;
        reply.putBytes(parts.remove().getBytes(StandardCharsets.US_ASCII));
        return parts.isEmpty() ? Status.DONE : pause;
      }

      @Override
      public void whenReady(Runnable newContinuation) {
        log.add("wait for " + name);
        continuation = newContinuation;
      }

      @Override
      public boolean isComplete() {
        return isComplete;
      }

      @Override
      public int rowsRead() {
        return rows;
      }

      @Override
      public int tombstonesRead() {
        return 10 * rows;
      }

      @Override
      public void close() {
        log.add("close " + name);
      }
    }
  }

  private final class Reply implements ReplicaAccess.ReadReply {
    @Override
    public void read(boolean stopped, int rows, int tombstones, long tookNanos) {
      String bytes = new String(into.toArray(), StandardCharsets.US_ASCII);
      log.add("reply " + bytes + ", rows " + rows + ", tombstones " + tombstones);
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
    }

    @Override
    public void released() {
      log.add("released");
    }
  }

  private void start(int firstShard, int lastShard, int limitBytes) {
    LocalRawRead read =
        new LocalRawRead(
            from,
            List.of(from, other),
            List.of(first, second),
            firstShard,
            lastShard,
            request,
            limitBytes,
            into,
            new Reply());
    from.execute(read::start);
    run();
  }

  /** Runs all tasks; says of which loop the tasks are that do something. */
  private void run() {
    while (!here.tasks.isEmpty() || !there.tasks.isEmpty()) {
      Loop loop = here.tasks.isEmpty() ? there : here;
      int before = log.size();
      loop.tasks.remove().run();
      if (log.size() > before) {
        log.add(before, loop == here ? "-- here" : "-- there");
      }
    }
  }

  private void logged(String... expected) {
    assertEquals(String.join("\n", expected), String.join("\n", log));
  }

  /** Of a reply the first byte is its version, and the last two are its end. */
  @Test
  void theRepliesOfTwoShardsAreOne() {
    first.replies(2, "vaa.z");
    second.replies(1, "vbb.z");
    start(0, 1, 100);
    logged(
        "-- here",
        "read first: all rows, 100 bytes",
        "close first",
        "-- there",
        "read second: all rows, 97 bytes",
        "close second",
        "-- here",
        "reply vaabb.z, rows 3, tombstones 30");
  }

  @Test
  void eachShardPausesOnItsOwnThread() {
    first.replies(1, "va", "a.z");
    second.replies(1, "vb", "b.z");
    second.pause = Status.WAITING;
    start(0, 1, 100);
    log.add("-- loaded");
    second.continuation.run();
    run();
    logged(
        "-- here",
        "read first: all rows, 100 bytes",
        "-- here",
        "close first",
        "-- there",
        "read second: all rows, 97 bytes",
        "wait for second",
        "-- loaded",
        "close second",
        "-- here",
        "reply vaabb.z, rows 2, tombstones 20");
  }

  @Test
  void theSecondShardIsAskedForTheRowsAndBytesThatAreLeft() {
    request.rowLimits(5, ReadLimits.NONE, false);
    first.replies(3, "vaaaaaaa.z");
    second.replies(2, "vb.z");
    start(0, 1, 6);
    logged(
        "-- here",
        "read first: 5 rows, 6 bytes",
        "close first",
        "-- there",
        "read second: 2 rows, 0 bytes",
        "close second",
        "-- here",
        "reply vaaaaaaab.z, rows 5, tombstones 50");
  }

  @Test
  void whereAReplyEndsEarlyNoFurtherShardIsRead() {
    first.replies(2, "vaa.e");
    first.isComplete = false;
    start(0, 1, 3);
    logged(
        "-- here",
        "read first: all rows, 3 bytes",
        "close first",
        "reply vaa.e, rows 2, tombstones 20");
  }

  @Test
  void onlyTheOtherShardIsReadIfItHasAllTokens() {
    second.replies(1, "vb.z");
    start(1, 1, 100);
    logged(
        "-- there",
        "read second: all rows, 100 bytes",
        "close second",
        "-- here",
        "reply vb.z, rows 1, tombstones 10");
  }

  @Test
  void aShardThatCannotReadEndsTheRead() {
    first.replies(1, "va.z");
    second.fails = true;
    start(0, 1, 100);
    logged(
        "-- here",
        "read first: all rows, 100 bytes",
        "close first",
        "-- there",
        "read second: all rows, 98 bytes",
        "close second",
        "-- here",
        "failed: damaged",
        "released");
  }

  @Test
  void afterTheDeadlineTheOtherShardIsNotRead() {
    first.replies(1, "va.z");
    first.isSlow = true;
    start(0, 1, 100);
    logged(
        "-- here",
        "read first: all rows, 100 bytes",
        "close first",
        "-- here",
        "timed out",
        "released");
  }

  @Test
  void aPauseBeyondTheDeadlineClosesTheCursor() {
    first.replies(1, "va", "a.z");
    first.isSlow = true;
    start(0, 1, 100);
    logged(
        "-- here",
        "read first: all rows, 100 bytes",
        "-- here",
        "close first",
        "timed out",
        "released");
  }
}
