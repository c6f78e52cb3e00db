package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexForms;
import io.helenus.server.schema.IndexValueForm;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.ScalarKeyEncoding;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tests rows against the restrictions of ALLOW FILTERING. Values are compared by their key bytes,
 * which sort in the order of the type, or as they are if their wire bytes already do. For one read
 * at a time. Not thread-safe.
 */
public final class RowFilters {
  private static final int KEPT_BYTES = 64 << 10;

  private final List<Test> onPartition = new ArrayList<>();
  private final List<Test> onRow = new ArrayList<>();
  private final ByteWriter scratch = new ByteWriter(64);
  private final ByteWriter encoded = new ByteWriter(64);

  /**
   * How the values of a column are compared: by their components in keys, as an index compares
   * them, or as they are.
   */
  private record Order(@Nullable KeyEncoding encoding, @Nullable IndexValueForm form) {
    static final Order NONE = new Order(null, null);

    boolean comparesAddresses() {
      return form != null && form.mapsAddresses();
    }
  }

  /** A restriction with its values as they are compared. */
  private record Test(
      int filter,
      Order order,
      @Nullable ContainsTest contains,
      List<byte[]> anyOf,
      byte @Nullable [] lower,
      boolean lowerInclusive,
      byte @Nullable [] upper,
      boolean upperInclusive) {

    boolean accepts(byte[] value) {
      for (byte[] one : anyOf) {
        if (Arrays.equals(one, value)) {
          return true;
        }
      }
      if (lower == null && upper == null) {
        return false;
      }
      int aboveLower = lower == null ? 1 : Arrays.compareUnsigned(value, lower);
      int belowUpper = upper == null ? 1 : Arrays.compareUnsigned(upper, value);
      return (aboveLower > 0 || (aboveLower == 0 && lowerInclusive))
          && (belowUpper > 0 || (belowUpper == 0 && upperInclusive));
    }
  }

  /** The row under test. */
  public interface Values {
    /** The value that the filter with this index tests, in wire format; null for NULL. */
    byte @Nullable [] filtered(int filter);
  }

  /**
   * Sets the filters of a plan and their values.
   *
   * @param index the use of indexes, which can compare values in another way; null for none
   * @param ofRange whether partitions of a range are read, and not those of given keys
   * @throws CqlException INVALID if a value is null or unset, or a tuple restriction cannot filter
   */
  public void bind(
      List<Restriction> filters, @Nullable IndexPlan index, boolean ofRange, BoundSlots bound) {
    onPartition.clear();
    onRow.clear();
    boolean byType = ofRange && hasCells(filters);
    for (int i = 0; i < filters.size(); i++) {
      Restriction filter = filters.get(i);
      List<Test> tests = filter.isOnPartition() ? onPartition : onRow;
      refuseTuples(filter);
      Order order = order(filter, index);
      tests.add(test(i, filter, order, index, bound));
      if (byType
          && order.comparesAddresses()
          && (filter instanceof Restriction.Slice || filter instanceof Restriction.Equal)) {
        // as in Cassandra, an address must also match by the order of its type
        tests.add(test(i, filter, Order.NONE, index, bound));
      }
    }
  }

  /** Whether any filter is on a regular or static column. */
  private static boolean hasCells(List<Restriction> filters) {
    for (Restriction filter : filters) {
      switch (filter.firstColumn().kind()) {
        case REGULAR, STATIC -> {
          return true;
        }
        case PARTITION_KEY, CLUSTERING -> {}
      }
    }
    return false;
  }

  private Test test(
      int at, Restriction filter, Order order, @Nullable IndexPlan index, BoundSlots bound) {
    return switch (filter) {
      case Restriction.Equal equal ->
          new Test(at, order, null, List.of(value(equal, order, bound)), null, false, null, false);
      case Restriction.In in ->
          new Test(at, order, null, list(in, order, bound), null, false, null, false);
      case Restriction.Contains contains ->
          new Test(
              at,
              Order.NONE,
              new ContainsTest(contains, index, bound),
              List.of(),
              null,
              false,
              null,
              false);
      case Restriction.Slice slice ->
          new Test(
              at,
              order,
              null,
              List.of(),
              slice.lower() == null ? null : value(slice, slice.lower(), order, bound),
              slice.lower() != null && slice.lower().inclusive(),
              slice.upper() == null ? null : value(slice, slice.upper(), order, bound),
              slice.upper() != null && slice.upper().inclusive());
    };
  }

  private byte[] value(
      Restriction.Slice slice, Restriction.Bound end, Order order, BoundSlots bound) {
    return value(slice, end.value().slots()[0], order, bound);
  }

  private static Order order(Restriction filter, @Nullable IndexPlan index) {
    ColumnSchema column = filter.firstColumn();
    if (index != null && !(filter instanceof Restriction.In)) {
      IndexForms forms = index.forms(column, IndexPlan.Scope.WHOLE);
      if (forms != null) {
        return new Order(null, forms.value());
      }
    }
    KeyEncoding encoding = column.type().keyEncoding();
    return encoding == ScalarKeyEncoding.BYTES ? Order.NONE : new Order(encoding, null);
  }

