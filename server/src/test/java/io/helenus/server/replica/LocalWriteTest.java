package io.helenus.server.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.schema.Schema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.CacheStatistics;
import io.helenus.storage.engine.CommitLogStatistics;
import io.helenus.storage.engine.Draft;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the mutation of a write is free after its deadline, on the same shard and on another. */
class LocalWriteTest {
  private static final int LENGTH = 8;

  private final Loop here = new Loop();
  private final Loop there = new Loop();
  private final Clock clock =
      new Clock() {
        @Override
        public long wallMicros() {
          return 0;
        }

        @Override
        public long nanos() {
          return 0;
        }
      };
  private final List<Throwable> halts = new ArrayList<>();
  private final Shard from = new Shard(0, here, clock, halts::add);
  private final Shard remote = new Shard(1, there, clock, halts::add);
  private final Engine engine = new Engine();
  private final Reply reply = new Reply();
  private final ByteWriter mutation = new ByteWriter(LENGTH).putLong(1);

  private static final class Loop implements Scheduler {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
      throw new AssertionError("a write needs no timer");
    }

    void turn() {
      for (int left = tasks.size(); left > 0; left--) {
        tasks.remove().run();
      }
    }
  }

  /** An engine that keeps what it was given, and tells nobody that it is durable. */
  private static final class Engine implements StorageEngine {
    private final List<Long> applied = new ArrayList<>();
    private @Nullable WriteListener listener;

    @Override
    public void apply(MemorySegment bytes, long offset, int length, WriteListener toTell) {
      applied.add(Bytes.getLong(bytes, offset));
      listener = toTell;
    }

    @Override
    public ReadCursor read(ReadRequest request) {
      throw new UnsupportedOperationException("no test reads");
    }

    @Override
    public Draft draft(int tableId) {
      throw new UnsupportedOperationException("no test has views");
    }

    @Override
    public @Nullable ShareId counterShare() {
      return null;
    }

    @Override
    public void claimCounterShare(Consumer<? super Exception> whenDone) {
      throw new UnsupportedOperationException("no test counts");
    }

    @Override
    public void endTick() {}

    @Override
    public CacheStatistics cacheStatistics() {
      return new CacheStatistics(0, 0, 0, 0, 0);
    }

    @Override
    public CommitLogStatistics commitLogStatistics() {
      return new CommitLogStatistics(0, 0, 0);
    }

    @Override
    public boolean tickPending() {
      return false;
    }
  }

  private static final class Reply implements ReplicaAccess.WriteReply {
    private final List<String> calls = new ArrayList<>();

    @Override
    public void written(long nanos) {
      calls.add("written");
    }

    @Override
    public void notWritten(Exception cause) {
      calls.add("not written: " + cause.getMessage());
    }

    @Override
    public void released() {
      calls.add("released");
    }
  }

  private LocalWrite write(Shard target) {
    return new LocalWrite(from, target, queues(target), mutation.segment(), LENGTH, reply);
  }

  private PartitionQueues queues(Shard target) {
    Schema schema = Schema.of(List.of(), new UUID(0, 0), 1);
    ReplicaAccess unused =
        (ReplicaAccess)
            Proxy.newProxyInstance(
                ReplicaAccess.class.getClassLoader(),
                new Class<?>[] {ReplicaAccess.class},
                (proxy, method, arguments) -> {
                  throw new AssertionError("a plain write is not passed on");
                });
    return new PartitionQueues(
        target,
        unused,
        engine,
        new PartitionQueues.Environment(
            clock,
            () -> 1,
            () -> schema,
            List.of(), // a plain write is not logged as a batch
            List.of())); // and measured by its coordinator
  }

  private void turns() {
    for (int i = 0; i < 3; i++) {
      there.turn();
      here.turn();
    }
  }

  private void reuse() {
    mutation.clear().putLong(-1);
  }

  @BeforeEach
  void expectNoHalt() {
    assertEquals(List.of(), halts);
  }

  @Test
  void onTheSameShardTheBytesAreFreeAtOnce() {
    LocalWrite write = write(from);
    write.start();
    assertTrue(write.withdraw());
    reuse();
    assertEquals(List.of(1L), engine.applied);
    write.onDurable();
    assertEquals(List.of("written"), reply.calls);
  }

  @Test
  void aMessageThatHasNotArrivedIsWithdrawn() {
    LocalWrite write = write(remote);
    from.send(remote, write);
    assertTrue(write.withdraw());
    reuse();
    turns();
    assertEquals(List.of(), engine.applied);
    assertEquals(
        List.of("not written: the write had not begun when its deadline had passed"), reply.calls);
  }

  @Test
  void whatTheOtherShardHasCopiedIsFree() {
    LocalWrite write = write(remote);
    from.send(remote, write);
    turns();
    assertTrue(write.withdraw());
    reuse();
    assertEquals(List.of(1L), engine.applied);
    write.onDurable();
    turns();
    assertEquals(List.of("written"), reply.calls);
  }

  @Test
  void aWriteThatWaitsInAQueueOfTheOtherShardIsReleasedByIt() {
    LocalWrite write = write(remote);
    write.beginReading();
    assertFalse(write.withdraw());
    assertEquals(List.of(), reply.calls);
    turns();
    assertEquals(List.of("released"), reply.calls);
    assertFalse(write.begin());
    turns();
    assertEquals(
        List.of("released", "not written: the write had not begun when its deadline had passed"),
        reply.calls);
  }

  @Test
  void aReplyThatCrossesTheWithdrawalReleasesToo() {
    LocalWrite write = write(remote);
    write.beginReading();
    assertTrue(write.begin());
    write.durable(1);
    assertFalse(write.withdraw());
    turns();
    assertEquals(List.of("written"), reply.calls);
  }

  @Test
  void aWithdrawnWriteDoesNotBeginATurn() {
    LocalWrite write = write(from);
    assertTrue(write.begin());
    assertTrue(write.withdraw());
    assertFalse(write.begin(), "the turn is repeated");
    assertEquals(
        List.of("not written: the write had not begun when its deadline had passed"), reply.calls);
  }
}
