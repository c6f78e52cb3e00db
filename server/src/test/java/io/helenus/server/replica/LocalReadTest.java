package io.helenus.server.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.CacheStatistics;
import io.helenus.storage.engine.CommitLogStatistics;
import io.helenus.storage.engine.Draft;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.row.RowView;
import io.helenus.storage.row.ShareId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends of reads, task by task, on the coordinating shard and on another one. */
class LocalReadTest {
  private static final long DEADLINE_NANOS = 1_000;

  private long nanos;
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
          return nanos;
        }
      };
  private final List<Throwable> halts = new ArrayList<>();
  private final Shard from = new Shard(0, here, clock, halts::add);
  private final Shard remote = new Shard(1, there, clock, halts::add);
  private final Engine engine = new Engine();
  private final Reply reply = new Reply();

  /** An event loop whose tasks are run by the test. */
  private static final class Loop implements Scheduler {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private int scheduled;

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
      assertEquals(0, delayNanos, "a read needs no timer");
      scheduled++;
      tasks.add(task);
      return () -> {};
    }

    /** Runs the queued tasks, but not the ones they add. */
    void turn() {
      for (int left = tasks.size(); left > 0; left--) {
        tasks.remove().run();
      }
    }
  }

  /** An engine with a single, endless cursor. */
  private final class Engine implements StorageEngine, ReadCursor {
    private Status next = Status.YIELD;
    private boolean fails;
    private int opened;
    private int advanced;
    private int closed;
    private Runnable continuation = () -> {};

    @Override
    public ReadCursor read(ReadRequest request) {
      opened++;
      return this;
    }

    @Override
    public Draft draft(int tableId) {
      throw new UnsupportedOperationException("no test writes");
    }

    @Override
    public Status advance(RowSink sink) {
      assertEquals(0, closed, "a closed cursor was advanced");
      advanced++;
      if (fails) {
        throw new IllegalStateException("damaged");
      }
      return next;
    }

    @Override
    public void whenReady(Runnable newContinuation) {
      continuation = newContinuation;
    }

    @Override
    public int rowsRead() {
      return 3;
    }

    @Override
    public int tombstonesRead() {
      return 2;
    }

    @Override
    public void close() {
      closed++;
    }

    @Override
    public void apply(MemorySegment mutation, long offset, int length, WriteListener listener) {
      throw new AssertionError("a read must not write");
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

  private final class Reply implements ReplicaAccess.ReadReply {
    private final List<String> calls = new ArrayList<>();

    @Override
    public void read(boolean stopped, int rows, int tombstones, long ignoredNanos) {
      calls.add((stopped ? "stopped " : "read ") + rows + " " + tombstones);
    }

    @Override
    public void notRead(Exception cause) {
      calls.add("failed " + cause.getMessage());
    }

    @Override
    public boolean isOverdue(long nowNanos) {
      return nowNanos >= DEADLINE_NANOS;
    }

    @Override
    public void timedOut() {
      calls.add("timed out");
    }

    @Override
    public void released() {
      calls.add("released");
    }
  }

  private enum NoSink implements RowSink {
    INSTANCE;

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
      return Next.CONTINUE;
    }
  }

  private LocalRead start(boolean isRemote) {
    Shard target = isRemote ? remote : from;
    LocalRead read = new LocalRead(from, target, engine, new ReadRequest(), NoSink.INSTANCE, reply);
    if (isRemote) {
      from.send(remote, read);
    } else {
      read.run();
    }
    turns(3);
    return read;
  }

  private void turns(int count) {
    for (int i = 0; i < count; i++) {
      here.turn();
      there.turn();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadThatEndsIsAnsweredOnce(boolean isRemote) {
    LocalRead read = start(isRemote);
    assertTrue(engine.advanced > 1);
    engine.next = ReadCursor.Status.DONE;
    turns(3);
    assertEquals(List.of("read 3 2"), reply.calls);
    read.cancel();
    turns(3);
    assertEquals(List.of("read 3 2"), reply.calls);
    assertEquals(1, engine.closed);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFailureClosesTheCursorAndIsReported(boolean isRemote) {
    engine.fails = true;
    LocalRead read = start(isRemote);
    read.cancel();
    turns(3);
    assertEquals(List.of("failed damaged", "released"), reply.calls);
    assertEquals(1, engine.closed);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCancelledReadDoesNoMoreWork(boolean isRemote) {
    LocalRead read = start(isRemote);
    read.cancel();
    // the message, and a slice that may run before it
    turns(1);
    int advanced = engine.advanced;
    turns(5);
    assertEquals(advanced, engine.advanced);
    assertEquals(1, engine.closed);
    assertEquals(List.of("released"), reply.calls);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadThatWaitsForABlockIsReleasedWhenItIsCancelled(boolean isRemote) {
    engine.next = ReadCursor.Status.WAITING;
    LocalRead read = start(isRemote);
    read.cancel();
    turns(1);
    assertEquals(1, engine.closed);
    engine.continuation.run();
    turns(3);
    assertEquals(1, engine.advanced);
    assertEquals(1, engine.closed);
    assertEquals(List.of("released"), reply.calls);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadThatKeepsWaitingForBlocksLetsTheLoopPollItsSockets(boolean isRemote) {
    engine.next = ReadCursor.Status.WAITING;
    Loop loop = isRemote ? there : here;
    LocalRead ignored = start(isRemote);
    for (int i = 0; i < 4; i++) {
      engine.continuation.run();
    }
    assertEquals(0, loop.scheduled, "the first blocks are read as soon as they are there");
    assertEquals(5, engine.advanced);
    engine.continuation.run();
    assertEquals(5, engine.advanced, "not before the poll");
    loop.turn();
    assertEquals(1, loop.scheduled);
    assertEquals(6, engine.advanced);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachSliceWaitsUntilTheLoopHasPolledItsSockets(boolean isRemote) {
    LocalRead ignored = start(isRemote);
    assertTrue(engine.advanced > 1);
    assertEquals(engine.advanced, here.scheduled + there.scheduled);
  }

  @Test
  void aReadCancelledInTransitIsNotStarted() {
    LocalRead read = new LocalRead(from, remote, engine, new ReadRequest(), NoSink.INSTANCE, reply);
    engine.next = ReadCursor.Status.WAITING;
    from.send(remote, read);
    read.cancel();
    turns(3);
    assertEquals(engine.opened, engine.closed);
    assertEquals(List.of("released"), reply.calls);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadStopsByItselfAtItsDeadline(boolean isRemote) {
    LocalRead read = start(isRemote);
    int advanced = engine.advanced;
    nanos = DEADLINE_NANOS;
    turns(4);
    assertTrue(engine.advanced <= advanced + 1, "at most the slice of the current tick");
    assertEquals(List.of("timed out", "released"), reply.calls);
    assertEquals(1, engine.closed);
    read.cancel();
    turns(3);
    assertEquals(1, engine.closed);
  }

  @Test
  void aCancellationThatComesTooLateIsFollowedByTheOutcome() {
    LocalRead read = start(true);
    engine.next = ReadCursor.Status.DONE;
    there.turn();
    read.cancel();
    turns(3);
    assertEquals(List.of("read 3 2"), reply.calls);
  }

  @Test
  void aReadThatArrivesAfterItsDeadlineIsNotStarted() {
    nanos = DEADLINE_NANOS;
    LocalRead ignored = start(true);
    assertEquals(0, engine.opened);
    assertEquals(List.of("timed out", "released"), reply.calls);
  }
}
