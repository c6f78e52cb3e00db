package io.helenus.server.simulation.cluster;

import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.BiPredicate;

/** Takes the data replies of replicas apart (storage/docs/raw-read.md), to plant bugs in them. */
final class RawReply {
  private static final int PARTITION_DELETION = 1;
  private static final int ROW = 1;
  private static final int BOUND = 2;
  private static final int ELEMENT = 3;

  private final ByteBuffer in;
  private final ByteBuffer out;

  private RawReply(byte[] reply) {
    in = ByteBuffer.wrap(reply);
    out = ByteBuffer.allocate(reply.length);
  }

  /** A reply without deletions of partitions and ranges. */
  static byte[] withoutDeletions(byte[] reply) {
    return new RawReply(reply).edit(true, (key, value) -> true);
  }

  /**
   * A reply without the rows that a predicate does not accept; static rows stay.
   *
   * @param accepts given the key, in hexadecimal, and the value
   */
  static byte[] withRows(byte[] reply, BiPredicate<String, byte[]> accepts) {
    return new RawReply(reply).edit(false, accepts);
  }

  /** The keys in a list of them. */
  static Set<String> keys(byte[] list) {
    RawReply reply = new RawReply(list);
    Set<String> keys = new HashSet<>();
    byte unused = reply.in.get();
    while (reply.in.get(reply.in.position()) != 0) {
      byte[] prefix = reply.bytes();
      keys.add(text(prefix) + text(reply.bytes()));
    }
    return keys;
  }

  /** Whether the cell of four bytes of a row, of which there is one, is this number. */
  static boolean has(byte[] row, int number) {
    if (row.length == 0) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(row.length);
      MemorySegment.copy(row, 0, segment, ValueLayout.JAVA_BYTE, 0, row.length);
      RowView view = new RowView().wrap(segment, 0, row.length);
      while (view.nextCell()) {
        if (view.valueLength() == Integer.BYTES && view.pathLength() < 0) {
          return ByteBuffer.wrap(row).getInt((int) view.valueOffset()) == number;
        }
      }
      return false;
    }
  }

  private static String text(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private byte[] edit(boolean dropDeletions, BiPredicate<String, byte[]> accepts) {
    out.put(in.get());
    while (in.get(in.position()) != 0) {
      String prefix = text(copyBytes());
      byte flags = in.get();
      boolean deleted = (flags & PARTITION_DELETION) != 0;
      out.put(deleted && dropDeletions ? (byte) (flags & ~PARTITION_DELETION) : flags);
      for (int i = 0; deleted && i < Long.BYTES + Integer.BYTES; i++) {
        byte next = in.get();
        if (!dropDeletions) {
          out.put(next);
        }
      }
      entries(prefix, dropDeletions, accepts);
    }
    out.put(in);
    return Arrays.copyOf(out.array(), out.position());
  }

  private void entries(String prefix, boolean dropDeletions, BiPredicate<String, byte[]> accepts) {
    boolean keeps = true;
    while (true) {
      int begin = out.position();
      byte kind = in.get();
      out.put(kind);
      if (kind == 0) {
        return;
      }
      byte[] suffix = copyBytes();
      if (kind == ROW) {
        byte[] value = copyBytes();
        keeps = suffix[0] == KeyFormat.SECTION_STATIC || accepts.test(prefix + text(suffix), value);
      } else if (kind == BOUND || kind == ELEMENT) {
        byte[] unused = copyBytes();
      }
      boolean isOfRow = kind == ROW || kind == ELEMENT;
      if (isOfRow && !keeps || kind == BOUND && dropDeletions) {
        out.position(begin);
      }
    }
  }

  private byte[] bytes() {
    int length = 0;
    int shift = 0;
    byte next;
    do {
      next = in.get();
      length |= (next & 0x7F) << shift;
      shift += 7;
    } while (next < 0);
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private byte[] copyBytes() {
    int begin = in.position();
    byte[] bytes = bytes();
    out.put(in.array(), begin, in.position() - begin);
    return bytes;
  }
}
