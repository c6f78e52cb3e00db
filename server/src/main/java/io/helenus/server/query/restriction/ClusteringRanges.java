package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of key suffixes that the restrictions of clustering columns select, ascending and
 * disjoint. Built in steps:
 *
 * <ol>
 *   <li>{@code =} appends its value to every existing prefix, IN replaces each prefix by one for
 *       each of its values;
 *   <li>a slice adds ranges under each prefix ({@link SliceRanges}), several if it is on a tuple of
 *       columns with mixed directions;
 *   <li>without a slice, a prefix that is a complete key selects one row, any other prefix the
 *       range of all rows that start with it.
 * </ol>
 *
 * <p>Bounds are byte strings of one segment: a lower bound followed by its upper bound. Reused for
 * successive runs. Not thread-safe.
 */
public final class ClusteringRanges {
  private static final byte[] ALL_LOWER = {
    KeyFormat.SECTION_ROWS, (byte) KeyFormat.TAG_BOUND_BEFORE
  };
  private static final byte[] ALL_UPPER = {
    KeyFormat.SECTION_ROWS, (byte) KeyFormat.TAG_BOUND_AFTER
  };
  private static final int KEPT_BYTES = 64 << 10;

  private final ByteWriter bytes = new ByteWriter(256);
  private final ByteWriter prefix = new ByteWriter(128);
  private final TupleValues values = new TupleValues();
  private final SliceRanges slices = new SliceRanges(this, prefix);
  private final boolean ofRead;
  private int[] ranges = new int[12];
  private int count;

  /** Ranges to be written or deleted. */
  public ClusteringRanges() {
    this(false);
  }

  private ClusteringRanges(boolean ofRead) {
    this.ofRead = ofRead;
  }

  /**
   * Ranges to be read. As in Cassandra, a bound tuple may have fewer elements than its relation has
   * columns: it selects the rows that start with them if it does not name the last clustering
   * column, and otherwise none. A write to such rows would be one to rows that were not named.
   */
  public static ClusteringRanges ofRead() {
    return new ClusteringRanges(true);
  }

  /**
   * Builds the ranges of at least one restriction. Values after an empty IN are not checked.
   *
   * @throws CqlException INVALID if a value is null or unset, or a bound tuple or list is malformed
   */
  public void build(List<Restriction> restrictions, KeyLayout keys, BoundSlots bound) {
    build(restrictions, keys, bound, false);
  }

  /**
   * Builds ranges of one row each, in which the columns without a restriction are null.
   *
   * @throws CqlException INVALID if a value is null or unset, or a bound tuple or list is malformed
   */
  public void buildRows(List<Restriction> restrictions, KeyLayout keys, BoundSlots bound) {
    build(restrictions, keys, bound, true);
  }

  private void build(
      List<Restriction> restrictions, KeyLayout keys, BoundSlots bound, boolean rows) {
    bytes.clear(KEPT_BYTES);
    count = 0;
    prefix.clear(KEPT_BYTES).putByte(KeyFormat.SECTION_ROWS);
    @Nullable List<byte[]> several = null;
    int columns = 0;
    for (Restriction restriction : restrictions) {
      boolean mayBeShort = ofRead && restriction == restrictions.getLast();
      switch (restriction) {
        case Restriction.Equal equal -> {
          values.fill(equal.value(), bound);
          if (!selectsRows(equal, keys, mayBeShort)) {
            return;
          }
          several = appendEqual(equal, keys, several);
        }
        case Restriction.In in -> {
          several = appendIn(in, keys, bound, several, mayBeShort);
          if (several.isEmpty()) {
            return;
          }
        }
        case Restriction.Slice slice -> {
          slices.prepare(slice, keys, bound);
          forEachPrefix(several, slices::addAll);
          return;
        }
        case Restriction.Contains ignored ->
            throw new IllegalStateException("CONTAINS selects no range: " + restriction);
      }
      columns += restriction.columns().size();
    }
    int missing = keys.clusteringCount() - columns;
    boolean complete = missing == 0 && !keys.hasHiddenComponent();
    forEachPrefix(several, rows || complete ? () -> addRow(missing) : this::addPrefix);
  }

  /** Builds the single range of all rows. */
  public void buildAll() {
    bytes.clear(KEPT_BYTES);
    count = 0;
    int at = bytes.size();
    bytes.putBytes(ALL_LOWER).putBytes(ALL_UPPER);
    add(at, ALL_LOWER.length, ALL_UPPER.length);
  }

