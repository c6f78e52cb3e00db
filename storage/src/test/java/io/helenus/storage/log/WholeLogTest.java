package io.helenus.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.memory.LargeSegments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WholeLogTest {
  private static final int RECORDS = 1_000;
  private final SimFileSystem files = new SimFileSystem(new SimRandomness(1));
  private final List<String> warnings = new ArrayList<>();

  /** A log of numbers; the longest records have more than 1,000 bytes. */
  private WholeLog log() {
    WholeLog log = new WholeLog(7, files.bootId(), new LargeSegments());
    for (int number = 0; number < RECORDS; number++) {
      ByteWriter out = log.begin().putLong(number);
      for (int i = 0; i < number; i++) {
        out.putByte(number);
      }
      log.end();
    }
    return log;
  }

  private List<Long> read() throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (LogFiles.OldLog old : LogFiles.find(files)) {
      new LogReplay(files, old, LogReplay.OnDamage.failing(), warnings::add)
          .run(
              (logId, position, segment, offset, length) -> {
                assertEquals(7, logId);
                long number = Bytes.getLong(segment, offset);
                assertEquals(Long.BYTES + number, length);
                numbers.add(number);
              });
    }
    return numbers;
  }

  @Test
  void aReplayFindsTheRecordsThatWereRetained() throws IOException {
    WholeLog log = log();
    log.retain(record -> record % 3 == 1);
    log.retain(record -> record % 2 == 1);
    log.write(files);
    log.release();
    files.losePower();
    List<Long> expected = new ArrayList<>();
    for (long number = 4; number < RECORDS; number += 6) {
      expected.add(number);
    }
    assertEquals(expected, read());
    assertEquals(List.of(), warnings);
  }

  @Test
  void damageAnywhereIsAnErrorBecauseTheWholeLogIsDurable() throws IOException {
    WholeLog log = log();
    log.retain(record -> record < 24 && record % RecordFormat.ALIGNMENT_BYTES == 0); // no padding
    LogFiles.OldLog written = log.write(files);
    String path = written.segments().getFirst().path();
    byte[] whole = files.contents(path);
    int last = whole.length - RecordFormat.HEADER_BYTES - 1;
    for (int at = SegmentHeader.BYTES; at < last - RecordFormat.ALIGNMENT_BYTES; at++) {
      files.replace(path, whole);
      files.flip(path, at, 3);
      assertThrows(StorageException.class, this::read, "byte " + at);
    }
    files.replace(path, whole);
    assertEquals(List.of(0L, 8L, 16L), read());
  }

  @Test
  void aCrashAtAnyOperationLeavesAllOrNothing() throws IOException {
    for (boolean powerLoss : new boolean[] {false, true}) {
      boolean crashed = true;
      for (int operation = 1; crashed; operation++) {
        for (String path : files.paths()) {
          files.delete(path);
        }
        files.syncFolder(LogFiles.FOLDER);
        files.crashAfter(operation);
        try {
          LogFiles.OldLog written = log().write(files);
          crashed = written.segments().isEmpty();
        } catch (SimulatedCrash crash) {
          assertTrue(operation < 10, "operation " + operation);
        }
        if (powerLoss) {
          files.losePower();
        } else {
          files.killProcess();
        }
        int found = read().size();
        assertTrue(found == RECORDS || crashed && found == 0, found + " records");
      }
    }
  }

  @Test
  void aWriteThatFailsLeavesNoFile() {
    files.capacity(10_000);
    assertThrows(IOException.class, () -> log().write(files));
    assertEquals(List.of(), files.paths());
  }
}
