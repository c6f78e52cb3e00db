package io.helenus.server.query.restriction;

import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.IndexPlan.Lookup;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.IndexValueForm;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;

/** The terms that a SELECT looks up in an index. Reused for successive runs. Not thread-safe. */
public final class IndexRange {
  private static final int KEPT_BYTES = 64 << 10;
  private static final int AFTER_ALL = 0xFF;
  private static final int LEGACY_LIMIT_BYTES = 65_535;

  /** What Cassandra adds to a key and a value to index them as one. */
  private static final int ENTRY_BYTES = 6;

  private final ByteWriter lower = new ByteWriter(64);
  private final ByteWriter upper = new ByteWriter(64);
  private int indexId;

  /**
   * Sets the terms of a run, whose values are neither null nor unset.
   *
   * @throws CqlException INVALID if a value is too long for the index
   */
  public void set(IndexPlan plan, BoundSlots bound) {
    indexId = 0;
    Lookup lookup = plan.lookup();
    if (lookup == null) {
      return;
    }
    requireLength(lookup, bound);
    indexId = lookup.index().id();
    lower.clear(KEPT_BYTES);
    upper.clear(KEPT_BYTES);
    boolean any = lookup.isEqual() ? putEqual(lookup, bound) : putEnds(lookup, bound);
    if (!any) {
      lower.clear().putByte(AFTER_ALL);
      upper.clear().putByte(AFTER_ALL);
    }
  }

  private static void requireLength(Lookup lookup, BoundSlots bound) {
    if (lookup.index().kind() != IndexSchema.Kind.LEGACY) {
      return;
    }
    int length = bound.length(lookup.lowerSlot());
    if (lookup.prefixSlot() >= 0) {
      length += bound.length(lookup.prefixSlot()) + ENTRY_BYTES;
    }
    if (length > LEGACY_LIMIT_BYTES) {
      throw CqlException.invalid("Index expression values may not be larger than 64K");
    }
  }

  /** Returns false if the index has no such term. */
  private boolean putEqual(Lookup lookup, BoundSlots bound) {
    if (lookup.prefixSlot() >= 0 && !put(lookup.forms().key(), lookup.prefixSlot(), bound, lower)) {
      return false;
    }
    if (!put(lookup.form(), lookup.lowerSlot(), bound, lower)) {
      return false;
    }
    upper.putBytes(lower.segment(), 0, lower.size());
    putSuccessor(upper);
    return true;
  }

  /** An end whose value the index does not contain, because it is empty, is before all terms. */
  private boolean putEnds(Lookup lookup, BoundSlots bound) {
    boolean hasLower =
        lookup.lowerSlot() >= 0 && put(lookup.form(), lookup.lowerSlot(), bound, lower);
    if (hasLower && !lookup.lowerInclusive()) {
      putSuccessor(lower);
    }
    if (lookup.upperSlot() < 0) {
      return true;
    }
    if (!put(lookup.form(), lookup.upperSlot(), bound, upper)) {
      return false;
    }
    if (lookup.upperInclusive()) {
      putSuccessor(upper);
    }
    return true;
  }

  private static boolean put(IndexValueForm form, int slot, BoundSlots bound, ByteWriter out) {
    return form.write(bound.segment(slot), bound.offset(slot), bound.length(slot), out);
  }

  /**
   * Makes a term the smallest sequence of bytes that is greater than it and all that it is a prefix
   * of: no term is a prefix of another, but what follows a term in an index is greater than it.
   */
  private static void putSuccessor(ByteWriter term) {
    int last = term.size() - 1;
    while (Bytes.getUnsignedByte(term.segment(), last) == 0xFF) {
      last--;
    }
    int next = Bytes.getUnsignedByte(term.segment(), last) + 1;
    term.truncate(last).putByte(next);
  }

  /** Adds the range to a request, if an index is used. */
  public void addTo(ReadRequest request) {
    if (indexId > 0) {
      request.index(indexId, lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size());
    }
  }
}