  private void forEachPrefix(@Nullable List<byte[]> several, Runnable each) {
    if (several == null) {
      each.run();
      return;
    }
    several.sort(Arrays::compareUnsigned);
    byte[] previous = null;
    for (byte[] one : several) {
      if (previous == null || !startsWith(one, previous)) {
        prefix.clear().putBytes(one);
        each.run();
        previous = one;
      }
    }
  }

  private static boolean startsWith(byte[] bytes, byte[] start) {
    return bytes.length >= start.length
        && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }

  private @Nullable List<byte[]> appendEqual(
      Restriction.Equal equal, KeyLayout keys, @Nullable List<byte[]> several) {
    if (several == null) {
      putValues(equal.firstColumn().position(), keys, prefix);
      return null;
    }
    List<byte[]> longer = new ArrayList<>(several.size());
    for (byte[] one : several) {
      longer.add(appended(one, equal.firstColumn().position(), keys));
    }
    return longer;
  }

  private List<byte[]> appendIn(
      Restriction.In in,
      KeyLayout keys,
      BoundSlots bound,
      @Nullable List<byte[]> several,
      boolean mayBeShort) {
    List<byte[]> from = several == null ? List.of(prefix.toArray()) : several;
    List<byte[]> longer = new ArrayList<>();
    InValuesReader.refuseFirstMistake(in, bound, values);
    InValuesReader.forEach(
        in,
        bound,
        values,
        each -> {
          if (!selectsRows(in, keys, mayBeShort)) {
            return;
          }
          for (byte[] one : from) {
            longer.add(appended(one, in.firstColumn().position(), keys));
          }
        });
    return longer;
  }

  /**
   * Whether the values select rows: not if they are a tuple without the last clustering columns.
   *
   * @throws CqlException INVALID if one is null or unset
   */
  private boolean selectsRows(Restriction restriction, KeyLayout keys, boolean mayBeShort) {
    if (!mayBeShort || values.given() == values.count()) {
      requireSet(restriction);
      return true;
    }
    return restriction.firstColumn().position() + values.count() < keys.clusteringCount();
  }

  private byte[] appended(byte[] one, int position, KeyLayout keys) {
    prefix.clear().putBytes(one);
    putValues(position, keys, prefix);
    return prefix.toArray();
  }

  private void putValues(int position, KeyLayout keys, ByteWriter out) {
    for (int i = 0; i < values.given(); i++) {
      keys.clusteringEncoding(position + i)
          .write(
              values.segment(i),
              values.offset(i),
              values.length(i),
              keys.isDescending(position + i),
              out);
    }
  }

  private void requireSet(Restriction restriction) {
    for (int i = 0; i < values.count(); i++) {
      if (values.length(i) >= 0) {
        continue;
      }
      ColumnSchema column = restriction.columns().get(i);
      if (restriction.isTuple()) {
        values.requireSetField(i);
      }
      if (restriction instanceof Restriction.In in
          && in.isTuple()
          && values.length(i) == BoundSlots.NULL) {
        throw InValuesReader.nullIn(in);
      }
      if (restriction.isTuple() && values.length(i) == BoundSlots.NULL) {
        throw CqlException.invalid("Invalid null value for column " + column.name());
      }
      KeyWriter.requireSet(values.length(i), column.name());
    }
  }

  private void addRow(int nulls) {
    int at = bytes.size();
    bytes.putBytes(prefix.segment(), 0, prefix.size());
    KeyWriter.putNulls(nulls, bytes);
    bytes.putByte(KeyFormat.TAG_END);
    add(at, bytes.size() - at, 0);
  }

  private void addPrefix() {
    int at = bytes.size();
    bytes.putBytes(prefix.segment(), 0, prefix.size()).putByte(KeyFormat.TAG_BOUND_BEFORE);
    int lower = bytes.size() - at;
    bytes.putBytes(prefix.segment(), 0, prefix.size()).putByte(KeyFormat.TAG_BOUND_AFTER);
    add(at, lower, bytes.size() - at - lower);
  }

  /** The buffer of the bounds: each lower bound is followed by its upper bound. */
  ByteWriter bytes() {
    return bytes;
  }

