package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The values that a relation gives its columns, as slices. Kept and filled again. One thread. */
public final class TupleValues {
  private MemorySegment[] segments = new MemorySegment[4];
  private long[] offsets = new long[4];
  private int[] lengths = new int[4];
  private int count;

  public TupleValues() {
    Arrays.fill(segments, MemorySegment.NULL);
  }

  /** Takes the values of one or several columns from slots, or from one bound tuple. */
  public void fill(TupleSource source, List<ColumnSchema> columns, BoundSlots bound) {
    if (source.isTuple()) {
      int slot = source.tupleSlot();
      if (bound.length(slot) < 0) {
        throw CqlException.invalid(
            "Invalid "
                + (bound.length(slot) == BoundSlots.NULL ? "null" : "unset")
                + " value for tuple "
                + names(columns));
      }
      fillTuple(bound.segment(slot), bound.offset(slot), bound.length(slot), columns.size());
      return;
    }
    begin(source.slots().length);
    for (int i = 0; i < count; i++) {
      int slot = source.slots()[i];
      set(i, bound.segment(slot), bound.offset(slot), bound.length(slot));
      if (count > 1) {
        requireSetField(i);
      }
    }
  }

  /** Takes the elements of a tuple's bytes; missing ones are null. */
  void fillTuple(MemorySegment segment, long offset, int length, int elements) {
    begin(elements);
    long at = offset;
    long end = offset + length;
    for (int i = 0; i < elements; i++) {
      if (at + 4 > end) {
        set(i, segment, at, BoundSlots.NULL);
        continue;
      }
      int bytes = Bytes.getInt(segment, at);
      at += 4;
      set(i, segment, at, Math.max(bytes, BoundSlots.NULL));
      at += Math.max(bytes, 0);
    }
  }

  /** Takes one value. */
  void fillOne(MemorySegment segment, long offset, int length) {
    begin(1);
    set(0, segment, offset, length);
  }

  /** Refuses an unset element of a tuple. */
  void requireSetField(int index) {
    if (lengths[index] == BoundSlots.UNSET) {
      throw CqlException.invalid("Invalid unset value for tuple field number " + index);
    }
  }

  private void begin(int elements) {
    count = elements;
    if (elements > lengths.length) {
      int from = lengths.length;
      segments = Arrays.copyOf(segments, elements);
      Arrays.fill(segments, from, elements, MemorySegment.NULL);
      offsets = Arrays.copyOf(offsets, elements);
      lengths = Arrays.copyOf(lengths, elements);
    }
  }

  private void set(int index, MemorySegment segment, long offset, int length) {
    segments[index] = segment;
    offsets[index] = offset;
    lengths[index] = length;
  }

  int count() {
    return count;
  }

  public MemorySegment segment(int index) {
    return segments[index];
  }

  public long offset(int index) {
    return offsets[index];
  }

  public int length(int index) {
    return lengths[index];
  }

  /** Column names as messages show a tuple of columns. */
  static String names(List<ColumnSchema> columns) {
    return columns.stream().map(ColumnSchema::name).collect(Collectors.joining(",", "(", ")"));
  }
}
