package io.helenus.server.viewbuild;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.UUID;

/**
 * The storage table in which a node notes how far its builds of materialized views are
 * (docs/views.md): one partition for each view, with a single row and a single cell. Stateless.
 */
public final class ViewBuildLog {
  /** The storage id of the table. */
  public static final int TABLE_ID = 98;

  private static final int COLUMN_ID = 1;
  private static final int VERSION = 1;
  private static final long MICROS_PER_SECOND = 1_000_000;

  /** The table's descriptor for storage. */
  public static final TableDescriptor TABLE = TableDescriptor.ofSingleCells(TABLE_ID, COLUMN_ID);

  private ViewBuildLog() {}

  /**
   * How far the build of a view is.
   *
   * @param done whether the view is built
   * @param tokens up to where each shard has built it; Long.MIN_VALUE for nothing. Without meaning
   *     for another number of shards
   */
  record Note(boolean done, long[] tokens) {
    /** Nothing is built. */
    static Note none(int shards) {
      long[] tokens = new long[shards];
      Arrays.fill(tokens, Long.MIN_VALUE);
      return new Note(false, tokens);
    }
  }

  private static ByteWriter key(UUID viewId) {
    return new ByteWriter(16)
        .putLong(viewId.getMostSignificantBits())
        .putLong(viewId.getLeastSignificantBits());
  }

  /** The token of the partition of a view. */
  private static long token(UUID viewId) {
    ByteWriter key = key(viewId);
    return Murmur3.token(key.segment(), 0, key.size());
  }

  private static ByteWriter prefix(UUID viewId) {
    ByteWriter key = key(viewId);
    ByteWriter prefix = new ByteWriter(64);
    KeyFormat.putPartition(token(viewId), key.segment(), 0, key.size(), prefix);
    return prefix;
  }

  /** The view of a partition. */
  static UUID view(MemorySegment prefix, long offset) {
    ByteWriter key = new ByteWriter(16);
    long ignored = KeyFormat.readPartitionKey(prefix, offset, key);
    return new UUID(Bytes.getLong(key.segment(), 0), Bytes.getLong(key.segment(), Long.BYTES));
  }

  /** The mutation that notes how far a build is. */
  static ByteWriter noting(UUID viewId, Note note, long timestampMicros) {
    ByteWriter value = new ByteWriter(64).putByte(VERSION).putByte(note.done ? 1 : 0);
    for (long token : note.tokens) {
      value.putLong(token);
    }
    ByteWriter prefix = prefix(viewId);
    ByteWriter suffix = new ByteWriter(2);
    suffix.putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_END);
    ByteWriter mutation = new ByteWriter(256);
    MutationWriter writer = new MutationWriter(mutation);
    writer.begin(token(viewId), 0, prefix.segment(), 0, prefix.size()).beginTable(TABLE_ID);
    writer.beginRow(suffix.segment(), 0, suffix.size()).liveness(timestampMicros);
    writer.cell(COLUMN_ID, timestampMicros, value.segment(), 0, value.size()).endRow();
    writer.endTable().finish();
    return mutation;
  }

  /** The mutation that removes the note of a view, which does not exist any more. */
  static ByteWriter removing(UUID viewId, long nowMicros) {
    ByteWriter prefix = prefix(viewId);
    ByteWriter mutation = new ByteWriter(128);
    MutationWriter writer = new MutationWriter(mutation);
    writer.begin(token(viewId), 0, prefix.segment(), 0, prefix.size()).beginTable(TABLE_ID);
    writer.partitionDeletion(Long.MAX_VALUE, nowMicros / MICROS_PER_SECOND).endTable().finish();
    return mutation;
  }

  /** The note in a row. */
  static Note note(RowView row) {
    row.rewind();
    while (row.nextCell()) {
      if (row.column() == COLUMN_ID
          && row.valueLength() >= 2
          && Bytes.getByte(row.segment(), row.valueOffset()) == VERSION) {
        boolean done = Bytes.getByte(row.segment(), row.valueOffset() + 1) != 0;
        long[] tokens = new long[(row.valueLength() - 2) / Long.BYTES];
        for (int i = 0; i < tokens.length; i++) {
          tokens[i] = Bytes.getLong(row.segment(), row.valueOffset() + 2 + (long) i * Long.BYTES);
        }
        return new Note(done, tokens);
      }
    }
    return Note.none(0);
  }
}
