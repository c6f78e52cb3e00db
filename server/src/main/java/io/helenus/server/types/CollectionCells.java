package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Maps a collection that is not frozen to cells with paths (storage/docs/rows.md), one per element.
 * The path is the set element, the map key or, for a list, a time uuid, each encoded as a key
 * component so that cells sort in the order of the type. The value is the map value, the list
 * element, or nothing for a set.
 *
 * <p>Some key encodings do not preserve the exact bytes of a value ({@link
 * KeyEncoding#keepsWireValue}). There the cell's value starts with the element's wire bytes,
 * preceded by their length as a varint; the length is 0 if decoding the path yields the same bytes.
 * The bytes returned are thus those of the winning cell, as in Cassandra.
 *
 * <p>Immutable; any thread. Reading allocates nothing.
 */
public final class CollectionCells {
  /** The maximum length of a set element or map key, in bytes. */
  public static final int ELEMENT_LIMIT_BYTES = 65_535;

  private enum Kind {
    LIST,
    SET,
    MAP
  }

  private final Kind kind;
  private final KeyEncoding encoding;
  private final boolean keepsForm;

  private CollectionCells(Kind kind, KeyEncoding encoding) {
    this.kind = kind;
    this.encoding = encoding;
    this.keepsForm = encoding.keepsWireValue();
  }

  /** Returns the mapping for a collection that {@link CqlType#isMultiCell}. */
  public static CollectionCells of(CqlType type) {
    return switch (type) {
      case ListType ignored -> new CollectionCells(Kind.LIST, ScalarKeyEncoding.TIMEUUID);
      case SetType set -> new CollectionCells(Kind.SET, path(set.element()));
      case MapType map -> new CollectionCells(Kind.MAP, path(map.key()));
      case ScalarType _, TupleType _, UserType _, VectorType _, CustomType _ ->
          throw new IllegalArgumentException("not a collection: " + type.toCql());
    };
  }

  /** Elements without an encoding, which are durations, are refused where types are named. */
  private static KeyEncoding path(CqlType element) {
    return Objects.requireNonNull(element.keyEncoding(), element::toCql);
  }

  /** Whether elements are addressed by a time uuid rather than by their value. */
  public boolean isList() {
    return kind == Kind.LIST;
  }

  /** Whether an element consists of a key and a value. */
  public boolean isMap() {
    return kind == Kind.MAP;
  }

  /** Whether a cell's value starts with the wire bytes of its path. */
  boolean keepsForm() {
    return keepsForm;
  }

  /** The encoding of values as paths. */
  KeyEncoding encoding() {
    return encoding;
  }

  /** Appends the path of a set element or map key that has been validated. */
  public void putPath(MemorySegment value, long offset, int length, ByteWriter out) {
    encoding.write(value, offset, length, false, out);
  }

  /**
   * Appends the element of the view's current cell in the wire format of a collection: a four-byte
   * length and the value, for a map the key and then the value.
   */
  public void read(RowView cell, ByteWriter out) {
    MemorySegment segment = cell.segment();
    read(segment, cell.pathOffset(), segment, cell.valueOffset(), cell.valueLength(), out);
  }

  /** Appends the element with a path and a cell's value in the wire format of a collection. */
  public void read(
      MemorySegment path,
      long pathOffset,
      MemorySegment value,
      long valueOffset,
      int valueLength,
      ByteWriter out) {
    if (kind == Kind.SET && !keepsForm) {
      long _ = encoding.readWithLength(path, pathOffset, false, out);
      return;
    }
    long valueAt = valueOffset;
    long end = valueOffset + valueLength;
    if (kind != Kind.LIST) {
      long form = 0;
      if (keepsForm) {
        form = Bytes.getVarint(value, valueAt);
        valueAt = Bytes.varintEnd(value, valueAt);
      }
      if (form > 0) {
        out.putInt((int) form).putBytes(value, valueAt, form);
        valueAt += form;
      } else {
        long _ = encoding.readWithLength(path, pathOffset, false, out);
      }
    }
    if (kind != Kind.SET) {
      out.putInt((int) (end - valueAt)).putBytes(value, valueAt, end - valueAt);
    }
  }
}
