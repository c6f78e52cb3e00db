package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The batch log entry of one logged batch; the format is described in docs/batch-log.md. Immutable.
 *
 * @param writtenMicros when the batch was written, in microseconds since 1970 by the coordinator's
 *     wall clock
 * @param mutations its mutations in storage's encoding, with their original timestamps and expiry
 *     times
 */
public record BatchEntry(long writtenMicros, List<byte[]> mutations) {
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 1 + Long.BYTES;

  public BatchEntry {
    mutations = List.copyOf(mutations);
  }

  /** The format version of an encoded entry. */
  public static int version(MemorySegment bytes, long offset, int length) {
    return length == 0 ? 0 : Bytes.getUnsignedByte(bytes, offset);
  }

  /** Whether this program can read entries of a format version. */
  public static boolean isKnown(int version) {
    return version == VERSION;
  }

  /** Encodes the entry of a batch. */
  public static void encode(long writtenMicros, Iterable<ByteWriter> mutations, ByteWriter out) {
    begin(writtenMicros, out);
    for (ByteWriter mutation : mutations) {
      out.putInt(mutation.size()).putBytes(mutation.segment(), 0, mutation.size());
    }
  }

  /** Begins the entry of a batch whose mutations are written in place. */
  public static void begin(long writtenMicros, ByteWriter out) {
    out.putByte(VERSION).putLong(writtenMicros);
  }

  /** Begins a mutation in place; returns its offset, for {@link #endMutation}. */
  public static int beginMutation(ByteWriter out) {
    return out.putInt(0).size();
  }

  /** Ends the mutation that begins at an offset. */
  public static void endMutation(int offset, ByteWriter out) {
    out.setInt(offset - Integer.BYTES, out.size() - offset);
  }

  /**
   * Decodes an entry of a known version.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static BatchEntry decode(MemorySegment bytes, long offset, int length) {
    if (length < HEADER_BYTES || !isKnown(version(bytes, offset, length))) {
      throw new IllegalArgumentException("malformed batch log entry of " + length + " bytes");
    }
    List<byte[]> mutations = new ArrayList<>();
    long end = offset + length;
    long at = offset + HEADER_BYTES;
    while (at < end) {
      if (end - at < Integer.BYTES) {
        throw new IllegalArgumentException("batch log entry truncated within a length");
      }
      int size = Bytes.getInt(bytes, at);
      at += Integer.BYTES;
      if (size < 0 || size > end - at) {
        throw new IllegalArgumentException("batch log entry truncated within a mutation");
      }
      mutations.add(Bytes.toArray(bytes, at, size));
      at += size;
    }
    return new BatchEntry(Bytes.getLong(bytes, offset + 1), mutations);
  }
}
