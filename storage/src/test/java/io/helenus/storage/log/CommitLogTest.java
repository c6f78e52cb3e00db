package io.helenus.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CommitLogTest {
  @RegisterExtension final Seeds seeds = Seeds.from(0);

  private static List<Long> numbers(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  @Test
  void aTickIsAcknowledgedByItsWriteInPeriodicMode() throws IOException {
    LogFixture log = new LogFixture(1, SyncMode.PERIODIC);
    log.appendWaiting(0, 100);
    log.appendWaiting(1, 100);
    assertEquals(List.of(), log.acknowledged);
    log.log.endTick();
    assertEquals(numbers(0, 2), log.acknowledged);
    assertEquals(List.of(2L), log.batchSizes);
    log.files.killProcess();
    assertEquals(numbers(0, 2), log.replay(false));
  }

  @Test
  void aRecordThatFailsHalfwayIsRemovedFromTheBatch() throws IOException {
    LogFixture log = new LogFixture(1, SyncMode.PERIODIC);
    log.appendWaiting(0, 100);
    MemorySegment tooShort = MemorySegment.ofArray(new byte[50]);
    assertThrows(
        IndexOutOfBoundsException.class, () -> log.log.append(tooShort, 0, 100, "no such number"));
    log.appendWaiting(1, 100);
    log.log.endTick();
    log.world.runReady();
    log.write(2, 4, 100);
    assertEquals(numbers(0, 4), log.acknowledged);
    log.files.killProcess();
    assertEquals(numbers(0, 4), log.replay(false));
    assertEquals(List.of(), log.warnings);
  }

  @Test
  void aTickIsAcknowledgedAfterItsSyncInBatchMode() throws IOException {
    LogFixture log = new LogFixture(1, SyncMode.BATCH);
    log.appendWaiting(0, 100);
    log.log.endTick();
    assertEquals(List.of(), log.acknowledged);
    log.world.runReady();
    assertEquals(numbers(0, 1), log.acknowledged);
    log.files.losePower();
    assertEquals(numbers(0, 1), log.replay(false));
  }

  @Test
  void aGroupIsSyncedTogetherAfterItsWindow() {
    LogFixture log = new LogFixture(1, SyncMode.GROUP);
    for (long i = 0; i < 5; i++) {
      log.appendWaiting(i, 100);
      log.log.endTick();
    }
    log.world.runReady();
    assertEquals(List.of(), log.acknowledged);
    log.world.runFor(1_100_000_000L);
    assertEquals(numbers(0, 5), log.acknowledged);
  }

  @Test
  void acknowledgedRecordsSurviveAPowerLossInBatchMode() throws Exception {
    seeds.each(
        200,
        seed -> {
          LogFixture log = new LogFixture(seed, SyncMode.BATCH);
          log.files.crashAfter(1 + seed);
          log.runToCrash(() -> log.write(0, 300, 150));
          List<Long> acknowledged = List.copyOf(log.acknowledged);
          log.files.losePower();
          List<Long> replayed = log.replay(false);
          String text = "seed " + seed + ": " + acknowledged.size() + " of " + replayed.size();
          assertTrue(replayed.size() >= acknowledged.size(), text);
          assertEquals(numbers(0, replayed.size()), replayed, text);
        });
  }

  @Test
  void acknowledgedRecordsSurviveAKillInPeriodicMode() throws Exception {
    seeds.each(
        200,
        seed -> {
          LogFixture log = new LogFixture(seed, SyncMode.PERIODIC);
          log.files.crashAfter(1 + seed);
          log.runToCrash(() -> log.write(0, 300, 150));
          List<Long> acknowledged = List.copyOf(log.acknowledged);
          log.files.killProcess();
          List<Long> replayed = log.replay(false);
          assertTrue(replayed.size() >= acknowledged.size(), "seed " + seed);
          assertEquals(numbers(0, replayed.size()), replayed, "seed " + seed);
        });
  }

  @Test
  void aPowerLossInPeriodicModeLeavesAPrefixAndNeverPreventsStartup() throws Exception {
    seeds.each(
        200,
        seed -> {
          LogFixture log = new LogFixture(seed, SyncMode.PERIODIC);
          log.write(0, 100 + seed, 150);
          if (seed % 3 == 0) {
            log.world.runFor(1_100_000_000L);
            log.write(100 + seed, 150 + seed, 150);
          }
          log.files.losePower();
          List<Long> replayed = log.replay(false);
          assertEquals(numbers(0, replayed.size()), replayed, "seed " + seed);
          assertTrue(seed % 3 != 0 || replayed.size() >= 100 + seed, "seed " + seed);
        });
  }

  @Test
  void segmentsAreRecycledAndTheirOldRecordsStayHidden() throws IOException {
    LogFixture log = new LogFixture(3, SyncMode.BATCH);
    long last = 0;
    for (long i = 0; i < 500; i++) {
      last = log.appendWaiting(i, 200);
      log.log.endTick();
      log.world.runReady();
      log.log.release(last);
      log.world.runReady();
    }
    assertTrue(log.files.paths().size() <= 5, log.files.paths().toString());
    assertTrue(log.log.liveBytes() <= 2 * LogFixture.SEGMENT_BYTES);
    log.files.killProcess();
    List<Long> replayed = log.replay(false);
    assertEquals(numbers(500 - replayed.size(), 500), replayed);
    assertTrue(replayed.size() <= 2 * LogFixture.SEGMENT_BYTES / 200);
    assertEquals(List.of(), log.warnings);
  }

  @Test
  void aSegmentIsKeptWhileARecordInItAwaitsItsAcknowledgement() throws IOException {
    LogFixture log = new LogFixture(3, SyncMode.BATCH);
    log.log.warmUp();
    log.world.runReady();
    long count = 0;
    while (LogPosition.sequence(log.appendWaiting(count++, 200)) == 0) {
      // one tick that ends in the second segment
    }
    log.world.runReady();
    assertEquals(List.of(), log.acknowledged);
    assertTrue(log.log.durablePosition() > LogPosition.START);
    // the memtables, which do not have these records yet, need nothing
    log.log.release(Long.MAX_VALUE);
    log.world.runReady();
    log.log.endTick();
    log.world.runReady();
    assertEquals(numbers(0, count), log.acknowledged);
    log.files.losePower();
    assertEquals(numbers(0, count), log.replay(false));
  }

  @Test
  void aCrashWhileSegmentsAreRecycledLosesNoNeededRecord() throws Exception {
    seeds.each(
        300,
        seed -> {
          LogFixture log = new LogFixture(seed, SyncMode.BATCH);
          List<Long> needed = new ArrayList<>();
          log.files.crashAfter(30 + seed);
          log.runToCrash(
              () -> {
                for (long i = 0; i < 1_000; i++) {
                  long position = log.appendWaiting(i, 200);
                  log.log.endTick();
                  log.world.runReady();
                  log.log.release(position);
                  needed.clear();
                  needed.add(i);
                }
              });
          if (seed % 2 == 0) {
            log.files.losePower();
          } else {
            log.files.killProcess();
          }
          List<Long> replayed = log.replay(false);
          assertTrue(replayed.containsAll(needed), "seed " + seed + " " + replayed + needed);
        });
  }

  @Test
  void aFailedSyncIsFatalAndNothingIsAcknowledgedAfterIt() {
    LogFixture log = new LogFixture(4, SyncMode.BATCH);
    log.write(0, 3, 100);
    log.files.faults(
        (operation, path) -> {
          if (operation == Operation.SYNC) {
            throw new IOException("input/output error");
          }
        });
    log.write(3, 6, 100);
    log.files.faults((operation, path) -> {});
    log.world.runReady();
    assertEquals(numbers(0, 3), log.acknowledged);
    assertEquals(1, log.fatal.size());
    assertTrue(log.log.isFailed());
  }

  @Test
  void aFailedWriteIsFatal() {
    LogFixture log = new LogFixture(4, SyncMode.PERIODIC);
    log.write(0, 3, 100);
    log.files.faults(
        (operation, path) -> {
          if (operation == Operation.WRITE) {
            throw new IOException("input/output error");
          }
        });
    long position = log.append(3, 100);
    assertTrue(position > 0);
    log.log.endTick();
    assertEquals(numbers(0, 3), log.acknowledged);
    assertEquals(1, log.fatal.size());
  }

  @Test
  void aFullDiskRefusesAppendsUntilThereIsSpace() {
    LogFixture log = new LogFixture(5, SyncMode.BATCH);
    log.files.capacity(2 * LogFixture.SEGMENT_BYTES);
    long accepted = 0;
    while (log.full == null) {
      if (log.append(accepted, 200) == CommitLog.NO_ROOM) {
        assertTrue(log.world.step(), "a full disk must be reported");
      } else {
        accepted++;
        log.log.endTick();
      }
    }
    log.world.runReady();
    assertEquals(numbers(0, accepted), log.acknowledged);
    assertNotNull(log.log.refusal());
    log.files.capacity(Long.MAX_VALUE);
    log.world.runFor(1_000_000_000L);
    log.write(accepted, accepted + 100, 200);
    assertEquals(numbers(0, accepted + 100), log.acknowledged);
    assertEquals(List.of(), log.fatal);
  }

  @Test
  void theFirstSegmentIsReadyBeforeTheFirstWrite() {
    LogFixture log = new LogFixture(6, SyncMode.PERIODIC);
    log.log.warmUp();
    log.world.runReady();
    assertFalse(log.append(0, 100) == CommitLog.NO_ROOM);
  }

  @Test
  void closingWithNothingToReplayLeavesNoLog() throws IOException {
    LogFixture log = new LogFixture(7, SyncMode.PERIODIC);
    log.write(0, 200, 200);
    log.log.close(true);
    assertEquals(List.of(), log.files.paths());
  }

  /** However far it was: the next segment is prepared on another thread. */
  @Test
  void aSegmentThatIsBeingPreparedIsDeletedWhenTheLogIsClosed() throws IOException {
    for (int steps = 0; steps < 5; steps++) {
      LogFixture log = new LogFixture(1, SyncMode.PERIODIC);
      log.log.warmUp();
      for (int i = 0; i < steps; i++) {
        boolean ignored = log.world.step();
      }
      log.log.close(true);
      log.world.runReady();
      assertEquals(List.of(), log.files.list(LogFiles.FOLDER), "after " + steps + " steps");
    }
  }
}
