package io.helenus.server.query.restriction;

import io.helenus.server.query.value.BoundSlots;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of a slice under a prefix. Tuples compare by value, column by column, regardless of
 * clustering order; keys compare by bytes, which are inverted for DESC columns. So {@code (a, b) >
 * (1, 2)} selects the rows with a = 1 and b > 2 and the rows with a > 1, in this order if a is
 * ascending and in the opposite order if it is descending. If all columns have the same direction,
 * the ranges are adjacent and merged into one.
 *
 * <p>Reused for successive runs. Not thread-safe.
 */
final class SliceRanges {
  private final ClusteringRanges ranges;
  private final ByteWriter prefix;
  private final End lower = new End();
  private final End upper = new End();
  private @Nullable KeyLayout keys;
  private int firstPosition;

  SliceRanges(ClusteringRanges ranges, ByteWriter prefix) {
    this.ranges = ranges;
    this.prefix = prefix;
  }

  /** One end of the slice: its values as key bytes. */
  private static final class End {
    private final TupleValues values = new TupleValues();
    private final ByteWriter encoded = new ByteWriter(64);
    private int[] offsets = new int[5];
    private int count;
    private boolean present;
    private boolean inclusive;

    /**
     * Takes the values; rejects unset ones. As in Cassandra, an unset value of a single column is
     * the empty value if the other end is a tuple.
     */
    void bind(Restriction.@Nullable Bound bound, boolean tuple, BoundSlots slots) {
      present = bound != null;
      count = 0;
      if (bound == null) {
        return;
      }
      inclusive = bound.inclusive();
      values.fill(bound.value(), slots);
      count = values.count();
      for (int i = 0; tuple && i < count; i++) {
        if (bound.isTuple()) {
          values.requireSetField(i);
        } else {
          values.emptyIfUnset(i);
        }
      }
    }

    /** Encodes the values; rejects nulls in tuples. */
    void encode(Restriction.@Nullable Bound bound, boolean tuple, KeyLayout layout) {
      if (bound == null) {
        return;
      }
      if (offsets.length <= count) {
        offsets = new int[count + 1];
      }
      encoded.clear();
      for (int i = 0; i < count; i++) {
        if (tuple || values.length(i) == BoundSlots.UNSET) {
          KeyWriter.requireSet(values.length(i), bound.columns().get(i).name());
        }
        int position = bound.columns().get(i).position();
        offsets[i] = encoded.size();
        layout
            .clusteringEncoding(position)
            .write(
                values.segment(i),
                values.offset(i),
                values.length(i),
                layout.isDescending(position),
                encoded);
      }
      offsets[count] = encoded.size();
    }

    int length(int index) {
      return offsets[index + 1] - offsets[index];
    }

    void appendTo(ByteWriter out, int index) {
      out.putBytes(encoded.segment(), offsets[index], length(index));
    }
  }

  /** Sets the values of a slice. */
  void prepare(Restriction.Slice slice, KeyLayout layout, BoundSlots bound) {
    keys = layout;
    firstPosition = slice.firstColumn().position();
    lower.bind(slice.lower(), slice.isTuple(), bound);
    upper.bind(slice.upper(), slice.isTuple(), bound);
    lower.encode(slice.lower(), slice.isTuple(), layout);
    upper.encode(slice.upper(), slice.isTuple(), layout);
  }

  /** Adds the ranges under the current prefix, ascending. */
  void addAll() {
    addFrom(0, lower.present, upper.present);
  }

  /**
   * Adds the rows under the prefix whose columns from this index on are within the ends.
   *
   * @param low whether the columns so far equal those of the lower end, so that it still applies
   * @param high likewise for the upper end
   */
  private void addFrom(int index, boolean low, boolean high) {
    boolean excludedBelow = low && index == lower.count && !lower.inclusive;
    boolean excludedAbove = high && index == upper.count && !upper.inclusive;
    if (excludedBelow || excludedAbove) {
      return;
    }
    boolean useLow = low && index < lower.count;
    boolean useHigh = high && index < upper.count;
    if (!useLow && !useHigh) {
      addBetween(null, null, index);
      return;
    }
    boolean descending = keys != null && keys.isDescending(firstPosition + index);
    if (useLow && useHigh) {
      int order = compareEnds(index);
      if (order == 0) {
        addUnder(lower, index, true, true);
        return;
      }
      if (order > 0 != descending) {
        return;
      }
    }
    End first = descending ? upper : lower;
    End last = descending ? lower : upper;
    boolean useFirst = descending ? useHigh : useLow;
    boolean useLast = descending ? useLow : useHigh;
    if (useFirst) {
      addUnder(first, index, !descending, descending);
    }
    addBetween(useFirst ? first : null, useLast ? last : null, index);
    if (useLast) {
      addUnder(last, index, descending, !descending);
    }
  }

  private int compareEnds(int index) {
    return Bytes.compare(
        lower.encoded.segment(),
        lower.offsets[index],
        lower.length(index),
        upper.encoded.segment(),
        upper.offsets[index],
        upper.length(index));
  }

  /** Adds the rows whose column at this index equals that of an end. */
  private void addUnder(End end, int index, boolean low, boolean high) {
    int size = prefix.size();
    end.appendTo(prefix, index);
    addFrom(index + 1, low, high);
    prefix.truncate(size);
  }

  /** Adds the rows whose column at this index is strictly between two ends, in key order. */
  private void addBetween(@Nullable End first, @Nullable End last, int index) {
    ByteWriter bytes = ranges.bytes();
    int at = bytes.size();
    bytes.putBytes(prefix.segment(), 0, prefix.size());
    if (first == null) {
      bytes.putByte(KeyFormat.TAG_BOUND_BEFORE);
    } else {
      first.appendTo(bytes, index);
      bytes.putByte(KeyFormat.TAG_BOUND_AFTER);
    }
    int lowerLength = bytes.size() - at;
    bytes.putBytes(prefix.segment(), 0, prefix.size());
    if (last == null) {
      bytes.putByte(KeyFormat.TAG_BOUND_AFTER);
    } else {
      last.appendTo(bytes, index);
      bytes.putByte(KeyFormat.TAG_BOUND_BEFORE);
    }
    ranges.add(at, lowerLength, bytes.size() - at - lowerLength);
  }
}
