package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.modification.ServerTimestamps;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.env.sim.SimulatedCrash;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The reservation file under crashes and damage, and timestamps while the disk is stalled. */
class TimestampReservationTest {
  private static final long STEP_MICROS = TimestampReservation.STEP_MICROS;

  private final SimFileSystem disk = new SimFileSystem(new SimRandomness(3));

  private long write(long... reserved) throws IOException {
    try (TimestampFile file = TimestampFile.open(disk)) {
      for (long each : reserved) {
        file.write(each);
      }
      return file.reservedMicros();
    }
  }

  @Test
  void theLastRecordWins() throws IOException {
    assertEquals(Long.MIN_VALUE, write());
    assertEquals(100, write(100));
    assertEquals(100, write());
    assertEquals(400, write(200, 300, 400));
    assertEquals(400, write());
    assertEquals(50, write(50));
    assertEquals(50, write());
  }

  @Test
  void aCrashAtAnyOperationLeavesTheOldOrTheNewReservation() throws IOException {
    for (int records = 0; records < 4; records++) {
      for (int operation = 1; ; operation++) {
        SimFileSystem crashing = new SimFileSystem(new SimRandomness(records * 100L + operation));
        boolean written = crash(crashing, records, operation);
        crashing.losePower();
        try (TimestampFile file = TimestampFile.open(crashing)) {
          long old = records == 0 ? Long.MIN_VALUE : records;
          long found = file.reservedMicros();
          assertTrue(
              found == 1000 || (!written && found == old),
              () -> found + " of " + old + ", crashed at " + crashing.operations());
          file.write(2000);
        }
        try (TimestampFile file = TimestampFile.open(crashing)) {
          assertEquals(2000, file.reservedMicros());
        }
        if (written) {
          break;
        }
      }
    }
  }

  /** Whether a record was written despite a crash after this many operations. */
  private static boolean crash(SimFileSystem disk, int records, int operation) throws IOException {
    if (records > 0) {
      try (TimestampFile file = TimestampFile.open(disk)) {
        for (int i = 1; i <= records; i++) {
          file.write(i);
        }
      }
    }
    disk.crashAfter(operation);
    try (TimestampFile file = TimestampFile.open(disk)) {
      file.write(1000);
      return true;
    } catch (SimulatedCrash e) {
      return false;
    }
  }

  @Test
  void oneDamagedSlotIsHarmlessAndTwoPreventStartup() throws IOException {
    assertEquals(200, write(100, 200));
    disk.flip("timestamps", 512 + 24, 1); // the newer one
    assertEquals(100, write());
    disk.flip("timestamps", 24, 1);
    MetadataException refused = assertThrows(MetadataException.class, this::write);
    assertTrue(String.valueOf(refused.getMessage()).contains("timestamps is damaged"));
  }

  /** An I/O pool that runs tasks only on demand. */
  private static final class ManualExecutor implements java.util.concurrent.Executor {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    void run() {
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
    }
  }

  @Test
  void timestampsIncreaseByOneWhileTheDiskStallsUntilExhausted() throws IOException {
    SimWorld world = new SimWorld(5);
    Scheduler scheduler = world.scheduler("shard");
    ManualExecutor io = new ManualExecutor();
    TimestampReservation reservation =
        TimestampReservation.open(
            disk,
            world.clock(),
            io,
            scheduler,
            failure -> {
              throw new AssertionError(failure);
            });
    ServerTimestamps timestamps = new ServerTimestamps(world.clock(), reservation);
    CompletableFuture<Void> started = reservation.start();
    assertFalse(started.isDone());
    assertOverloaded(timestamps);
    io.run();
    assertTrue(started.isDone());

    long start = world.clock().wallMicros();
    assertEquals(start, timestamps.next());
    world.clock().jumpWall(60 * STEP_MICROS);
    long capped = timestamps.next();
    assertEquals(start + STEP_MICROS - 1_000_000, capped);
    for (int i = 1; i < 1_000_000; i++) {
      assertEquals(capped + i, timestamps.next());
    }
    assertOverloaded(timestamps);
    io.run();
    assertEquals(world.clock().wallMicros(), timestamps.next());
  }

