package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;

/**
 * The storage table of a node's batch log: one partition for each logged batch that is in progress
 * or unfinished, with a single row and a single cell, a {@link BatchEntry}. Stateless.
 */
public final class BatchLog {
  /** The storage id of the table. */
  public static final int TABLE_ID = 99;

  /** The id of its only column. */
  public static final int COLUMN_ID = 1;

  /** The table's descriptor for storage. */
  public static final TableDescriptor TABLE = TableDescriptor.ofSingleCells(TABLE_ID, COLUMN_ID);

  private static final long MICROS_PER_SECOND = 1_000_000;

  private BatchLog() {}

  /** Appends the mutation that stores an entry. */
  static void store(
      BatchId id, MemorySegment entry, int length, long nowMicros, MutationWriter writer) {
    ByteWriter prefix = id.prefix();
    ByteWriter suffix = new ByteWriter(16);
    suffix.putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_END);
    writer.begin(id.token(), 0, prefix.segment(), 0, prefix.size()).beginTable(TABLE_ID);
    writer.beginRow(suffix.segment(), 0, suffix.size()).liveness(nowMicros);
    writer.cell(COLUMN_ID, nowMicros, entry, 0, length).endRow();
    writer.endTable().finish();
  }

  /** Builds the mutation that removes an entry. */
  static ByteWriter removing(BatchId id, long nowMicros) {
    ByteWriter prefix = id.prefix();
    ByteWriter mutation = new ByteWriter(128);
    MutationWriter writer = new MutationWriter(mutation);
    writer.begin(id.token(), 0, prefix.segment(), 0, prefix.size()).beginTable(TABLE_ID);
    writer.partitionDeletion(Long.MAX_VALUE, nowMicros / MICROS_PER_SECOND).endTable().finish();
    return mutation;
  }
}
