package io.helenus.storage.sstable.v1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.engine.TableDescriptor.Compression;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableWriter;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The files of indexes: entries leave out tokens and are read as if they did not. */
class IndexEntriesTest {
  private static final HexFormat HEX = HexFormat.of();

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  /**
   * Keys in hexadecimal digits, whose order is that of the bytes; the length of the term, twice.
   */
  private final NavigableMap<String, int[]> entries = new TreeMap<>();

  private final ByteWriter key = new ByteWriter(64);
  private final ByteWriter value = new ByteWriter(8);

  private void add(ByteWriter term, long token, ByteWriter partition, int row) {
    key.clear().putBytes(term.segment(), 0, term.size());
    KeyFormat.putPartition(token, partition.segment(), 0, partition.size(), key);
    int prefix = key.size();
    key.putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_VALUE).putInt(row);
    key.putByte(KeyFormat.TAG_END);
    entries.put(HEX.formatHex(key.toArray()), new int[] {term.size(), prefix});
  }

  private static long token(ByteWriter partition) {
    return Murmur3.token(partition.segment(), 0, partition.size());
  }

  private Sstable write(SimFileSystem disk) throws IOException {
    FileSystem.File file = disk.create("1-1.1.idx");
    SstableWriter.Options options = SstableWriter.Options.ofIndex(1, Compression.NONE);
    try (SstableWriter writer = new V1Format().create(file, options)) {
      for (Map.Entry<String, int[]> each : entries.entrySet()) {
        writer.add(entry(each.getKey(), each.getValue()));
      }
      writer.finish();
    }
    return new V1Format().open(file);
  }

  private Entry entry(String hex, int[] lengths) {
    key.clear().putBytes(HEX.parseHex(hex));
    value.clear().putVarint(lengths[0]);
    return new SampleEntries.FixedEntry(key, lengths[1], value);
  }

  private static String hex(EntryCursor cursor) {
    return HEX.formatHex(
        Bytes.toArray(cursor.keySegment(), cursor.keyOffset(), cursor.keyLength()));
  }

  private void assertAt(String expected, EntryCursor cursor) {
    assertEquals(expected, hex(cursor));
    int[] lengths = entries.get(expected);
    assertEquals(lengths[1], cursor.prefixLength());
    assertEquals(lengths[0], Bytes.getVarint(cursor.valueSegment(), cursor.valueOffset()));
  }

  private void assertReadable(Sstable file, SimRandomness random) {
    try (DirectBlocks blocks = new DirectBlocks();
        EntryCursor cursor = file.cursor(blocks)) {
      EntryCursor.Step step = cursor.first();
      for (String expected : entries.keySet()) {
        assertEquals(EntryCursor.Step.READY, step);
        assertAt(expected, cursor);
        step = cursor.next();
      }
      assertEquals(EntryCursor.Step.END, step);
      for (String present : entries.keySet()) {
        byte[] target = HEX.parseHex(present);
        if (random.percent(60)) {
          // a key between two others, or a part of one
          target = java.util.Arrays.copyOf(target, 1 + random.below(target.length));
          target[target.length - 1] += (byte) (random.below(3) - 1);
        }
        key.clear().putBytes(target);
        String expected = entries.ceilingKey(HEX.formatHex(target));
        EntryCursor.Step found = cursor.seek(key.segment(), 0, key.size(), 0);
        if (expected == null) {
          assertEquals(EntryCursor.Step.END, found);
          continue;
        }
        assertEquals(EntryCursor.Step.READY, found);
        assertAt(expected, cursor);
        String before = entries.lowerKey(HEX.formatHex(target));
        key.clear().putBytes(target);
        if (before != null) {
          assertEquals(EntryCursor.Step.READY, cursor.seekBefore(key.segment(), 0, key.size(), 0));
          assertAt(before, cursor);
        }
      }
    }
    file.verify(problem -> assertEquals("", problem));
  }

  /** Terms that share prefixes, partitions with several rows, tokens of the partitioner and not. */
  @Test
  void entriesAreReadAsTheyWereWritten() throws Exception {
    seeds.each(
        60,
        seed -> {
          SimRandomness random = new SimRandomness(seed);
          entries.clear();
          int others = random.percent(30) ? 0 : random.below(100);
          int terms = 1 + random.below(6);
          for (int i = 1 + random.below(3_000); i > 0; i--) {
            ByteWriter term = new ByteWriter(16);
            term.putInt(0x40000000 + 50 * random.below(terms)).putShort(0x2000);
            ByteWriter partition = new ByteWriter(16);
            int length = random.below(20);
            for (int b = 0; b < length; b++) {
              partition.putByte(random.below(4) * random.below(3));
            }
            // some of the partitioner's tokens differ in their last bytes only from others
            long token = token(partition) ^ (random.percent(others) ? random.below(70_000) : 0);
            for (int row = random.below(3); row >= 0; row--) {
              add(term, token, partition, row);
            }
          }
          assertReadable(write(new SimFileSystem(random)), random);
        });
  }

  @Test
  void tokensThatFollowFromTheKeyTakeNoSpace() throws IOException {
    long[] bytes = new long[2];
    for (int own = 0; own < 2; own++) {
      entries.clear();
      for (int i = 0; i < 10_000; i++) {
        ByteWriter term = new ByteWriter(4).putInt(i % 10);
        ByteWriter partition = new ByteWriter(8).putInt(0x01010101 + 7 * i);
        add(term, token(partition) + own, partition, 1);
      }
      bytes[own] = write(new SimFileSystem(new SimRandomness(1))).sizeBytes();
    }
    assertTrue(bytes[1] - bytes[0] > 10_000 * 7, bytes[0] + " and " + bytes[1] + " bytes");
  }
}