  /**
   * Adds a range whose bounds are already in the buffer, merging it with the previous one if they
   * touch.
   *
   * @param upperLength 0 if the range is exactly the row of the lower bound
   */
  void add(int offset, int lowerLength, int upperLength) {
    if (count > 0 && upperLength > 0 && touches(count - 1, offset, lowerLength)) {
      int last = (count - 1) * 3;
      int upperAt = ranges[last] + ranges[last + 1];
      byte[] upper = Bytes.toArray(bytes.segment(), offset + lowerLength, upperLength);
      bytes.truncate(upperAt).putBytes(upper);
      ranges[last + 2] = upperLength;
      return;
    }
    if (count * 3 == ranges.length) {
      ranges = Arrays.copyOf(ranges, ranges.length * 2);
    }
    ranges[count * 3] = offset;
    ranges[count * 3 + 1] = lowerLength;
    ranges[count * 3 + 2] = upperLength;
    count++;
  }

  private boolean touches(int range, int offset, int lowerLength) {
    int upper = ranges[range * 3 + 2];
    return upper > 0
        && Bytes.equal(
            bytes.segment(), upperOffset(range), upper, bytes.segment(), offset, lowerLength);
  }

  /** The number of ranges. */
  public int count() {
    return count;
  }

  /** The memory that contains the bounds. */
  public MemorySegment segment() {
    return bytes.segment();
  }

  /** The offset of a range's lower bound. */
  public int lowerOffset(int range) {
    return ranges[range * 3];
  }

  /** The length of a range's lower bound in bytes. */
  public int lowerLength(int range) {
    return ranges[range * 3 + 1];
  }

  /** The offset of a range's upper bound. */
  public int upperOffset(int range) {
    return ranges[range * 3] + ranges[range * 3 + 1];
  }

  /** The length of a range's upper bound; 0 if the range is exactly the row of its lower bound. */
  public int upperLength(int range) {
    return ranges[range * 3 + 2];
  }

  /** Whether one of the ranges contains a row; its key is given without the section byte. */
  public boolean containRow(MemorySegment key, long offset, int length) {
    for (int i = 0; i < count; i++) {
      int afterLower =
          Bytes.compare(key, offset, length, segment(), lowerOffset(i) + 1L, lowerLength(i) - 1L);
      if (upperLength(i) == 0) {
        if (afterLower == 0) {
          return true;
        }
      } else if (afterLower >= 0
          && Bytes.compare(key, offset, length, segment(), upperOffset(i) + 1L, upperLength(i) - 1L)
              < 0) {
        return true;
      }
    }
    return false;
  }

  /** Adds all ranges to a read. */
  public void addTo(ReadRequest request) {
    for (int i = 0; i < count; i++) {
      request.addSlice(
          segment(), lowerOffset(i), lowerLength(i), segment(), upperOffset(i), upperLength(i));
    }
  }

  /**
   * Adds the parts of the ranges after a position to a read, or those before it if the read is
   * reversed. The position is a bound, never the key of a row.
   *
   * @return false if nothing is left
   */
  public boolean addRest(ReadRequest request, byte[] position, boolean reversed) {
    MemorySegment at = new ByteWriter(position.length).putBytes(position).segment();
    int length = position.length;
    boolean any = false;
    for (int i = 0; i < count; i++) {
      boolean lowerIsLess = comparedTo(at, length, lowerOffset(i), lowerLength(i)) < 0;
      if (upperLength(i) == 0) {
        if (lowerIsLess == reversed) {
          request.addRow(segment(), lowerOffset(i), lowerLength(i));
          any = true;
        }
        continue;
      }
      boolean upperIsLess = comparedTo(at, length, upperOffset(i), upperLength(i)) < 0;
      boolean keep = reversed ? lowerIsLess : !upperIsLess;
      if (!keep) {
        continue;
      }
      any = true;
      boolean cutLower = !reversed && lowerIsLess;
      boolean cutUpper = reversed && !upperIsLess;
      request.addSlice(
          cutLower ? at : segment(),
          cutLower ? 0 : lowerOffset(i),
          cutLower ? length : lowerLength(i),
          cutUpper ? at : segment(),
          cutUpper ? 0 : upperOffset(i),
          cutUpper ? length : upperLength(i));
    }
    return any;
  }

  /** Compares a bound with a position. */
  private int comparedTo(MemorySegment at, int length, int boundOffset, int boundLength) {
    return Bytes.compare(segment(), boundOffset, boundLength, at, 0, length);
  }
}
