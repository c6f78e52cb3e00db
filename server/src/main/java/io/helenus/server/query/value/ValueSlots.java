package io.helenus.server.query.value;

import io.helenus.server.types.CqlType;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All values that a plan needs at a run, numbered: slot i is a marker, a constant or an expression,
 * of one type. Arrays instead of objects, because each EXECUTE walks them. Immutable; any thread.
 */
public final class ValueSlots {
  /** The marker index of a slot that is no marker. */
  static final int NO_MARKER = -1;

  private final int[] markers;
  private final CqlType[] types;
  private final boolean[] lists;
  private final MemorySegment constants;
  private final int[] constantOffsets;
  private final int[] constantLengths;
  private final @Nullable Expression[] expressions;

  private ValueSlots(Builder from) {
    int count = from.sources.size();
    markers = new int[count];
    types = from.types.toArray(new CqlType[0]);
    lists = new boolean[count];
    for (int slot : from.lists) {
      lists[slot] = true;
    }
    constantOffsets = new int[count];
    constantLengths = new int[count];
    expressions = new Expression[count];
    ByteWriter bytes = new ByteWriter(64);
    for (int slot = 0; slot < count; slot++) {
      markers[slot] = NO_MARKER;
      switch (from.sources.get(slot)) {
        case ValueSource.Marker(int index) -> markers[slot] = index;
        case ValueSource.Computed(Expression expression) -> expressions[slot] = expression;
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
  }

  /** How many slots there are. */
  int count() {
    return markers.length;
  }

  /** The marker of a slot, or {@link #NO_MARKER}. */
  int marker(int slot) {
    return markers[slot];
  }

  /** The type that the value of a slot has. */
  CqlType type(int slot) {
    return types[slot];
  }

  /** Whether a slot holds the list of an IN, which may hold nulls and is checked as it is read. */
  boolean isInList(int slot) {
    return lists[slot];
  }

  /** What constants are slices of. */
  MemorySegment constants() {
    return constants;
  }

  /** Where the constant of a slot starts. */
  int constantOffset(int slot) {
    return constantOffsets[slot];
  }

  /** The length of the constant of a slot, -1 for null. */
  int constantLength(int slot) {
    return constantLengths[slot];
  }

  /** The expression of a slot; null when it is a marker or a constant. */
  @Nullable Expression expression(int slot) {
    return expressions[slot];
  }

  /** Gathers the slots of a plan under way. */
  public static final class Builder {
    private final List<ValueSource> sources = new ArrayList<>();
    private final List<CqlType> types = new ArrayList<>();
    private final List<Integer> lists = new ArrayList<>();

    /** Gives a value its slot. */
    public int add(ValueSource source, CqlType type) {
      sources.add(source);
      types.add(type);
      return sources.size() - 1;
    }

    /** Gives the list of an IN its slot. */
    public int addInList(ValueSource source, CqlType type) {
      lists.add(sources.size());
      return add(source, type);
    }

    public ValueSlots build() {
      return new ValueSlots(this);
    }
  }
}
