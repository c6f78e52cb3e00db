package io.helenus.server.query.condition;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.UserType;
import io.helenus.storage.bytes.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The part of a column's value that a condition compares, with its key or index. Immutable. */
sealed interface BoundPart {
  /** The part's value in wire format; null if the column is null or lacks the part. */
  byte @Nullable [] of(byte @Nullable [] column);

  /** The part's type, frozen. */
  CqlType type();

  /**
   * Takes the key or index of a condition, copying it.
   *
   * @throws CqlException INVALID if it is null, unset or negative
   */
  static BoundPart of(ColumnCondition condition, BoundSlots bound) {
    ColumnSchema column = condition.column();
    return switch (condition.part()) {
      case ColumnCondition.Part.Whole ignored -> new Whole(column.type().freeze());
      case ColumnCondition.Part.Field(int index) -> new Field((UserType) column.type(), index);
      case ColumnCondition.Part.Element(int slot) -> element(column, slot, bound);
    };
  }

  private static BoundPart element(ColumnSchema column, int slot, BoundSlots bound) {
    int length = bound.length(slot);
    if (length == BoundSlots.NULL) {
      throw CqlException.invalid(
          "Invalid null value for "
              + (column.type() instanceof MapType ? "map" : "list")
              + " element access");
    }
    BoundCondition.refuseUnset(length);
    byte[] key = Bytes.toArray(bound.segment(slot), bound.offset(slot), length);
    if (column.type() instanceof MapType map) {
      return new Entry(map, BoundCondition.ordered(map.key(), key));
    }
    if (key.length < Integer.BYTES) {
      throw CqlException.invalid("Invalid empty list index");
    }
    int index = ByteBuffer.wrap(key).getInt();
    if (index < 0) {
      throw CqlException.invalid("Invalid negative list index " + index);
    }
    return new Item((ListType) column.type(), index);
  }

  /** The next part of a value, which follows its length; null if the length is negative. */
  private static byte @Nullable [] next(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0) {
      return null;
    }
    byte[] value = new byte[length];
    in.get(value);
    return value;
  }

  /** The whole value. */
  record Whole(CqlType type) implements BoundPart {
    @Override
    public byte @Nullable [] of(byte @Nullable [] column) {
      return column;
    }
  }

  /** A field of a user type. */
  record Field(UserType user, int index) implements BoundPart {
    @Override
    public CqlType type() {
      return user.fieldTypes().get(index).freeze();
    }

    @Override
    public byte @Nullable [] of(byte @Nullable [] column) {
      if (column == null) {
        return null;
      }
      ByteBuffer in = ByteBuffer.wrap(column);
      byte[] field = null;
      for (int i = 0; i <= index; i++) {
        field = in.hasRemaining() ? next(in) : null;
      }
      return field;
    }
  }

  /** An element of a list. */
  record Item(ListType list, int index) implements BoundPart {
    @Override
    public CqlType type() {
      return list.element().freeze();
    }

    @Override
    public byte @Nullable [] of(byte @Nullable [] column) {
      if (column == null) {
        return null;
      }
      ByteBuffer in = ByteBuffer.wrap(column);
      if (index >= in.getInt()) {
        return null;
      }
      for (int i = 0; i < index; i++) {
        byte[] ignored = next(in);
      }
      return next(in);
    }
  }

  /**
   * The value of a map.
   *
   * @param key in the form in which keys are compared
   */
  record Entry(MapType map, byte[] key) implements BoundPart {
    @Override
    public CqlType type() {
      return map.value().freeze();
    }

    @Override
    public byte @Nullable [] of(byte @Nullable [] column) {
      if (column == null) {
        return null;
      }
      ByteBuffer in = ByteBuffer.wrap(column);
      for (int left = in.getInt(); left > 0; left--) {
        byte[] found = next(in);
        byte[] value = next(in);
        if (found != null && Arrays.equals(BoundCondition.ordered(map.key(), found), key)) {
          return value;
        }
      }
      return null;
    }
  }

  /**
   * Whether elements of a column's collections are compared as they are: as in Cassandra, those of
   * frozen collections have to be identical.
   */
  static boolean isComparedAsIs(ColumnSchema column, CqlType element) {
    return !column.multiCell() && element.hasForms();
  }

  /**
   * Whether a collection has an element, map value or map key.
   *
   * @param wanted the element, ordered unless it {@link #isComparedAsIs}
   */
  static boolean contains(
      ColumnSchema column, CqlType type, byte[] collection, boolean ofKeys, byte[] wanted) {
    boolean ofMap = type instanceof MapType;
    CqlType element = ofKeys ? type.parts().getFirst() : type.parts().getLast();
    boolean asIs = isComparedAsIs(column, element);
    ByteBuffer in = ByteBuffer.wrap(collection);
    for (int left = in.getInt(); left > 0; left--) {
      byte[] first = next(in);
      byte[] last = ofMap ? next(in) : first;
      byte[] compared = ofKeys ? first : last;
      if (compared == null) {
        continue;
      }
      if (Arrays.equals(asIs ? compared : BoundCondition.ordered(element, compared), wanted)) {
        return true;
      }
    }
    return false;
  }
}
