package io.helenus.storage.manifest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.RecordMarks;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.row.ShareId;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ManifestTest {
  @RegisterExtension final Seeds seeds = Seeds.from(0);

  private final SimFileSystem files = new SimFileSystem(new SimRandomness(1));
  private final List<Throwable> fatal = new ArrayList<>();

  private Manifest open() throws IOException {
    return Manifest.open(files, fatal::add);
  }

  private static Change.FileAdded added(long number) {
    return new Change.FileAdded(LiveFile.fresh(number, 7, 1000 + number, -5, 5));
  }

  private static List<Long> live(Manifest manifest) {
    return manifest.liveFiles().stream().map(LiveFile::number).toList();
  }

  @Test
  void everyKindOfChangeSurvivesARestart() throws IOException {
    Manifest manifest = open();
    LiveFile file = new LiveFile(4, 7, 2, 99, 11, 12, 13, -100, 200);
    manifest.commit(
        List.of(
            new Change.Counters(40),
            new Change.FileAdded(file),
            added(5),
            new Change.FileAdded(LiveFile.fresh(6, 8, 10, 0, 0)),
            new Change.Flushed(7, 1024, -10, 10, 500),
            new Change.Flushed(7, 2048, Long.MIN_VALUE, Long.MAX_VALUE, 600),
            new Change.Flushed(8, 1024, -10, 10, 700),
            new Change.Truncated(7, 123_456, 0),
            new Change.Truncated(8, 234_567, 9),
            new Change.CounterShare(new ShareId(-1, 2), true)));
    manifest.commit(
        List.of(
            new Change.FileRemoved(5),
            new Change.TableForgotten(8),
            new Change.LogForgotten(2048)));
    manifest.close();
    Manifest again = open();
    assertEquals(List.of(file), again.liveFiles());
    assertEquals(40, again.allocateFileNumber());
    assertTrue(again.isFlushed(7, 1024, -10, 499));
    assertTrue(again.isFlushed(7, 1024, 10, 499));
    assertFalse(again.isFlushed(7, 1024, 0, 500));
    assertFalse(again.isFlushed(7, 1024, 11, 10));
    assertFalse(again.isFlushed(7, 2048, 0, 10));
    assertFalse(again.isFlushed(8, 1024, 0, 10));
    assertEquals(123_456, again.truncatedAtMicros(7));
    assertEquals(0, again.truncatedAtMicros(8));
    assertEquals(1024, again.greatestLogId());
    assertEquals(new Change.CounterShare(new ShareId(-1, 2), true), again.counterShare());
    again.commit(List.of(new Change.CounterShare(new ShareId(3, 4), false)));
    assertEquals(new Change.CounterShare(new ShareId(3, 4), false), again.counterShare());
  }

  @Test
  void anEditTruncatedAtAnyByteIsDropped() throws IOException {
    Manifest manifest = open();
    manifest.commit(List.of(added(1)));
    String path = files.paths().get(0);
    int before = files.contents(path).length;
    manifest.commit(List.of(added(2), new Change.FileRemoved(1)));
    manifest.close();
    byte[] whole = files.contents(path);
    for (int cut = before; cut < whole.length; cut++) {
      files.replace(path, java.util.Arrays.copyOf(whole, cut));
      Manifest again = open();
      assertEquals(List.of(1L), live(again), "cut at " + cut);
      again.commit(List.of(added(3)));
      again.close();
      Manifest third = open();
      assertEquals(List.of(1L, 3L), live(third), "cut at " + cut);
      third.close();
    }
  }

  @Test
  void aFlippedBitPreventsStartupOrIsHarmless() throws IOException {
    Manifest manifest = open();
    manifest.commit(List.of(added(1)));
    manifest.commit(List.of(added(2)));
    manifest.commit(List.of(added(3)));
    manifest.close();
    String path = files.paths().get(0);
    int size = files.contents(path).length;
    int harmless = 0;
    for (int at = 0; at < size; at++) {
      files.flip(path, at, at % 8);
      try {
        Manifest again = open();
        assertEquals(List.of(1L, 2L, 3L), live(again), "flipped at " + at);
        again.close();
        harmless++;
      } catch (StorageException e) {
        assertTrue(String.valueOf(e.getMessage()).contains(path));
      }
      files.flip(path, at, at % 8);
    }
    // the marks of the snapshot and three edits
    assertEquals(4 * (1 + RecordMarks.END_BYTES), harmless);
  }

  @Test
  void aCrashPreservesCommittedEditsAndPossiblyTheOneInProgress() throws Exception {
    seeds.each(
        400,
        seed -> {
          SimFileSystem disk = new SimFileSystem(new SimRandomness(seed));
          disk.crashAfter(1 + seed % 60);
          long reported = 0;
          try {
            Manifest manifest = Manifest.open(disk, fatal::add);
            for (long i = 1; i <= 2000; i++) {
              manifest.commit(List.of(added(i), new Change.FileRemoved(i - 3)));
              reported = i;
            }
          } catch (SimulatedCrash crash) {
            if (seed % 2 == 0) {
              disk.losePower();
            } else {
              disk.killProcess();
            }
          }
          List<Long> after = live(Manifest.open(disk, fatal::add));
          long newest = after.isEmpty() ? 0 : after.getLast();
          assertTrue(newest == reported || newest == reported + 1, "seed " + seed + " " + after);
          assertEquals(Math.min(3, newest), after.size(), "seed " + seed + " " + after);
        });
  }

  @Test
  void aPowerLossAfterAKilledFirstStartKeepsCommittedEdits() throws Exception {
    seeds.each(
        50,
        seed -> {
          for (int operation = 1; operation <= 7; operation++) {
            SimFileSystem disk = new SimFileSystem(new SimRandomness(seed));
            disk.crashAfter(operation);
            try {
              Manifest.open(disk, fatal::add).commit(List.of(added(1)));
            } catch (SimulatedCrash crash) {
              disk.killProcess();
            }
            Manifest again = Manifest.open(disk, fatal::add);
            again.commit(List.of(added(2)));
            disk.losePower();
            assertTrue(live(Manifest.open(disk, fatal::add)).contains(2L), seed + "/" + operation);
          }
        });
  }

  @Test
  void theManifestIsRewrittenWhenItHasGrown() throws IOException {
    Manifest manifest = open();
    for (long i = 1; i <= 3000; i++) {
      manifest.commit(List.of(added(i), new Change.FileRemoved(i - 3)));
    }
    assertEquals(1, files.paths().size());
    assertTrue(files.usedBytes() < 200_000, "used " + files.usedBytes());
    manifest.close();
    assertEquals(List.of(2998L, 2999L, 3000L), live(open()));
  }

  @Test
  void aFullDiskChangesNothing() throws IOException {
    Manifest manifest = open();
    manifest.commit(List.of(added(1)));
    files.capacity(files.usedBytes() + 10);
    assertThrows(IOException.class, () -> manifest.commit(List.of(added(2))));
    assertEquals(List.of(1L), live(manifest));
    files.capacity(Long.MAX_VALUE);
    manifest.commit(List.of(added(3)));
    manifest.close();
    assertEquals(List.of(1L, 3L), live(open()));
    assertEquals(List.of(), fatal);
  }

  @Test
  void aFailedSyncIsFatal() throws IOException {
    Manifest manifest = open();
    manifest.commit(List.of(added(1)));
    files.faults(
        (operation, path) -> {
          if (operation == Operation.SYNC) {
            throw new IOException("input/output error");
          }
        });
    assertThrows(IOException.class, () -> manifest.commit(List.of(added(2))));
    files.faults(SimFileSystem.Faults.NONE);
    assertThrows(IOException.class, () -> manifest.commit(List.of(added(3))));
    assertEquals(1, fatal.size());
  }

  @Test
  void filesThatAreNotLiveAreDeleted() throws IOException {
    Manifest manifest = open();
    manifest.commit(List.of(added(1)));
    try (FileSystem.File live = files.create(LiveFile.path(7, 1));
        FileSystem.File orphan = files.create(LiveFile.path(7, 2))) {
      assertTrue(live.size() == 0 && orphan.size() == 0);
    }
    manifest.deleteOrphans(Set.of());
    assertTrue(files.exists(LiveFile.path(7, 1)));
    assertFalse(files.exists(LiveFile.path(7, 2)));
  }

  @Test
  void filesWithoutAManifestPreventStartup() throws IOException {
    try (FileSystem.File orphan = files.create(LiveFile.path(7, 2))) {
      assertEquals(0, orphan.size());
    }
    assertThrows(StorageException.class, this::open);
  }
}
