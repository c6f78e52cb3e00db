package io.helenus.server.query.value;

import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.types.CompositeValues;
import io.helenus.server.types.CqlType;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbered values that a plan needs when it runs. A slot is a marker, a constant or an
 * expression, and has a type. Stored in arrays rather than objects because every EXECUTE iterates
 * over them. Immutable; any thread.
 */
public final class ValueSlots {
  /** A bound value is validated and used as it is. */
  static final byte AS_IS = 0;

  /** A bound value is the list of an IN, which may contain nulls and is validated when read. */
  static final byte IN_LIST = 1;

  /** A bound value is validated, then encoded as Cassandra does what it has decoded. */
  static final byte REENCODED = 2;

  private static final int NO_MARKER = -1;

  private final int[] markers;
  private final CqlType[] types;
  private final byte[] treatments;
  private final MemorySegment constants;
  private final int[] constantOffsets;
  private final int[] constantLengths;
  private final @Nullable Expression[] expressions;
  private final ValueSource.@Nullable JsonField[] jsonFields;
  private final int[] varying;

  private ValueSlots(Builder from) {
    int count = from.sources.size();
    markers = new int[count];
    types = from.types.toArray(new CqlType[0]);
    treatments = new byte[count];
    for (int slot = 0; slot < count; slot++) {
      treatments[slot] = CompositeValues.needsReencodingWhenBound(types[slot]) ? REENCODED : AS_IS;
    }
    for (int slot : from.lists) {
      treatments[slot] = IN_LIST;
    }
    for (int slot : from.unsorted) {
      treatments[slot] = AS_IS;
    }
    constantOffsets = new int[count];
    constantLengths = new int[count];
    expressions = new Expression[count];
    jsonFields = new ValueSource.JsonField[count];
    ByteWriter bytes = new ByteWriter(64);
    for (int slot = 0; slot < count; slot++) {
      markers[slot] = NO_MARKER;
      switch (from.sources.get(slot)) {
        case ValueSource.Marker(int index) -> markers[slot] = index;
        case ValueSource.Computed(Expression expression) -> expressions[slot] = expression;
        case ValueSource.JsonField field -> jsonFields[slot] = field;
        case ValueSource.Unset ignored -> constantLengths[slot] = BoundValues.UNSET;
        case ValueSource.Constant(byte[] value) -> {
          constantOffsets[slot] = bytes.size();
          constantLengths[slot] = value == null ? -1 : value.length;
          if (value != null) {
            bytes.putBytes(value);
          }
        }
      }
    }
    constants = bytes.segment();
    varying = from.varying.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The number of slots. */
  int count() {
    return markers.length;
  }

  /** The marker index of a slot; -1 if it is not a marker. */
  int marker(int slot) {
    return markers[slot];
  }

  /** The type of a slot's value. */
  CqlType type(int slot) {
    return types[slot];
  }

  /** How a bound value of a slot is treated: a constant of this class. */
  byte treatment(int slot) {
    return treatments[slot];
  }

  /** The memory that contains all constants. */
  MemorySegment constants() {
    return constants;
  }

  /** The offset of a slot's constant. */
  int constantOffset(int slot) {
    return constantOffsets[slot];
  }

  /** The length of a slot's constant in bytes; negative for null and unset. */
  int constantLength(int slot) {
    return constantLengths[slot];
  }

  /**
   * Checks the constants that columns of a partition key are set to or compared with in a write:
   * one of a tinyint may have been given as hexadecimal digits of any number. A column that is
   * null, and a key that is empty as a whole, are reported first, when it is written.
   *
   * @param partition the slots of the values, of which an IN has several for a column
   * @param columns how many columns the key has
   * @throws CqlException INVALID if one is not a value of its type
   */
  public void requireValidKey(int[] partition, int columns) {
    for (int slot : partition) {
      if (isConstant(slot) && constantLengths[slot] < 0) {
        return;
      }
    }
    for (int slot : partition) {
      int length = constantLengths[slot];
      if (isConstant(slot) && (length > 0 || columns > 1)) {
        types[slot].validate(constants, constantOffsets[slot], length);
      }
    }
  }

  private boolean isConstant(int slot) {
    return markers[slot] == NO_MARKER && expressions[slot] == null && jsonFields[slot] == null;
  }

  /** The expression of a slot; null if it is a marker or a constant. */
  @Nullable Expression expression(int slot) {
    return expressions[slot];
  }

  /** The slots whose values vary from row to row; the array must not be modified. */
  int[] varying() {
    return varying;
  }

  /** The field of a bound JSON document that a slot holds; null for any other slot. */
  ValueSource.@Nullable JsonField jsonField(int slot) {
    return jsonFields[slot];
  }

  /** Collects the slots of a statement during planning. */
  public static final class Builder {
    private final List<ValueSource> sources = new ArrayList<>();
    private final List<CqlType> types = new ArrayList<>();
    private final List<Integer> lists = new ArrayList<>();
    private final List<Integer> unsorted = new ArrayList<>();
    private final List<Integer> varying = new ArrayList<>();
    private boolean ofRows;

    /**
     * Sets whether the values added next are those of rows that are written: each row then has its
     * own result of a function such as {@code uuid()}. Keys and conditions have one.
     */
    public void ofRows(boolean areOfRows) {
      ofRows = areOfRows;
    }

    /** Adds a value; returns its slot. */
    public int add(ValueSource source, CqlType type) {
      if (ofRows && source instanceof ValueSource.Computed(Expression e) && e.varies()) {
        varying.add(sources.size());
      }
      sources.add(source);
      types.add(type);
      return sources.size() - 1;
    }

    /** Adds the list of an IN; returns its slot. */
    public int addInList(ValueSource source, CqlType type) {
      lists.add(sources.size());
      return add(source, type);
    }

    /** Adds a value whose sets and maps stay as they are bound; returns its slot. */
    public int addUnsorted(ValueSource source, CqlType type) {
      unsorted.add(sources.size());
      return add(source, type);
    }

    /** The slots added so far. */
    public ValueSlots build() {
      return new ValueSlots(this);
    }
  }
}
