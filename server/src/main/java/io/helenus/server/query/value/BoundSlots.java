package io.helenus.server.query.value;

import io.helenus.server.protocol.BoundValues;
import io.helenus.server.types.CompositeValues;
import io.helenus.server.types.JsonRoom;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.WireValues;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of a plan's slots during one run, as slices of the request, of the plan's constants
 * or, for computed values, of this object's memory. Reused for successive runs: slices are valid
 * until the next {@link #bind}. Not thread-safe.
 */
public final class BoundSlots {
  /** The length of a null. */
  public static final int NULL = BoundValues.NULL;

  /** The length of an unset value. */
  public static final int UNSET = BoundValues.UNSET;

  private static final int KEPT_BYTES = 64 << 10;
  private static final int[] NONE = {};

  private final ExpressionEvaluator evaluator;
  private final ByteWriter computed = new ByteWriter(256);
  private MemorySegment[] segments = new MemorySegment[16];
  private long[] offsets = new long[16];
  private int[] lengths = new int[16];
  private int[] computedSlots = new int[4];
  private int computedCount;
  private @Nullable JsonDocument json;

  // the values that vary from row to row: the slots of the bound plan, what they are computed
  // from, and whether a row has them already
  private int[] varying = NONE;
  private @Nullable ValueSlots plan;
  private @Nullable BoundValues given;
  private boolean taken;
  private final ByteWriter varied = new ByteWriter(64);

  /** Creates slots whose expressions are computed by this evaluator. */
  public BoundSlots(ExpressionEvaluator evaluator) {
    this.evaluator = evaluator;
    Arrays.fill(segments, MemorySegment.NULL);
  }

  /**
   * Binds every slot in ascending order and validates bound values against their types.
   *
   * @throws io.helenus.server.error.CqlException INVALID if a value is not valid for its type
   */
  public void bind(ValueSlots slots, BoundValues values) {
    int count = slots.count();
    begin(count);
    for (int slot = 0; slot < count; slot++) {
      bind(slots, slot, values);
    }
    varying = slots.varying();
    if (varying.length > 0) {
      plan = slots;
      given = values;
      taken = false;
    }
  }

  /** Whether a row may get other values than the one before it. */
  public boolean varies() {
    return varying.length > 0;
  }

  /**
   * Called before the values of cells are written to a row: as in Cassandra, every row of a
   * statement gets its own results of functions such as {@code uuid()}. Slices of these values are
   * valid until the next call.
   */
  public void nextRow() {
    if (varying.length > 0) {
      vary();
    }
  }

  private void vary() {
    ValueSlots slots = plan;
    BoundValues values = given;
    if (!taken || slots == null || values == null) {
      taken = true;
      return;
    }
    varied.clear(KEPT_BYTES);
    for (int slot : varying) {
      Expression expression = slots.expression(slot);
      byte[] value = expression == null ? null : evaluator.evaluate(expression, values);
      offsets[slot] = varied.size();
      lengths[slot] = value == null ? NULL : value.length;
      if (value != null) {
        varied.putBytes(value);
      }
    }
    for (int slot : varying) {
      segments[slot] = varied.segment();
    }
  }

  /** Starts binding slot by slot; no slot is valid until it has been bound again. */
  void begin(int count) {
    if (count > lengths.length) {
      grow(count);
    }
    computedCount = 0;
    json = null;
    varying = NONE;
  }

  /** Binds one slot and validates a bound value against its type. */
  public void bind(ValueSlots slots, int slot, BoundValues values) {
    int marker = slots.marker(slot);
    if (marker >= 0) {
      int length = values.length(marker);
      segments[slot] = values.segment();
      offsets[slot] = values.offset(marker);
      lengths[slot] = length;
      byte treatment = slots.treatment(slot);
      if (length >= 0 && treatment != ValueSlots.IN_LIST) {
        slots.type(slot).validate(values.segment(), values.offset(marker), length);
        if (treatment == ValueSlots.REENCODED
            && !CompositeValues.isUsual(
                slots.type(slot), values.segment(), values.offset(marker), length)) {
          byte[] value = Bytes.toArray(values.segment(), values.offset(marker), length);
          putComputed(slot, CompositeValues.reencoded(slots.type(slot), value));
        }
      }
      return;
    }
    Expression expression = slots.expression(slot);
    ValueSource.JsonField field = slots.jsonField(slot);
    if (field != null) {
      bindJson(slot, field, values);
    } else if (expression == null) {
      segments[slot] = slots.constants();
      offsets[slot] = slots.constantOffset(slot);
      lengths[slot] = slots.constantLength(slot);
    } else {
      putComputed(slot, evaluator.evaluate(expression, values));
    }
  }

  private void bindJson(int slot, ValueSource.JsonField field, BoundValues values) {
    JsonDocument document = json;
    if (document == null) {
      document =
          values.decoded(field.marker()) instanceof JsonDocument decoded
              ? decoded
              : JsonDocument.parse(text(field.marker(), values), field.columns());
      json = document;
    }
    if (field.defaultUnset() && !document.has(field.column())) {
      lengths[slot] = UNSET;
    } else {
      putComputed(slot, document.value(field.column()));
    }
  }

  private static String text(int marker, BoundValues values) {
    int length = values.length(marker);
    if (length == NULL) {
      throw JsonDocument.isNull();
    }
    int bytes = Math.max(length, 0);
    JsonRoom.ofProcess().requireText(bytes);
    ScalarType.TEXT.validate(values.segment(), values.offset(marker), bytes);
    return WireValues.toText(Bytes.toArray(values.segment(), values.offset(marker), bytes));
  }

  private void putComputed(int slot, byte @Nullable [] value) {
    if (computedCount == 0) {
      computed.clear(KEPT_BYTES);
    }
    if (computedCount == computedSlots.length) {
      computedSlots = Arrays.copyOf(computedSlots, 2 * computedCount);
    }
    computedSlots[computedCount++] = slot;
    offsets[slot] = computed.size();
    lengths[slot] = value == null ? NULL : value.length;
    if (value != null) {
      computed.putBytes(value);
    }
    // the writer may have grown into a new segment
    for (int i = 0; i < computedCount; i++) {
      segments[computedSlots[i]] = computed.segment();
    }
  }

  private void grow(int count) {
    int from = segments.length;
    segments = Arrays.copyOf(segments, count);
    Arrays.fill(segments, from, count, MemorySegment.NULL);
    offsets = Arrays.copyOf(offsets, count);
    lengths = Arrays.copyOf(lengths, count);
  }

  /** The memory that contains the value of a slot. */
  public MemorySegment segment(int slot) {
    return segments[slot];
  }

  /** The offset of the value of a slot in its segment. */
  public long offset(int slot) {
    return offsets[slot];
  }

  /** The length in bytes of the value of a slot, {@link #NULL} or {@link #UNSET}. */
  public int length(int slot) {
    return lengths[slot];
  }
}
