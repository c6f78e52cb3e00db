package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Entries of every kind, encoded by hand according to storage/docs/rows.md. */
final class SampleEntries {
  private static final String PATH = "data/7-1.sst";

  /** An entry with fixed bytes. */
  static final class FixedEntry extends Entry {
    FixedEntry(ByteWriter key, int prefix, ByteWriter value) {
      keySegment = key.segment();
      keyLength = key.size();
      prefixLength = prefix;
      valueSegment = value.segment();
      valueLength = value.size();
    }
  }

  final List<FixedEntry> entries = new ArrayList<>();

  private static ByteWriter prefix(long token, String name) {
    ByteWriter plain = new ByteWriter(16).putBytes(name.getBytes(StandardCharsets.UTF_8));
    ByteWriter key = new ByteWriter(64);
    KeyFormat.putPartition(token, plain.segment(), 0, plain.size(), key);
    return key;
  }

  private static ByteWriter clustering(ByteWriter prefix, int value, int tag) {
    ByteWriter key = new ByteWriter(64).putBytes(prefix.segment(), 0, prefix.size());
    key.putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_VALUE);
    return key.putInt(value ^ Integer.MIN_VALUE).putByte(tag);
  }

  private void add(ByteWriter key, ByteWriter prefix, ByteWriter value) {
    entries.add(new FixedEntry(key, prefix.size(), value));
  }

  private static ByteWriter bytes(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return new ByteWriter(64).putVarint(utf8.length).putBytes(utf8);
  }

  private static void put(ByteWriter row, String text) {
    ByteWriter value = bytes(text);
    row.putBytes(value.segment(), 0, value.size());
  }

  /** Every kind of entry, deletion and cell, in two partitions. */
  static SampleEntries allKinds() {
    SampleEntries sample = new SampleEntries();
    ByteWriter first = prefix(-5_000_000_000L, "first");
    ByteWriter second = prefix(7, "second");
    ByteWriter deletion = new ByteWriter(16).putLong(100).putInt(1_700_000_000);
    ByteWriter section = new ByteWriter(64).putBytes(first.segment(), 0, first.size());
    sample.add(section.putByte(KeyFormat.SECTION_PARTITION_DELETION), first, deletion);
    section = new ByteWriter(64).putBytes(first.segment(), 0, first.size());
    sample.add(section.putByte(KeyFormat.SECTION_STATIC), first, sample.staticRow());
    sample.add(
        clustering(first, 1, KeyFormat.TAG_BOUND_BEFORE),
        first,
        bound(RowFormat.NO_TIMESTAMP, 300));
    sample.add(clustering(first, 2, KeyFormat.TAG_END), first, sample.insertedRow());
    sample.add(clustering(first, 3, KeyFormat.TAG_BOUND_AFTER), first, bound(300, 301));
    sample.add(clustering(first, 4, KeyFormat.TAG_END), first, sample.deletedRow());
    sample.add(
        clustering(first, 5, KeyFormat.TAG_BOUND_AFTER), first, bound(301, RowFormat.NO_TIMESTAMP));
    sample.add(clustering(second, -1, KeyFormat.TAG_END), second, sample.expiringRow());
    sample.add(clustering(second, 0, KeyFormat.TAG_END), second, sample.multiCellRow());
    sample.add(element(second, "path a"), second, sample.element());
    sample.add(element(second, "path b"), second, sample.elementTombstone());
    sample.add(clustering(second, 1, KeyFormat.TAG_END), second, sample.counterRow());
    return sample;
  }

  private static ByteWriter bound(long closed, long opened) {
    ByteWriter value = new ByteWriter(32);
    BoundView.write(closed, 1_700_000_001, opened, 1_700_000_002, value);
    return value;
  }

  private ByteWriter staticRow() {
    ByteWriter row = new ByteWriter(64).putByte(0).putLong(400);
    put(row.putVarint(3).putByte(0), "static value");
    return row;
  }

  private ByteWriter insertedRow() {
    ByteWriter row = new ByteWriter(64).putByte(RowFormat.ROW_LIVENESS).putLong(500);
    put(row.putVarint(1).putByte(0), "one");
    put(row.putVarint(2).putByte(RowFormat.CELL_OWN_TIMESTAMP).putLong(501), "two");
    row.putVarint(200).putByte(RowFormat.CELL_TOMBSTONE).putInt(1_700_000_003);
    return row;
  }

  private ByteWriter deletedRow() {
    ByteWriter row = new ByteWriter(64).putByte(RowFormat.ROW_DELETION).putLong(0);
    return row.putLong(600).putInt(1_700_000_004);
  }

  private ByteWriter expiringRow() {
    int flags = RowFormat.ROW_LIVENESS | RowFormat.ROW_EXPIRING;
    ByteWriter row = new ByteWriter(64).putByte(flags).putLong(700);
    row.putInt(3600).putInt(1_700_003_600);
    put(row.putVarint(1).putByte(RowFormat.CELL_ROW_EXPIRY), "with the row");
    row.putVarint(2).putByte(RowFormat.CELL_EXPIRING).putInt(60).putInt((int) 4_000_000_000L);
    put(row, "after 2038");
    return row;
  }

  private ByteWriter multiCellRow() {
    ByteWriter row = new ByteWriter(64).putByte(0).putLong(800);
    row.putVarint(4).putByte(RowFormat.CELL_COLUMN_DELETION).putInt(1_700_000_005);
    return row;
  }

  private static ByteWriter element(ByteWriter prefix, String path) {
    ByteWriter key = clustering(prefix, 0, KeyFormat.TAG_END).putInt(4);
    return key.putBytes(path.getBytes(StandardCharsets.UTF_8)).putByte(0);
  }

  private ByteWriter element() {
    ByteWriter value = new ByteWriter(64).putVarint(4 + 6 + 1);
    put(value.putByte(0).putLong(801).putVarint(4).putByte(0), "value a");
    return value;
  }

  private ByteWriter elementTombstone() {
    ByteWriter value = new ByteWriter(64).putVarint(4 + 6 + 1).putByte(0).putLong(802);
    return value.putVarint(4).putByte(RowFormat.CELL_TOMBSTONE).putInt(1_700_000_006);
  }

  private ByteWriter counterRow() {
    ByteWriter row = new ByteWriter(64).putByte(0).putLong(900);
    row.putVarint(5).putByte(RowFormat.CELL_COUNTER).putVarint(1 + 2 * 32).putVarint(2);
    row.putLong(1).putLong(2).putLong(3).putLong(4);
    row.putLong(5).putLong(6).putLong(7).putLong(-8);
    return row;
  }

  /** Many rows of a partition under a range deletion: several blocks and restarts. */
  static SampleEntries manyRows(int count, int valueBytes) {
    SampleEntries sample = new SampleEntries();
    ByteWriter prefix = prefix(42, "wide");
    ByteWriter deletion = new ByteWriter(16).putLong(100).putInt(1_700_000_000);
    ByteWriter section = new ByteWriter(64).putBytes(prefix.segment(), 0, prefix.size());
    sample.add(section.putByte(KeyFormat.SECTION_PARTITION_DELETION), prefix, deletion);
    sample.add(
        clustering(prefix, 0, KeyFormat.TAG_BOUND_BEFORE),
        prefix,
        bound(RowFormat.NO_TIMESTAMP, 300));
    for (int i = 0; i < count; i++) {
      ByteWriter row = new ByteWriter(64).putByte(RowFormat.ROW_LIVENESS).putLong(1000 + i);
      row.putVarint(1).putByte(0).putVarint(valueBytes);
      for (int at = 0; at < valueBytes; at++) {
        row.putByte(i * 31 + at * at);
      }
      sample.add(clustering(prefix, i, KeyFormat.TAG_END), prefix, row);
    }
    sample.add(
        clustering(prefix, count, KeyFormat.TAG_BOUND_AFTER),
        prefix,
        bound(300, RowFormat.NO_TIMESTAMP));
    return sample;
  }

  /** The bytes of a file with these entries. */
  byte[] write(TableDescriptor.Compression compression) throws IOException {
    SimFileSystem disk = new SimFileSystem(new SimRandomness(1));
    SstableWriter writer =
        new V1Format()
            .create(
                disk.create(PATH),
                new SstableWriter.Options(
                    7,
                    new int[] {1, 2, 3, 4, 5, 200},
                    compression,
                    0.01,
                    entries.size(),
                    new byte[] {9, 8, 7},
                    io.helenus.storage.engine.PartitionLimits.NONE));
    for (Entry entry : entries) {
      writer.add(entry);
    }
    writer.finish();
    return disk.contents(PATH);
  }

  static String text(Entry entry) {
    HexFormat hex = HexFormat.of();
    return hex.formatHex(Bytes.toArray(entry.keySegment(), entry.keyOffset(), entry.keyLength()))
        + " "
        + entry.prefixLength()
        + " "
        + hex.formatHex(
            Bytes.toArray(entry.valueSegment(), entry.valueOffset(), entry.valueLength()));
  }

  List<String> texts() {
    return entries.stream().map(SampleEntries::text).toList();
  }

  /** All entries of a file, forward. */
  static List<String> readAll(Sstable file) {
    List<String> lines = new ArrayList<>();
    try (EntryCursor cursor = file.cursor(new DirectBlocks())) {
      EntryCursor.Step step = cursor.first();
      while (step == EntryCursor.Step.READY) {
        lines.add(text(cursor));
        step = cursor.next();
      }
    }
    return lines;
  }
}