  @Test
  void everyRunIsALaterLife() throws IOException {
    SimWorld world = new SimWorld(6);
    long last = 0;
    for (int i = 0; i < 5; i++) {
      ManualExecutor io = new ManualExecutor();
      TimestampReservation run =
          TimestampReservation.open(
              disk,
              world.clock(),
              io,
              world.scheduler("shard"),
              failure -> {
                throw new AssertionError(failure);
              });
      CompletableFuture<Void> started = run.start();
      io.run();
      assertTrue(started.isDone());
      long life = run.life(new SimRandomness(i));
      assertTrue(life >> 24 > last >> 24, life + " after " + last);
      assertTrue(life != run.life(new SimRandomness(100)));
      last = life;
      disk.losePower();
    }
  }

  private static TimestampReservation open(SimFileSystem disk, SimWorld world, ManualExecutor io)
      throws IOException {
    return TimestampReservation.open(
        disk,
        world.clock(),
        io,
        world.scheduler("shard"),
        failure -> {
          throw new AssertionError(failure);
        });
  }

  @Test
  void manyKillsDoNotAddUp() throws IOException {
    SimWorld world = new SimWorld(7);
    long pauses = 0;
    for (int i = 0; i < 30; i++) {
      ManualExecutor io = new ManualExecutor();
      TimestampReservation run = open(disk, world, io);
      CompletableFuture<Void> started = run.start();
      io.run();
      assertTrue(started.isDone());
      long pause = run.pauseNanos();
      pauses += pause == 0 ? 0 : 1;
      world.clock().jumpWall(pause / 1000);
      long ahead = new ServerTimestamps(world.clock(), run).next() - world.clock().wallMicros();
      assertTrue(ahead <= 4 * STEP_MICROS, ahead + " after run " + i);
      assertTrue(pause <= STEP_MICROS * 1000);
      disk.losePower();
    }
    assertTrue(pauses > 20, pauses + " pauses");
  }

  @Test
  void aNodeThatHasGivenOutNoTimestampStartsAgainAtOnce() throws IOException {
    SimWorld world = new SimWorld(10);
    for (int i = 0; i < 3; i++) {
      ManualExecutor io = new ManualExecutor();
      TimestampReservation run = open(disk, world, io);
      CompletableFuture<Void> started = run.start();
      io.run();
      assertTrue(started.isDone());
      assertEquals(0, run.pauseNanos());
      CompletableFuture<Void> released =
          run.release(new ServerTimestamps(world.clock(), run).firstUnused());
      world.runReady();
      io.run();
      assertTrue(released.isDone());
    }
  }

  @Test
  void aClockThatWasSetBackDelaysAStartByOneStepOnly() throws IOException {
    SimWorld world = new SimWorld(8);
    ManualExecutor io = new ManualExecutor();
    CompletableFuture<Void> started = open(disk, world, io).start();
    io.run();
    assertTrue(started.isDone());
    world.clock().jumpWall(-360 * STEP_MICROS);
    assertEquals(STEP_MICROS * 1000, open(disk, world, io).pauseNanos());
  }

  @Test
  void timestampsOfOtherNodesAreFollowedAsSoonAsTheyAreReserved() throws IOException {
    SimWorld world = new SimWorld(9);
    ManualExecutor io = new ManualExecutor();
    TimestampReservation reservation = open(disk, world, io);
    ServerTimestamps timestamps = new ServerTimestamps(world.clock(), reservation);
    CompletableFuture<Void> started = reservation.start();
    io.run();
    assertTrue(started.isDone());
    long other = world.clock().wallMicros() + 3 * STEP_MICROS;
    timestamps.goBeyond(other);
    assertTrue(timestamps.next() < other);
    io.run();
    assertTrue(timestamps.next() > other, "without hearing of it again");
  }

  private static void assertOverloaded(ServerTimestamps timestamps) {
    CqlException refused = assertThrows(CqlException.class, timestamps::next);
    assertTrue(refused.error() instanceof CqlError.Overloaded, refused::getMessage);
  }
}
