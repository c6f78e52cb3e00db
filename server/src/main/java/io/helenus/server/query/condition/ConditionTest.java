package io.helenus.server.query.condition;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.TupleSource;
import io.helenus.server.query.selection.CurrentRow;
import io.helenus.server.query.selection.ReadColumns;
import io.helenus.server.query.selection.SelectionInput;
import io.helenus.server.query.selection.SelectionInputs;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.query.value.ValueWalk;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tests the rows of a partition against the conditions of a statement or batch, and keeps the rows
 * that the client gets if they do not hold. All values are copied from the request, so that rows
 * may be tested on another thread. One thread at a time.
 */
public final class ConditionTest implements RowSink {
  private final ConditionalRead read;
  private final long nowSeconds;
  private final CurrentRow row;
  private final ByteWriter rows = new ByteWriter(64);
  private final TreeMap<byte[], RowTest> byKey = new TreeMap<>(Arrays::compareUnsigned);
  private @Nullable RowTest onStatics;
  private boolean partitionFound;
  private int rowCount;
  private @Nullable CqlException refusal;

  /** The conditions on one row, or on the static row. */
  private static final class RowTest {
    private final ConditionPlan.Kind kind;
    private final List<BoundCondition> columns = new ArrayList<>();
    private boolean seen;
    private boolean met;
    private @Nullable CqlException refusal;

    RowTest(ConditionPlan.Kind kind) {
      this.kind = kind;
    }
  }

  /** Creates a test without conditions; takes memory for large rows from these segments. */
  public ConditionTest(ConditionalRead read, long nowSeconds, LargeSegments segments) {
    this.row = new CurrentRow(segments);
    this.read = read;
    this.nowSeconds = nowSeconds;
  }

  /**
   * Adds the condition of a statement.
   *
   * @param suffix the key suffix of its row; null if it writes the static row only
   * @throws CqlException INVALID if a value is invalid, or the condition does not go with an
   *     earlier one on the same row
   */
  public void add(ConditionPlan condition, byte @Nullable [] suffix, BoundSlots bound) {
    add(condition, suffix, bound, _ -> {});
  }

  /** As {@link #add(ConditionPlan, byte[], BoundSlots)}, but binds each value when it is used. */
  public void add(ConditionPlan condition, byte @Nullable [] suffix, ValueWalk values) {
    add(condition, suffix, values.bound(), each -> bind(each, values));
  }

  private static void bind(ColumnCondition condition, ValueWalk values) {
    if (condition.part() instanceof ColumnCondition.Part.Element(int keySlot)) {
      values.bind(keySlot);
    }
    switch (condition) {
      case ColumnCondition.Comparison comparison -> values.bind(comparison.slot());
      case ColumnCondition.In in -> {
        values.bind(in.values().listSlot());
        for (TupleSource source : in.values().values()) {
          values.bind(source.tupleSlot());
          Arrays.stream(source.slots()).forEach(values::bind);
        }
      }
    }
  }

  private void add(
      ConditionPlan condition,
      byte @Nullable [] suffix,
      BoundSlots bound,
      Consumer<ColumnCondition> before) {
    if (condition.isOnRow()) {
      addOnRow(condition.kind(), suffix);
      return;
    }
    if (!condition.regular().isEmpty()) {
      addColumns(condition.regular(), suffix, bound, before);
    }
    if (!condition.statics().isEmpty()) {
      addColumns(condition.statics(), null, bound, before);
    }
  }

  private @Nullable RowTest find(byte @Nullable [] suffix) {
    return suffix == null ? onStatics : byKey.get(suffix);
  }

  private RowTest put(byte @Nullable [] suffix, ConditionPlan.Kind kind) {
    RowTest test = new RowTest(kind);
    if (suffix == null) {
      onStatics = test;
    } else {
      byKey.put(suffix, test);
    }
    return test;
  }

  private void addOnRow(ConditionPlan.Kind kind, byte @Nullable [] suffix) {
    RowTest known = find(suffix);
    if (known == null) {
      RowTest ignored = put(suffix, kind);
    } else if (known.kind == ConditionPlan.Kind.COLUMNS) {
      throw CqlException.invalid(
          "Cannot mix IF conditions and IF "
              + (kind == ConditionPlan.Kind.NOT_EXISTS ? "NOT " : "")
              + "EXISTS for the same row");
    } else if (known.kind != kind) {
      throw CqlException.invalid(
          "Cannot mix IF EXISTS and IF NOT EXISTS conditions for the same row");
    }
  }

