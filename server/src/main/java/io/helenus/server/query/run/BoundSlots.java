package io.helenus.server.query.run;

import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.plan.Expression;
import io.helenus.server.query.plan.ValueSlots;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The values of a plan's slots at one run, as slices of the request, of the plan's constants or of
 * own memory. Kept and filled again: what it says is good until the next {@link #bind}. One thread.
 */
final class BoundSlots {
  /** The length of a null. */
  static final int NULL = BoundValues.NULL;

  /** The length of what is not set. */
  static final int UNSET = BoundValues.UNSET;

  private static final int KEPT_BYTES = 64 << 10;

  private final ExpressionEvaluator evaluator;
  private final ByteWriter computed = new ByteWriter(256);
  private MemorySegment[] segments = new MemorySegment[16];
  private long[] offsets = new long[16];
  private int[] lengths = new int[16];

  BoundSlots(ExpressionEvaluator evaluator) {
    this.evaluator = evaluator;
    Arrays.fill(segments, MemorySegment.NULL);
  }

  /** Fills all slots, checking what is bound against its type. */
  void bind(ValueSlots slots, BoundValues values) {
    int count = slots.count();
    if (count > lengths.length) {
      grow(count);
    }
    boolean anyComputed = false;
    for (int slot = 0; slot < count; slot++) {
      int marker = slots.marker(slot);
      if (marker >= 0) {
        int length = values.length(marker);
        segments[slot] = values.segment();
        offsets[slot] = values.offset(marker);
        lengths[slot] = length;
        if (length >= 0 && !slots.isInList(slot)) {
          slots.type(slot).validate(values.segment(), values.offset(marker), length);
        }
      } else if (slots.expression(slot) == null) {
        segments[slot] = slots.constants();
        offsets[slot] = slots.constantOffset(slot);
        lengths[slot] = slots.constantLength(slot);
      } else {
        anyComputed = true;
      }
    }
    if (anyComputed) {
      compute(slots, values);
    }
  }

  private void compute(ValueSlots slots, BoundValues values) {
    computed.clear(KEPT_BYTES);
    for (int slot = 0; slot < slots.count(); slot++) {
      Expression expression = slots.expression(slot);
      if (expression != null) {
        byte[] value = evaluator.evaluate(expression, values);
        offsets[slot] = computed.size();
        lengths[slot] = value == null ? NULL : value.length;
        if (value != null) {
          computed.putBytes(value);
        }
      }
    }
    for (int slot = 0; slot < slots.count(); slot++) {
      if (slots.expression(slot) != null) {
        segments[slot] = computed.segment();
      }
    }
  }

  /** Makes room, with all slots null. */
  void reserve(int count) {
    if (count > lengths.length) {
      grow(count);
    }
    Arrays.fill(lengths, NULL);
  }

  /** Fills one slot, checking what is bound against its type. */
  void bindOne(ValueSlots slots, int slot, BoundValues values) {
    int marker = slots.marker(slot);
    Expression expression = slots.expression(slot);
    if (marker >= 0) {
      segments[slot] = values.segment();
      offsets[slot] = values.offset(marker);
      lengths[slot] = values.length(marker);
      if (lengths[slot] >= 0 && !slots.isInList(slot)) {
        slots.type(slot).validate(values.segment(), values.offset(marker), lengths[slot]);
      }
    } else if (expression == null) {
      segments[slot] = slots.constants();
      offsets[slot] = slots.constantOffset(slot);
      lengths[slot] = slots.constantLength(slot);
    } else {
      byte[] value = evaluator.evaluate(expression, values);
      ByteWriter bytes = new ByteWriter(64);
      if (value != null) {
        bytes.putBytes(value);
      }
      segments[slot] = bytes.segment();
      offsets[slot] = 0;
      lengths[slot] = value == null ? NULL : value.length;
    }
  }

  private void grow(int count) {
    int from = segments.length;
    segments = Arrays.copyOf(segments, count);
    Arrays.fill(segments, from, count, MemorySegment.NULL);
    offsets = Arrays.copyOf(offsets, count);
    lengths = Arrays.copyOf(lengths, count);
  }

  /** What the value of a slot lies in. */
  MemorySegment segment(int slot) {
    return segments[slot];
  }

  /** Where it starts. */
  long offset(int slot) {
    return offsets[slot];
  }

  /** Its length in bytes, {@link #NULL} or {@link #UNSET}. */
  int length(int slot) {
    return lengths[slot];
  }
}
