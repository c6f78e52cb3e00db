package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.MapType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tests whether a collection contains all parts of a {@link Restriction.Contains}. Elements are
 * compared by their key bytes, like all values that are filtered; those of a type without an order
 * by their wire bytes. For one read at a time. Not thread-safe.
 */
final class ContainsTest {
  private static final int KEPT_BYTES = 64 << 10;

  private final boolean ofMap;
  private final @Nullable KeyEncoding keys;
  private final @Nullable KeyEncoding values;
  private final List<Part> parts = new ArrayList<>();
  private final ByteWriter expected = new ByteWriter(64);
  private final ByteWriter collection = new ByteWriter(256);
  private final ByteWriter encoded = new ByteWriter(64);

  /** The expected bytes of a key and a value; null for any. */
  private record Part(@Nullable Expected key, @Nullable Expected value) {}

  /** The position in {@link #expected} of bytes in the form in which they are compared. */
  private record Expected(int offset, int length) {}

  /**
   * Creates a test with the values of a run.
   *
   * @throws CqlException INVALID if a value is null or unset
   */
  ContainsTest(Restriction.Contains restriction, BoundSlots bound) {
    CqlType type = restriction.firstColumn().type();
    ofMap = type instanceof MapType;
    keys = type.parts().getFirst().keyEncoding();
    values = valueEncoding(restriction.firstColumn());
    String column = restriction.firstColumn().name();
    for (Restriction.Contains.Part part : restriction.parts()) {
      String key = part.isEntry() ? "map key" : "value";
      String value = part.isEntry() ? "map value" : "value";
      parts.add(
          new Part(
              expect(part.keySlot(), keys, key, column, bound),
              expect(part.valueSlot(), values, value, column, bound)));
    }
  }

  /** As in Cassandra, elements and values of frozen collections have to be identical. */
  private static @Nullable KeyEncoding valueEncoding(ColumnSchema column) {
    CqlType values = column.type().parts().getLast();
    return !column.multiCell() && values.hasSpellings() ? null : values.keyEncoding();
  }

  private @Nullable Expected expect(
      int slot, @Nullable KeyEncoding encoding, String what, String column, BoundSlots bound) {
    if (slot < 0) {
      return null;
    }
    int length = bound.length(slot);
    if (length < 0) {
      throw CqlException.invalid(
          "Unsupported "
              + (length == BoundSlots.NULL ? "null " : "unset ")
              + what
              + " for column "
              + column);
    }
    int offset = expected.size();
    encode(encoding, bound.segment(slot), bound.offset(slot), length, expected);
    return new Expected(offset, expected.size() - offset);
  }

  private static void encode(
      @Nullable KeyEncoding encoding,
      MemorySegment segment,
      long offset,
      int length,
      ByteWriter out) {
    if (encoding == null) {
      out.putBytes(segment, offset, length);
    } else {
      encoding.write(segment, offset, length, false, out);
    }
  }

  /** Whether a collection in wire format contains all parts. */
  boolean accepts(byte[] wire) {
    collection.clear(KEPT_BYTES).putBytes(wire);
    for (Part part : parts) {
      if (!contains(part)) {
        return false;
      }
    }
    return true;
  }

  private boolean contains(Part part) {
    MemorySegment segment = collection.segment();
    long at = 4;
    for (int left = Bytes.getInt(segment, 0); left > 0; left--) {
      long valueAt = ofMap ? at + 4 + Bytes.getInt(segment, at) : at;
      if (matches(part.key, keys, segment, at) && matches(part.value, values, segment, valueAt)) {
        return true;
      }
      at = valueAt + 4 + Bytes.getInt(segment, valueAt);
    }
    return false;
  }

  private boolean matches(
      @Nullable Expected wanted, @Nullable KeyEncoding encoding, MemorySegment segment, long at) {
    if (wanted == null) {
      return true;
    }
    encoded.clear(KEPT_BYTES);
    encode(encoding, segment, at + 4, Bytes.getInt(segment, at), encoded);
    return Bytes.equal(
        encoded.segment(), 0, encoded.size(), expected.segment(), wanted.offset, wanted.length);
  }
}
