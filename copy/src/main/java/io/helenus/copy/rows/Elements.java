package io.helenus.copy.rows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of collections and user types in versions 3 to 5 of the protocol. An element is the
 * slice with its length prefix, an entry of a map that with both; so any choice of them makes a
 * collection without knowing their types. Stateless.
 */
final class Elements {
  private static final int INT_BYTES = 4;

  private Elements() {}

  /** The elements of a set or list, or the entries of a map. */
  static List<ByteBuffer> split(ByteBuffer collection, Column.Form form) {
    ByteBuffer rest = collection.slice();
    int count = rest.getInt();
    List<ByteBuffer> elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int start = rest.position();
      skip(rest);
      if (form == Column.Form.MAP) {
        skip(rest);
      }
      elements.add(rest.slice(start, rest.position() - start));
    }
    return elements;
  }

  private static void skip(ByteBuffer rest) {
    int length = rest.getInt();
    rest.position(rest.position() + Math.max(0, length));
  }

  /** The number of elements; 0 of null. */
  static int count(@Nullable ByteBuffer collection) {
    return collection == null ? 0 : collection.getInt(collection.position());
  }

  /** A collection of elements. */
  static ByteBuffer join(List<ByteBuffer> elements) {
    int bytes = INT_BYTES;
    for (ByteBuffer element : elements) {
      bytes += element.remaining();
    }
    ByteBuffer joined = ByteBuffer.allocate(bytes).putInt(elements.size());
    elements.forEach(element -> joined.put(element.duplicate()));
    return joined.flip();
  }

  /** The fields of a user type, without prefixes; null where a field is null or missing. */
  static @Nullable ByteBuffer[] fields(ByteBuffer value, int count) {
    ByteBuffer rest = value.slice();
    @Nullable ByteBuffer[] fields = new @Nullable ByteBuffer[count];
    for (int i = 0; i < count && rest.hasRemaining(); i++) {
      int length = rest.getInt();
      if (length >= 0) {
        fields[i] = rest.slice(rest.position(), length);
        rest.position(rest.position() + length);
      }
    }
    return fields;
  }

  /** The write times of elements from a {@code list<bigint>}; 0 where one is null. */
  static long[] writeTimes(@Nullable ByteBuffer list, int count) {
    @Nullable ByteBuffer[] listed = listed(list, count);
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      ByteBuffer time = listed[i];
      times[i] = time == null ? 0 : time.getLong(0);
    }
    return times;
  }

  /** The TTLs of elements from a {@code list<int>}; 0 where there is none. */
  static int[] ttls(@Nullable ByteBuffer list, int count) {
    @Nullable ByteBuffer[] listed = listed(list, count);
    int[] ttls = new int[count];
    for (int i = 0; i < count; i++) {
      ttls[i] = remaining(listed[i]);
    }
    return ttls;
  }

  private static @Nullable ByteBuffer[] listed(@Nullable ByteBuffer list, int count) {
    // after the count, a list is encoded like a user type
    return list == null
        ? new @Nullable ByteBuffer[count]
        : fields(list.slice(list.position() + INT_BYTES, list.remaining() - INT_BYTES), count);
  }

  /**
   * A TTL to write; 0 for none. A cell that expires within this second gets 1: without TTL, which
   * is what 0 means, it would stay.
   */
  static int remaining(@Nullable ByteBuffer ttl) {
    return ttl == null || !ttl.hasRemaining() ? 0 : Math.max(1, ttl.getInt(ttl.position()));
  }

  static int compareUnsigned(ByteBuffer a, ByteBuffer b) {
    int mismatch = a.mismatch(b);
    if (mismatch < 0) {
      return 0;
    }
    if (mismatch == a.remaining() || mismatch == b.remaining()) {
      return Integer.compare(a.remaining(), b.remaining());
    }
    return Byte.compareUnsigned(a.get(a.position() + mismatch), b.get(b.position() + mismatch));
  }
}