  private void addColumns(
      List<ColumnCondition> conditions,
      byte @Nullable [] suffix,
      BoundSlots bound,
      Consumer<ColumnCondition> before) {
    RowTest known = find(suffix);
    if (known == null) {
      known = put(suffix, ConditionPlan.Kind.COLUMNS);
    } else if (known.kind != ConditionPlan.Kind.COLUMNS) {
      throw CqlException.invalid("Cannot mix IF conditions and IF NOT EXISTS for the same row");
    }
    for (ColumnCondition condition : conditions) {
      before.accept(condition);
      known.columns.add(BoundCondition.of(condition, bound));
    }
  }

  /** Makes the request for everything that is tested and shown. */
  public ReadRequest request(ByteWriter prefix, int tombstoneLimit) {
    ReadRequest request =
        new ReadRequest()
            .reset(read.table().storageId(), nowSeconds)
            .partition(prefix.segment(), 0, prefix.size())
            .columns(read.columns().ids())
            .wantsStatic(read.columns().staticCount() > 0)
            .tombstoneLimit(tombstoneLimit);
    for (byte[] suffix : byKey.keySet()) {
      MemorySegment bytes = new ByteWriter(suffix.length).putBytes(suffix).segment();
      request.addRow(bytes, 0, suffix.length);
    }
    return request;
  }

  /** Forgets all rows. */
  public void begin() {
    row.begin(read.keys(), read.columns(), nowSeconds);
    rows.clear();
    rowCount = 0;
    partitionFound = false;
    refusal = null;
    byKey.values().forEach(test -> test.seen = false);
  }

  @Override
  public Next partition(MemorySegment prefix, long offset, int length) {
    row.partition(prefix, offset, length);
    partitionFound = true;
    return Next.CONTINUE;
  }

  @Override
  public Next staticRow(RowView staticRow) {
    row.staticRow(staticRow);
    return Next.CONTINUE;
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView view) {
    if (!read.writesRows() && !view.isLive(nowSeconds)) {
      // Cassandra does not read the columns that keep the row alive
      return Next.CONTINUE;
    }
    row.row(clustering, offset, length, view);
    show();
    if (byKey.isEmpty()) {
      // conditions on static columns only: the result shows the first row of the partition
      return Next.STOP;
    }
    byte[] suffix = new byte[length + 1];
    suffix[0] = KeyFormat.SECTION_ROWS;
    System.arraycopy(Bytes.toArray(clustering, offset, length), 0, suffix, 1, length);
    RowTest test = byKey.get(suffix);
    if (test != null) {
      test.seen = true;
      evaluate(test, true);
    }
    return Next.CONTINUE;
  }

  private void evaluate(RowTest test, boolean exists) {
    test.refusal = null;
    test.met =
        switch (test.kind) {
          case EXISTS -> exists;
          case NOT_EXISTS -> !exists;
          case COLUMNS -> areMet(test, exists);
        };
  }

  private boolean areMet(RowTest test, boolean exists) {
    for (BoundCondition condition : test.columns) {
      if (condition.refusal() != null) {
        test.refusal = condition.refusal();
        return false;
      }
      SelectionInput input = SelectionInputs.value(condition.column(), read.columns());
      if (!condition.isMetBy(exists ? row.bytes(input) : null)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Ends the test after the last row; returns whether all conditions hold. Of several that do not,
   * the first one counts, like in Cassandra: the static row is before the others.
   */
  public boolean end() {
    boolean hasStatics = partitionFound && hasStatics();
    boolean holds = true;
    if (onStatics != null) {
      evaluate(onStatics, hasStatics);
      holds = onStatics.met;
      refusal = onStatics.refusal;
    }
    for (RowTest test : byKey.values()) {
      if (!test.seen) {
        evaluate(test, false);
      }
      if (holds && !test.met) {
        holds = false;
        refusal = test.refusal;
      }
    }
    if (!holds && rowCount == 0 && hasStatics) {
      row.noRow();
      show();
    }
    return holds;
  }

  /** Why the value of a tested condition is invalid; null if none is. */
  public @Nullable CqlException refusal() {
    return refusal;
  }

  /** Whether there is a static row. */
  private boolean hasStatics() {
    for (ColumnSchema column : read.statics()) {
      if (row.bytes(SelectionInputs.value(column, read.columns())) != null) {
        return true;
      }
    }
    return false;
  }

  private void show() {
    rowCount++;
    rows.putInt(1).putByte(0);
    for (SelectionInput input : read.shown()) {
      if (input.index() == ReadColumns.NOT_READ) {
        rows.putInt(-1);
      } else {
        row.put(input, rows);
      }
    }
  }

  /** The number of rows to show if the conditions do not hold. */
  public int rowCount() {
    return rowCount;
  }

  /** The rows to show, in the encoding of the protocol. */
  public ByteWriter rows() {
    return rows;
  }
}
