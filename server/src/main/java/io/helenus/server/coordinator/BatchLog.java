package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of the batch log: a table of storage of its own, one partition a logged batch, holding
 * all its mutations until every one of them has been applied. What is found there at a start is
 * applied again, which changes nothing where it had been.
 *
 * <p>Prefix: the token of the batch's first partition, so that the entry lies in its shard, and a
 * random id of 16 bytes in escaped form. One row with one cell: for each mutation its length (4
 * bytes) and bytes.
 */
public final class BatchLog {
  /** The storage id of the batch log's table. */
  public static final int TABLE_ID = 99;

  /** The id of its only column. */
  public static final int COLUMN_ID = 1;

  /** What storage knows of it. */
  public static final TableDescriptor TABLE =
      new TableDescriptor(
          TABLE_ID,
          List.of(
              new TableDescriptor.Column(
                  COLUMN_ID, TableDescriptor.Kind.SIMPLE, RowFormat.NO_TIMESTAMP)),
          0,
          TableDescriptor.Compression.LZ4,
          4,
          32,
          0.01);

  private final Clock clock;
  private final Randomness randomness;

  /** With the clock that stamps entries and the source of their ids. */
  public BatchLog(Clock clock, Randomness randomness) {
    this.clock = clock;
    this.randomness = randomness;
  }

  /** The key prefix of a new entry. */
  byte[] newPrefix(long token) {
    ByteWriter id = new ByteWriter(16);
    id.putLong(randomness.nextLong()).putLong(randomness.nextLong());
    ByteWriter prefix = new ByteWriter(64);
    KeyFormat.putPartition(token, id.segment(), 0, id.size(), prefix);
    return prefix.toArray();
  }

  /** Writes the mutation that records a batch. */
  void putEntry(long token, byte[] prefix, List<PartitionWrite> writes, ByteWriter out) {
    ByteWriter value = new ByteWriter(1024);
    for (PartitionWrite write : writes) {
      ByteWriter mutation = write.mutation();
      value.putInt(mutation.size()).putBytes(mutation.segment(), 0, mutation.size());
    }
    ByteWriter key = new ByteWriter(64);
    key.putBytes(prefix);
    ByteWriter suffix = rowSuffix();
    long timestamp = clock.wallMicros();
    MutationWriter writer = new MutationWriter(out);
    writer.begin(token, 0, key.segment(), 0, key.size()).beginTable(TABLE_ID);
    writer.beginRow(suffix.segment(), 0, suffix.size()).liveness(timestamp);
    writer.cell(COLUMN_ID, timestamp, value.segment(), 0, value.size()).endRow();
    writer.endTable().finish();
  }

  /** Writes the mutation that forgets a batch. */
  public void putRemoval(long token, byte[] prefix, ByteWriter out) {
    ByteWriter key = new ByteWriter(64);
    key.putBytes(prefix);
    long now = clock.wallMicros();
    MutationWriter writer = new MutationWriter(out);
    writer.begin(token, 0, key.segment(), 0, key.size()).beginTable(TABLE_ID);
    writer.partitionDeletion(Long.MAX_VALUE, now / 1_000_000).endTable().finish();
  }

  private static ByteWriter rowSuffix() {
    ByteWriter suffix = new ByteWriter(16);
    suffix.putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_END);
    return suffix;
  }

  /** The mutations of an entry's cell. */
  public static List<byte[]> mutations(MemorySegment value, long offset, int length) {
    List<byte[]> found = new ArrayList<>();
    long at = offset;
    while (at < offset + length) {
      int size = Bytes.getInt(value, at);
      found.add(Bytes.toArray(value, at + 4, size));
      at += 4 + size;
    }
    return found;
  }
}
