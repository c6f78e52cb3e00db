package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The values that a relation compares its columns with, as slices of bound memory. Reused for
 * successive runs. Not thread-safe.
 */
public final class TupleValues {
  private MemorySegment[] segments = new MemorySegment[4];
  private long[] offsets = new long[4];
  private int[] lengths = new int[4];
  private int count;
  private int given;

  /** Starts without values. */
  public TupleValues() {
    Arrays.fill(segments, MemorySegment.NULL);
  }

  /**
   * Sets the values from slots or from a bound tuple.
   *
   * @throws CqlException INVALID if the tuple is null or unset, or an element is unset
   */
  public void fill(TupleSource source, BoundSlots bound) {
    if (source.isTuple()) {
      int slot = source.tupleSlot();
      if (bound.length(slot) < 0) {
        throw CqlException.invalid(
            "Invalid "
                + (bound.length(slot) == BoundSlots.NULL ? "null" : "unset")
                + " value for tuple "
                + names(source.tupleColumns()));
      }
      fillTuple(
          bound.segment(slot),
          bound.offset(slot),
          bound.length(slot),
          source.tupleColumns().size());
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

  /** Sets the values from the wire format of a tuple; missing elements are null. */
  void fillTuple(MemorySegment segment, long offset, int length, int elements) {
    begin(elements);
    long at = offset;
    long end = offset + length;
    for (int i = 0; i < elements; i++) {
      if (at + 4 > end) {
        given = Math.min(given, i);
        set(i, segment, at, BoundSlots.NULL);
        continue;
      }
      int bytes = Bytes.getInt(segment, at);
      at += 4;
      set(i, segment, at, Math.max(bytes, BoundSlots.NULL));
      at += Math.max(bytes, 0);
    }
  }

  /** Sets a single value. */
  void fillOne(MemorySegment segment, long offset, int length) {
    begin(1);
    set(0, segment, offset, length);
  }

  /** Replaces a value that is unset by the empty value. */
  void emptyIfUnset(int index) {
    if (lengths[index] == BoundSlots.UNSET) {
      set(index, MemorySegment.NULL, 0, 0);
    }
  }

  /** Throws if an element of a tuple is unset. */
  void requireSetField(int index) {
    requireSetField(index, lengths[index]);
  }

  static void requireSetField(int index, int length) {
    if (length == BoundSlots.UNSET) {
      throw CqlException.invalid("Invalid unset value for tuple field number " + index);
    }
  }

  private void begin(int elements) {
    count = elements;
    given = elements;
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

  /** The number of values without the missing elements of a bound tuple. */
  int given() {
    return given;
  }

  /** The memory that contains a value. */
  public MemorySegment segment(int index) {
    return segments[index];
  }

  /** The offset of a value in its segment. */
  public long offset(int index) {
    return offsets[index];
  }

  /** The length of a value in bytes, {@link BoundSlots#NULL} or {@link BoundSlots#UNSET}. */
  public int length(int index) {
    return lengths[index];
  }

  /** Formats a tuple of columns like Cassandra's error texts. */
  static String names(List<ColumnSchema> columns) {
    return columns.stream().map(ColumnSchema::name).collect(Collectors.joining(",", "(", ")"));
  }
}
