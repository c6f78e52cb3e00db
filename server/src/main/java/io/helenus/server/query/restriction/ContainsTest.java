package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexForms;
import io.helenus.server.schema.IndexValueForm;
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
 * compared by their key bytes, like all values that are filtered, or as an index compares them;
 * those of a type without an order by their wire bytes. For one read at a time. Not thread-safe.
 */
final class ContainsTest {
  private static final int KEPT_BYTES = 64 << 10;

  private final boolean ofMap;
  private final List<Part> parts = new ArrayList<>();
  private final ByteWriter expected = new ByteWriter(64);
  private final ByteWriter collection = new ByteWriter(256);
  private final ByteWriter encoded = new ByteWriter(64);

  /** The expected bytes of a key and a value; null for any. */
  private record Part(@Nullable Expected key, @Nullable Expected value) {}

  /** How a key or a value is compared; without an encoding and a form, by its wire bytes. */
  private record Order(@Nullable KeyEncoding encoding, @Nullable IndexValueForm form) {}

  /**
   * The position in {@link #expected} of bytes in the form in which they are compared.
   *
   * @param length negative for a value that the index does not contain, which equals none
   */
  private record Expected(Order order, int offset, int length) {}

  /**
   * Creates a test with the values of a run.
   *
   * @param index the use of indexes; null for none
   * @throws CqlException INVALID if a value is null or unset
   */
  ContainsTest(Restriction.Contains restriction, @Nullable IndexPlan index, BoundSlots bound) {
    ColumnSchema column = restriction.firstColumn();
    CqlType type = column.type();
    ofMap = type instanceof MapType;
    Order keys = new Order(type.parts().getFirst().keyEncoding(), null);
    Order values = new Order(valueEncoding(column), null);
    for (Restriction.Contains.Part part : restriction.parts()) {
      IndexForms forms = index == null ? null : index.forms(column, part);
      String key = part.isEntry() ? "map key" : "value";
      String value = part.isEntry() ? "map value" : "value";
      Order ofKey = forms == null ? keys : new Order(null, forms.key());
      Order ofValue = forms == null ? values : new Order(null, forms.value());
      parts.add(
          new Part(
              expect(part.keySlot(), ofKey, key, column.name(), bound),
              expect(part.valueSlot(), ofValue, value, column.name(), bound)));
    }
  }

  /** As in Cassandra, elements and values of frozen collections have to be identical. */
  private static @Nullable KeyEncoding valueEncoding(ColumnSchema column) {
    CqlType values = column.type().parts().getLast();
    return !column.multiCell() && values.hasForms() ? null : values.keyEncoding();
  }

  private @Nullable Expected expect(
      int slot, Order order, String what, String column, BoundSlots bound) {
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
    boolean indexed = encode(order, bound.segment(slot), bound.offset(slot), length, expected);
    return new Expected(order, offset, indexed ? expected.size() - offset : -1);
  }

  /** Appends a value as it is compared; returns false if the index does not contain it. */
  private static boolean encode(
      Order order, MemorySegment segment, long offset, int length, ByteWriter out) {
    if (order.form != null) {
      return order.form.write(segment, offset, length, out);
    }
    if (order.encoding != null) {
      order.encoding.write(segment, offset, length, false, out);
    } else {
      out.putBytes(segment, offset, length);
    }
    return true;
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
      if (matches(part.key, segment, at) && matches(part.value, segment, valueAt)) {
        return true;
      }
      at = valueAt + 4 + Bytes.getInt(segment, valueAt);
    }
    return false;
  }

  private boolean matches(@Nullable Expected wanted, MemorySegment segment, long at) {
    if (wanted == null) {
      return true;
    }
    encoded.clear(KEPT_BYTES);
    return wanted.length >= 0
        && encode(wanted.order, segment, at + 4, Bytes.getInt(segment, at), encoded)
        && Bytes.equal(
            encoded.segment(), 0, encoded.size(), expected.segment(), wanted.offset, wanted.length);
  }
}
