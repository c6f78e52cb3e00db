package io.helenus.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LogReplayTest {
  private static final int RECORD_BYTES = RecordFormat.recordBytes(100);

  private static List<Long> numbers(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  private static String segmentPath(LogFixture log) {
    return log.files.paths().stream().filter(p -> p.endsWith(".log")).findFirst().orElseThrow();
  }

  @Test
  void aTailTornAtAnyByteIsReplayedUpToItsLastValidRecord() throws IOException {
    LogFixture log = new LogFixture(1, SyncMode.PERIODIC);
    log.write(0, 10, 100);
    String path = segmentPath(log);
    byte[] whole = log.files.contents(path);
    int end = SegmentHeader.BYTES + 10 * RECORD_BYTES;
    for (int cut = SegmentHeader.BYTES + 7 * RECORD_BYTES; cut < end; cut++) {
      byte[] torn = whole.clone();
      Arrays.fill(torn, cut, end, (byte) 0);
      log.files.replace(path, torn);
      log.warnings.clear();
      int whole100 = (cut - SegmentHeader.BYTES) / RECORD_BYTES;
      int inRecord = (cut - SegmentHeader.BYTES) % RECORD_BYTES;
      // the padding at the end of a record may be missing
      int expected = whole100 + (inRecord >= RecordFormat.HEADER_BYTES + 100 ? 1 : 0);
      assertEquals(numbers(0, expected), log.replay(false), "cut at " + cut);
      boolean torn16 = inRecord >= RecordFormat.DURABLE_OFFSET && expected == whole100;
      assertEquals(torn16 ? 1 : 0, log.warnings.size(), "cut at " + cut);
    }
  }

  @Test
  void aTruncatedFileIsReplayedUpToItsLastValidRecord() throws IOException {
    LogFixture log = new LogFixture(1, SyncMode.PERIODIC);
    log.write(0, 10, 100);
    String path = segmentPath(log);
    byte[] whole = log.files.contents(path);
    for (int cut = SegmentHeader.BYTES; cut < SegmentHeader.BYTES + 3 * RECORD_BYTES; cut++) {
      log.files.replace(path, Arrays.copyOf(whole, cut));
      int inRecord = (cut - SegmentHeader.BYTES) % RECORD_BYTES;
      int expected =
          (cut - SegmentHeader.BYTES) / RECORD_BYTES
              + (inRecord >= RecordFormat.HEADER_BYTES + 100 ? 1 : 0);
      assertEquals(numbers(0, expected), log.replay(false), "cut at " + cut);
    }
  }

  @Test
  void anyFlippedBitBeforeTheTailPreventsStartupNamingFileAndOffset() throws IOException {
    LogFixture log = new LogFixture(2, SyncMode.PERIODIC);
    log.write(0, 10, 100);
    String path = segmentPath(log);
    int recordStart = SegmentHeader.BYTES + 4 * RECORD_BYTES;
    for (int at = recordStart; at < recordStart + RecordFormat.HEADER_BYTES + 100; at++) {
      log.files.flip(path, at, at % 8);
      StorageException refused = assertThrows(StorageException.class, () -> log.replay(false));
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains(path) && message.contains("offset " + recordStart), message);
      List<Long> skipped = new ArrayList<>(numbers(0, 10));
      skipped.remove(4L);
      assertEquals(skipped, log.replay(true), "flipped byte " + at);
      log.files.flip(path, at, at % 8);
    }
    assertEquals(numbers(0, 10), log.replay(false));
  }

  @Test
  void anyFlippedBitOfTheHeaderPreventsStartup() throws IOException {
    LogFixture log = new LogFixture(2, SyncMode.PERIODIC);
    log.write(0, 3, 100);
    String path = segmentPath(log);
    for (int at = 0; at < SegmentHeader.BYTES; at++) {
      log.files.flip(path, at, at % 8);
      StorageException refused = assertThrows(StorageException.class, () -> log.replay(false));
      assertTrue(String.valueOf(refused.getMessage()).contains(path));
      log.files.flip(path, at, at % 8);
    }
  }

  @Test
  void damageBeforeALaterSegmentPreventsStartup() throws IOException {
    LogFixture log = new LogFixture(3, SyncMode.PERIODIC);
    log.write(0, 200, 100);
    String path = segmentPath(log);
    byte[] bytes = log.files.contents(path);
    Arrays.fill(bytes, 4096, bytes.length, (byte) 0);
    log.files.replace(path, bytes);
    StorageException refused = assertThrows(StorageException.class, () -> log.replay(false));
    assertTrue(String.valueOf(refused.getMessage()).contains(path));
    List<Long> skipped = log.replay(true);
    assertEquals(199L, skipped.getLast());
  }

  @Test
  void aMissingSegmentPreventsStartup() {
    LogFixture log = new LogFixture(3, SyncMode.PERIODIC);
    log.write(0, 300, 100);
    List<String> paths =
        log.files.paths().stream().filter(p -> p.endsWith(".log")).sorted().toList();
    assertTrue(paths.size() >= 3);
    assertThrows(
        StorageException.class,
        () -> {
          log.files.delete(paths.get(1));
          List<Long> replayed = log.replay(false);
          assertTrue(replayed.isEmpty());
        });
  }

  @Test
  void corruptedDurableRecordsAreReportedAsDamageEvenAfterAPowerLoss() throws IOException {
    LogFixture log = new LogFixture(5, SyncMode.BATCH);
    log.write(0, 10, 100);
    log.write(10, 20, 100);
    String path = segmentPath(log);
    log.files.losePower();
    log.files.flip(path, SegmentHeader.BYTES + 3 * RECORD_BYTES + 50, 1);
    assertThrows(StorageException.class, () -> log.replay(false));
  }
}
