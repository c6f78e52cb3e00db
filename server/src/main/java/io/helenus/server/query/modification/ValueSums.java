package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.functions.OperationFunctions;
import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Values that a conditional write adds to the present values of numbers and texts; a column without
 * a value keeps none. A statement does not see the sums of other statements, as in Cassandra.
 */
final class ValueSums implements DependentCells {
  private static final byte[] STATIC = {KeyFormat.SECTION_STATIC};

  private final TreeMap<byte[], List<Sum>> byRow = new TreeMap<>(Arrays::compareUnsigned);
  private final long nowSeconds;
  private final long limitBytes;

  /**
   * The sums of a modification.
   *
   * @param regular those of every row
   * @param statics those of the static row
   */
  record Plan(List<CellOperation.Sum> regular, List<CellOperation.Sum> statics) {
    /** Copies the lists. */
    public Plan {
      regular = List.copyOf(regular);
      statics = List.copyOf(statics);
    }

    boolean isEmpty() {
      return regular.isEmpty() && statics.isEmpty();
    }

    boolean isOf(int column) {
      return regular.stream().anyMatch(sum -> sum.column() == column)
          || statics.stream().anyMatch(sum -> sum.column() == column);
    }
  }

  /** The values that a statement adds to a column of a row, and the value that the column has. */
  private static final class Sum {
    private final CellOperation.Sum operation;
    private final List<byte[]> added;
    private final long timestampMicros;
    private final int ttlSeconds;
    private final long expirySeconds;
    private byte @Nullable [] present;

    Sum(CellOperation.Sum operation, List<byte[]> added, WriteTimes times) {
      this.operation = operation;
      this.added = added;
      timestampMicros = times.timestampMicros();
      ttlSeconds = times.ttlSeconds();
      expirySeconds = times.expirySeconds();
    }
  }

  /**
   * Starts without sums.
   *
   * @param limitBytes the length limit of the resulting values
   */
  ValueSums(long nowSeconds, long limitBytes) {
    this.nowSeconds = nowSeconds;
    this.limitBytes = limitBytes;
  }

  boolean isEmpty() {
    return byRow.isEmpty();
  }

  /**
   * Adds the sums of a statement, copying its values.
   *
   * @throws CqlException INVALID if a value is null, unset or an empty number
   */
  void add(ModificationPlan plan, BoundSlots bound, WriteTimes times) {
    if (!plan.sums().statics().isEmpty()) {
      add(STATIC, plan.sums().statics(), bound, times);
    }
    if (plan.sums().regular().isEmpty()) {
      return;
    }
    ClusteringRanges ranges = new ClusteringRanges();
    ranges.buildRows(plan.clustering(), plan.keys(), bound);
    for (int i = 0; i < ranges.count(); i++) {
      byte[] suffix = Bytes.toArray(ranges.segment(), ranges.lowerOffset(i), ranges.lowerLength(i));
      add(suffix, plan.sums().regular(), bound, times);
    }
  }

  private void add(
      byte[] suffix, List<CellOperation.Sum> operations, BoundSlots bound, WriteTimes times) {
    List<Sum> sums = byRow.computeIfAbsent(suffix, key -> new ArrayList<>());
    for (CellOperation.Sum operation : operations) {
      sums.add(new Sum(operation, values(operation, bound), times));
    }
  }

  /**
   * The values that are added to a column.
   *
   * @throws CqlException INVALID if one is null, unset or an empty number
   */
  static List<byte[]> values(CellOperation.Sum sum, BoundSlots bound) {
    List<byte[]> values = new ArrayList<>();
    for (int slot : sum.slots()) {
      int length = bound.length(slot);
      if (length < 0) {
        throw CqlException.invalid(
            "Invalid "
                + (length == BoundSlots.NULL ? "null" : "unset")
                + " value for addition to column "
                + sum.name());
      }
      byte[] value = Bytes.toArray(bound.segment(slot), bound.offset(slot), length);
      if (length == 0 && sum.type().isEmptyMeaningless()) {
        throw CqlException.invalid("Invalid empty value for addition to column " + sum.name());
      }
      values.add(value);
    }
    return values;
  }

  @Override
  public void begin() {
    byRow.values().forEach(sums -> sums.forEach(sum -> sum.present = null));
  }

  @Override
  public void staticRow(RowView row) {
    read(byRow.get(STATIC), row);
  }

  @Override
  public boolean row(MemorySegment clustering, long offset, int length, RowView row) {
    byte[] suffix = new byte[length + 1];
    suffix[0] = KeyFormat.SECTION_ROWS;
    System.arraycopy(Bytes.toArray(clustering, offset, length), 0, suffix, 1, length);
    read(byRow.get(suffix), row);
    return Arrays.compareUnsigned(suffix, byRow.lastKey()) < 0;
  }

  private void read(@Nullable List<Sum> sums, RowView row) {
    if (sums == null) {
      return;
    }
    row.rewind();
    while (row.nextCell()) {
      for (Sum sum : sums) {
        if (sum.operation.column() == row.column()
            && row.pathLength() < 0
            && row.cellIsLive(nowSeconds)) {
          sum.present = Bytes.toArray(row.segment(), row.valueOffset(), row.valueLength());
        }
      }
    }
  }

  @Override
  public boolean write(long shiftMicros, MutationWriter out) {
    boolean any = false;
    for (var row : byRow.entrySet()) {
      for (Sum sum : row.getValue()) {
        if (sum.present != null) {
          write(row.getKey(), sum, result(sum, sum.present), shiftMicros, out);
          any = true;
        }
      }
    }
    return any;
  }

  /**
   * The sum.
   *
   * @throws CqlException if it is too long or does not meet a constraint
   */
  private byte[] result(Sum sum, byte[] present) {
    byte[] value = OperationFunctions.sum(sum.operation.type(), present, sum.added.getFirst());
    for (byte[] added : sum.added.subList(1, sum.added.size())) {
      byte[] next = OperationFunctions.sum(sum.operation.type(), value, added);
      // as in Cassandra, they are cells with the same timestamp, of which the larger one counts
      value = Arrays.compareUnsigned(next, value) >= 0 ? next : value;
    }
    if (value.length > limitBytes) {
      throw CqlException.invalid(
          "Rejected an oversized mutation: the value of column "
              + sum.operation.name()
              + " would have "
              + value.length
              + " bytes, more than the limit of "
              + limitBytes);
    }
    ConstraintTest constraints = sum.operation.constraints();
    if (constraints != null) {
      ByteWriter bytes = new ByteWriter(Math.max(1, value.length)).putBytes(value);
      constraints.check(bytes.segment(), 0, value.length);
    }
    return value;
  }

  private static void write(
      byte[] suffix, Sum sum, byte[] value, long shiftMicros, MutationWriter out) {
    ByteWriter key = new ByteWriter(suffix.length).putBytes(suffix);
    ByteWriter content = new ByteWriter(Math.max(1, value.length)).putBytes(value);
    out.beginRow(key.segment(), 0, key.size());
    if (sum.ttlSeconds > 0) {
      out.rowExpiry(sum.ttlSeconds, sum.expirySeconds);
    }
    out.cell(
        sum.operation.column(),
        sum.timestampMicros + shiftMicros,
        content.segment(),
        0,
        content.size());
    out.endRow();
  }
}
