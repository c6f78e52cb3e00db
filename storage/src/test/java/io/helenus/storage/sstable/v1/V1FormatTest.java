package io.helenus.storage.sstable.v1;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.engine.PartitionNotes;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.TableDescriptor.Compression;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableStatistics;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class V1FormatTest {
  private static final String PATH = "data/7-1.sst";

  private static SimFileSystem disk(byte[] bytes) throws IOException {
    SimFileSystem disk = new SimFileSystem(new SimRandomness(1));
    disk.create(PATH);
    disk.replace(PATH, bytes);
    return disk;
  }

  private static Sstable open(byte[] bytes) throws IOException {
    return new V1Format().open(disk(bytes).open(PATH));
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream in = V1FormatTest.class.getResourceAsStream("/sstable/" + name)) {
      if (in == null) {
        throw new FileNotFoundException(name);
      }
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void whatIsWrittenIsRead(Compression compression) throws IOException {
    for (SampleEntries sample :
        List.of(
            SampleEntries.allKinds(),
            SampleEntries.manyRows(3000, 50),
            SampleEntries.manyRows(20, 40_000))) {
      Sstable file = open(sample.write(compression));
      assertEquals(7, file.tableId());
      assertEquals(sample.texts(), SampleEntries.readAll(file));
    }
  }

  @Test
  void newFilesHaveTheBytesOfTheFirstRelease() throws IOException {
    byte[] written = SampleEntries.allKinds().write(Compression.NONE);
    assertArrayEquals(golden("v1-all-kinds.sst"), written, () -> HexFormat.of().formatHex(written));
  }

  @Test
  void filesOfTheFirstReleaseCanBeRead() throws IOException {
    assertEquals(
        SampleEntries.allKinds().texts(), SampleEntries.readAll(open(golden("v1-all-kinds.sst"))));
    assertEquals(
        SampleEntries.allKinds().texts(),
        SampleEntries.readAll(open(golden("v1-largest-partition.sst"))));
    assertEquals(
        SampleEntries.manyRows(300, 60).texts(),
        SampleEntries.readAll(open(golden("v1-many-rows-lz4.sst"))));
  }

  @Test
  void theSizesAreKnownIfTheFileRecordsThem() throws IOException {
    SampleEntries sample = SampleEntries.manyRows(300, 60);
    SstableStatistics statistics = open(sample.write(Compression.LZ4)).statistics();
    assertTrue(statistics.largestPartitionBytes() > 60, "" + statistics.largestPartitionBytes());
    assertTrue(statistics.bytes() > 300 * 60, "" + statistics.bytes());
    assertTrue(statistics.blocks() > 0 && statistics.blocks() <= 1 + statistics.bytes() / 8_000);
    SstableStatistics old = open(golden("v1-largest-partition.sst")).statistics();
    assertTrue(old.largestPartitionBytes() > 0, "" + old.largestPartitionBytes());
    assertEquals(0, old.bytes() + old.blocks());
    SstableStatistics older = open(golden("v1-many-rows-lz4.sst")).statistics();
    assertEquals(0, older.largestPartitionBytes());
    assertEquals(0, older.bytes() + older.blocks());
  }

  @Test
  void theSizesOfPartitionsAreKnownIfTheFileRecordsThem() throws IOException {
    SstableStatistics statistics =
        open(SampleEntries.manyRows(20, 40_000).write(Compression.LZ4)).statistics();
    PartitionNotes notes = statistics.notes();
    assertEquals(statistics.partitions(), Arrays.stream(notes.countsBySize()).sum());
    assertEquals(statistics.partitions(), Arrays.stream(notes.countsByCells()).sum());
    assertTrue(notes.largest().size() > 0);
    PartitionNotes.Partition largest = notes.largest().getFirst();
    assertEquals(statistics.largestPartitionBytes(), largest.bytes());
    assertTrue(notes.countsBySize()[PartitionNotes.sizeClass(largest.bytes())] > 0);
    PartitionNotes old = open(golden("v1-many-rows-lz4.sst")).statistics().notes();
    assertEquals(List.of(), old.partitions());
    assertEquals(0, old.countsBySize().length + old.countsByCells().length);
  }

  @Test
  void theNotesOfAFileMayEndBeforeTheCells() {
    PartitionNotes.Builder builder = new PartitionNotes.Builder();
    builder.count(PartitionNotes.LARGE_BYTES, 3);
    builder.list(
        new PartitionNotes.Partition(new byte[] {1, 2}, 1, PartitionNotes.LARGE_BYTES, 1, 0));
    ByteWriter section = new ByteWriter(64);
    PartitionsSection.write(builder.build(), section);
    int cellsBytes = 1 + 3; // how many classes there are, and how many partitions of each
    PartitionNotes notes = PartitionsSection.read(section.segment().asSlice(0, section.size()));
    PartitionNotes older =
        PartitionsSection.read(section.segment().asSlice(0, section.size() - cellsBytes));
    assertArrayEquals(new long[] {0, 0, 1}, notes.countsByCells());
    assertArrayEquals(new long[0], older.countsByCells());
    assertArrayEquals(notes.countsBySize(), older.countsBySize());
    assertEquals(1, older.largest().size());
  }

  @Test
  void walkingBackwardMirrorsWalkingForward() throws IOException {
    Sstable file = open(SampleEntries.manyRows(3000, 50).write(Compression.LZ4));
    List<String> backward = new ArrayList<>();
    ByteWriter end = new ByteWriter(8).putLong(-1);
    try (EntryCursor cursor = file.cursor(new DirectBlocks())) {
      EntryCursor.Step step = cursor.seekBefore(end.segment(), 0, 8, 0);
      while (step == EntryCursor.Step.READY) {
        backward.add(SampleEntries.text(cursor));
        step = cursor.previous();
      }
    }
    Collections.reverse(backward);
    assertEquals(SampleEntries.readAll(file), backward);
  }

  @Test
  void everySeekFindsItsEntryAndTheDeletionsInForce() throws IOException {
    SampleEntries sample = SampleEntries.manyRows(2000, 50);
    Sstable file = open(sample.write(Compression.LZ4));
    try (EntryCursor cursor = file.cursor(new DirectBlocks())) {
      for (int i = 0; i < sample.entries.size(); i++) {
        Entry entry = sample.entries.get((int) (i * 7919L % sample.entries.size()));
        EntryCursor.Step step =
            cursor.seek(entry.keySegment(), 0, entry.keyLength(), entry.prefixLength());
        assertEquals(EntryCursor.Step.READY, step);
        assertEquals(SampleEntries.text(entry), SampleEntries.text(cursor));
        if (entry.kind() == Entry.ROW) {
          assertEquals(100, cursor.partitionTimestamp());
          assertEquals(300, cursor.openTimestamp());
        } else if (entry.kind() == Entry.BOUND) {
          boolean first = cursor.valueLength() > 0 && i == 0;
          assertTrue(!first || cursor.openTimestamp() == RowFormat.NO_TIMESTAMP);
        }
      }
    }
  }

  /** A seek to a key just after the current entry takes a short way. */
  @Test
  void aSeekAfterAnotherFindsTheSameAsAFirstOne() throws IOException {
    SampleEntries sample = SampleEntries.manyRows(200, 50);
    Sstable file = open(sample.write(Compression.LZ4));
    int last = sample.entries.size() - 1;
    ByteWriter key = new ByteWriter(64);
    try (EntryCursor cursor = file.cursor(new DirectBlocks())) {
      for (int from = 0; from <= last; from++) {
        for (int to = Math.max(0, from - 5); to <= Math.min(last, from + 10); to++) {
          for (boolean beyond : new boolean[] {false, true}) {
            Entry start = sample.entries.get(from);
            cursor.find(start.keySegment(), 0, start.keyLength(), start.prefixLength());
            Entry target = sample.entries.get(to);
            key.clear().putBytes(target.keySegment(), 0, target.keyLength());
            if (beyond) {
              key.putByte(0);
            }
            EntryCursor.Step step = cursor.seek(key.segment(), 0, key.size(), 0);
            for (int next = beyond ? to + 1 : to; next <= Math.min(last, to + 3); next++) {
              assertEquals(EntryCursor.Step.READY, step, from + " to " + to);
              assertEquals(
                  SampleEntries.text(sample.entries.get(next)), SampleEntries.text(cursor));
              step = cursor.next();
            }
            assertTrue(to + 3 < last || step == EntryCursor.Step.END);
          }
        }
      }
    }
  }

  @Test
  void statisticsDescribeTheEntries() throws IOException {
    SampleEntries sample = SampleEntries.allKinds();
    SstableStatistics statistics = open(sample.write(Compression.LZ4)).statistics();
    assertEquals(100, statistics.smallestTimestamp());
    assertEquals(900, statistics.largestTimestamp());
    assertEquals(1_700_003_600, statistics.smallestExpirySeconds());
    assertEquals(Long.MAX_VALUE, statistics.largestExpirySeconds());
    assertEquals(-5_000_000_000L, statistics.smallestToken());
    assertEquals(7, statistics.largestToken());
    assertEquals(2, statistics.partitions());
    assertEquals(6, statistics.rows());
    assertEquals(12, statistics.entries());
    assertEquals(0x3FF, statistics.kinds());
    assertArrayEquals(new byte[] {9, 8, 7}, statistics.logPositions());
    assertEquals(0, statistics.droppableRatio(1_700_000_000));
    assertTrue(statistics.droppableRatio(4_100_000_000L) > 0.5);
  }

  @Test
  void theFilterContainsEveryKey() throws IOException {
    SampleEntries sample = SampleEntries.manyRows(2000, 10);
    Sstable file = open(sample.write(Compression.LZ4));
    file.loadFilter();
    int wrong = 0;
    ByteWriter other = new ByteWriter(64);
    for (Entry entry : sample.entries) {
      if (entry.kind() != Entry.BOUND) {
        assertTrue(file.mayContain(Hashing.xxh3(entry.keySegment(), 0, entry.keyLength())));
      }
      assertTrue(file.mayContain(Hashing.xxh3(entry.keySegment(), 0, entry.prefixLength())));
      other.clear().putBytes(entry.keySegment(), 0, entry.keyLength()).putByte(1);
      wrong += file.mayContain(Hashing.xxh3(other.segment(), 0, other.size())) ? 1 : 0;
    }
    assertTrue(wrong < 60, wrong + " of 2002 wrongly, instead of 20");
  }

  @Test
  void aRowThatHasOnlyElementsIsCountedAndInTheFilter() throws IOException {
    SampleEntries sample = SampleEntries.allKinds();
    // without its own entry, the row consists of the two elements before the last entry
    Entry row = sample.entries.remove(sample.entries.size() - 4);
    Sstable file = open(sample.write(Compression.LZ4));
    assertEquals(6, file.statistics().rows());
    assertEquals(11, file.statistics().entries());
    file.loadFilter();
    assertTrue(file.mayContain(Hashing.xxh3(row.keySegment(), 0, row.keyLength())));
    assertEquals(sample.texts(), SampleEntries.readAll(file));
  }

  /** Reads all of a file, which must return what was written or raise an error. */
  private static void checkHarmlessOrDetected(byte[] bytes, SampleEntries sample, String what)
      throws IOException {
    try {
      Sstable file = open(bytes);
      file.loadFilter();
      assertEquals(sample.texts(), SampleEntries.readAll(file), what);
      for (Entry entry : sample.entries) {
        assertTrue(
            file.mayContain(Hashing.xxh3(entry.keySegment(), 0, entry.prefixLength())), what);
      }
    } catch (StorageException detected) {
      assertTrue(detected.getMessage().contains("data/7-1.sst"), () -> what + ": " + detected);
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void everyFlippedByteIsDetectedOrHarmless(Compression compression) throws IOException {
    List<SampleEntries> samples =
        List.of(SampleEntries.allKinds(), SampleEntries.manyRows(60, 300));
    for (SampleEntries sample : samples) {
      byte[] bytes = sample.write(compression);
      for (int i = 0; i < bytes.length; i += sample.entries.size() > 20 ? 7 : 1) {
        for (int mask : new int[] {0xFF, 0x01, 0x80}) {
          byte[] flipped = bytes.clone();
          flipped[i] = (byte) (flipped[i] ^ mask);
          checkHarmlessOrDetected(flipped, sample, "byte " + i + " xor " + mask);
        }
      }
    }
  }

  @Test
  void everyTruncatedFileIsRefused() throws IOException {
    byte[] bytes = SampleEntries.allKinds().write(Compression.LZ4);
    for (int length = 0; length < bytes.length; length++) {
      byte[] torn = java.util.Arrays.copyOf(bytes, length);
      StorageException refusal = assertThrows(StorageException.class, () -> open(torn));
      assertTrue(refusal.getMessage().contains("data/7-1.sst"));
    }
  }

  @Test
  void aDamagedBlockIsAnErrorThatNamesFileAndOffset() throws IOException {
    byte[] bytes = SampleEntries.manyRows(1000, 50).write(Compression.LZ4);
    bytes[20_000] ^= 4;
    Sstable file = open(bytes);
    StorageException error =
        assertThrows(StorageException.class, () -> SampleEntries.readAll(file));
    assertTrue(error.getMessage().matches("data/7-1.sst .*offset \\d+.*"), error.getMessage());
  }

  @Test
  void verifyReportsEveryDamagedBlockAndTheFilter() throws IOException {
    byte[] bytes = SampleEntries.manyRows(3000, 50).write(Compression.LZ4);
    List<String> problems = new ArrayList<>();
    open(bytes).verify(problems::add);
    assertEquals(List.of(), problems);
    int filter = sectionPosition(bytes, Layout.SECTION_FILTER);
    for (int at : new int[] {1_000, 20_000, 60_000, filter + 9}) {
      bytes[at] ^= 4;
    }
    open(bytes).verify(problems::add);
    assertEquals(4, problems.size(), problems::toString);
    for (String problem : problems) {
      assertTrue(problem.matches("data/7-1.sst .*offset \\d+.*"), problem);
    }
    assertEquals(4, problems.stream().distinct().count());
  }

  @Test
  void verifyReportsTheBlocksBelowADamagedIndexBlock() throws IOException {
    byte[] bytes = SampleEntries.manyRows(3000, 50).write(Compression.LZ4);
    int dataEnd = (int) ByteBuffer.wrap(bytes).getLong(bytes.length - 26);
    bytes[dataEnd - 10] ^= 1;
    List<String> problems = new ArrayList<>();
    open(bytes).verify(problems::add);
    assertEquals(2, problems.size(), problems::toString);
    assertTrue(problems.get(1).contains("were not checked"), problems.get(1));
  }

  private static int sectionPosition(byte[] bytes, int type) {
    ByteBuffer file = ByteBuffer.wrap(bytes);
    int entry = bytes.length - file.getInt(bytes.length - 18) + 2;
    while (file.getShort(entry) != type) {
      entry += Layout.SECTION_ENTRY_BYTES;
    }
    return (int) file.getLong(entry + 4);
  }

  @Test
  void aDiskErrorIsAnErrorThatNamesTheFile() throws IOException {
    SimFileSystem disk = disk(SampleEntries.manyRows(1000, 50).write(Compression.LZ4));
    Sstable file = new V1Format().open(disk.open(PATH));
    disk.faults(
        (operation, path) -> {
          throw new IOException("Input/output error");
        });
    StorageException error =
        assertThrows(StorageException.class, () -> SampleEntries.readAll(file));
    assertTrue(error.getMessage().contains(PATH), error.getMessage());
  }

  /** A file with an additional section of an unknown type. */
  private static byte[] withUnknownSection(byte[] bytes, int flags) {
    ByteWriter file = new ByteWriter(bytes.length + 64).putBytes(bytes);
    int footerLength = Bytes.getInt(file.segment(), bytes.length - 18);
    int start = bytes.length - footerLength;
    ByteWriter footer = new ByteWriter(256);
    int sections = Bytes.getUnsignedShort(file.segment(), start);
    footer.putShort(sections + 1);
    footer.putBytes(file.segment(), start + 2, 24L * sections);
    footer.putShort(99).putShort(flags).putLong(1).putLong(2).putInt(3);
    footer.putLong(Bytes.getLong(file.segment(), bytes.length - 26));
    footer.putInt(footerLength + 24);
    footer.putInt(new Crc32c().of(footer.segment(), 0, footer.size()));
    footer.putShort(Layout.VERSION).putLong(Layout.FOOTER_MAGIC);
    file.truncate(start).putBytes(footer.segment(), 0, footer.size());
    return file.toArray();
  }

  @Test
  void anUnknownOptionalSectionIsSkippedAndARequiredOneRefused() throws IOException {
    SampleEntries sample = SampleEntries.allKinds();
    byte[] bytes = sample.write(Compression.LZ4);
    assertEquals(sample.texts(), SampleEntries.readAll(open(withUnknownSection(bytes, 0))));
    byte[] required = withUnknownSection(bytes, Layout.SECTION_REQUIRED);
    StorageException refusal = assertThrows(StorageException.class, () -> open(required));
    assertTrue(refusal.getMessage().contains("type 99"), refusal.getMessage());
  }
}