  /**
   * Refuses a restriction of several columns that cannot filter, whatever its values are.
   *
   * @throws CqlException INVALID if it is one of tuples, other than {@code =} or of one column
   */
  public static void refuseTuples(Restriction restriction) {
    if (!restriction.isTuple()) {
      return;
    }
    switch (restriction) {
      case Restriction.Equal ignored -> {}
      case Restriction.Contains ignored -> {}
      case Restriction.In in -> {
        if (in.columns().size() > 1) {
          throw CqlException.invalid("Multicolumn IN filters are not supported");
        }
      }
      case Restriction.Slice ignored ->
          throw CqlException.invalid(
              "Multi-column slice restrictions cannot be used for filtering.");
    }
  }

  private byte[] value(Restriction.Equal equal, Order order, BoundSlots bound) {
    if (!equal.value().isTuple()) {
      return value(equal, slot(equal.value(), bound), order, bound);
    }
    int slot = equal.value().tupleSlot();
    int element = equal.value().element();
    TupleValues values = new TupleValues();
    if (bound.length(slot) < 0) {
      values.fill(equal.value(), bound);
    }
    values.fillTuple(bound.segment(slot), bound.offset(slot), bound.length(slot), element + 1);
    requireSet(equal, values.length(element));
    scratch
        .clear()
        .putBytes(values.segment(element), values.offset(element), values.length(element));
    return wanted(order, scratch.toArray());
  }

  private byte[] value(Restriction filter, int slot, Order order, BoundSlots bound) {
    int length = bound.length(slot);
    requireSet(filter, length);
    scratch.clear().putBytes(bound.segment(slot), bound.offset(slot), length);
    return wanted(order, scratch.toArray());
  }

  /** The slot of a value; if it is one of a tuple, none of them may be unset. */
  private static int slot(TupleSource source, BoundSlots bound) {
    if (source.element() < 0) {
      return source.slots()[0];
    }
    for (int i = 0; i < source.slots().length; i++) {
      TupleValues.requireSetField(i, bound.length(source.slots()[i]));
    }
    return source.slots()[source.element()];
  }

  private static void requireSet(Restriction filter, int length) {
    if (length < 0) {
      throw CqlException.invalid(
          "Unsupported "
              + (length == BoundSlots.NULL ? "null" : "unset")
              + " value for column "
              + filter.firstColumn().name());
    }
  }

  /**
   * The values of an IN. As in Cassandra, an unset one matches nothing, and a null ends the list.
   */
  private List<byte[]> list(Restriction.In in, Order order, BoundSlots bound) {
    List<byte[]> values = new ArrayList<>();
    List<Integer> nulls = new ArrayList<>();
    InValuesReader.forEach(
        in,
        bound,
        new TupleValues(),
        each -> {
          if (each.given() == 0) {
            throw InValuesReader.nullIn(in);
          }
          if (in.isTuple()) {
            each.requireSetField(0);
          }
          if (each.length(0) >= 0) {
            scratch.clear().putBytes(each.segment(0), each.offset(0), each.length(0));
            values.add(wanted(order, scratch.toArray()));
          } else if (each.length(0) == BoundSlots.NULL) {
            nulls.add(values.size());
          }
        });
    return nulls.isEmpty() ? values : values.subList(0, nulls.getFirst());
  }

  /**
   * The bytes with which values are compared. A value that the index does not contain is equal to
   * none and smaller than all.
   */
  private byte[] wanted(Order order, byte[] value) {
    byte[] ordered = ordered(order, value);
    return ordered == null ? new byte[0] : ordered;
  }

  /**
   * The bytes of a value that are compared; null for a value that the index does not contain. Texts
   * and blobs, which may be large, sort like their wire bytes.
   */
  private byte @Nullable [] ordered(Order order, byte[] value) {
    IndexValueForm form = order.form();
    KeyEncoding encoding = order.encoding();
    if (form == null && encoding == null) {
      return value;
    }
    scratch.clear().putBytes(value);
    encoded.clear(KEPT_BYTES);
    if (form != null) {
      return form.write(scratch.segment(), 0, value.length, encoded) ? encoded.toArray() : null;
    }
    if (encoding != null) {
      encoding.write(scratch.segment(), 0, value.length, false, encoded);
    }
    return encoded.toArray();
  }

  /** Whether the key and static row of a partition are accepted. */
  public boolean acceptPartition(Values row) {
    return accept(onPartition, row);
  }

  /** Whether a row of an accepted partition is accepted. */
  public boolean acceptRow(Values row) {
    return accept(onRow, row);
  }

  private boolean accept(List<Test> tests, Values row) {
    for (Test test : tests) {
      byte[] value = row.filtered(test.filter());
      if (value == null) {
        return false;
      }
      ContainsTest contains = test.contains();
      if (contains != null) {
        if (!contains.accepts(value)) {
          return false;
        }
        continue;
      }
      byte[] ordered = ordered(test.order(), value);
      if (ordered == null || !test.accepts(ordered)) {
        return false;
      }
    }
    return true;
  }
}
