package io.helenus.storage.vector;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which rows are searched: those of a range of keys, and of these only some, if they are listed.
 * Immutable; any thread.
 *
 * @param listed the rows that are searched; null for all of the range
 */
public record KeyRestriction(KeyRange range, @Nullable ListedKeys listed) {
  /** Whether all rows are searched. */
  boolean isNone() {
    return listed == null && range.hasAll();
  }

  /** The same with only some of the listed rows, by the order of listing; null for all of them. */
  KeyRestriction only(@Nullable BitSet some) {
    return listed == null || some == null ? this : new KeyRestriction(range, listed.only(some));
  }

  /** Whether a row is searched. */
  boolean admits(MemorySegment key, long offset, int length, int prefixLength) {
    return range.order(key, offset, length) == 0
        && (listed == null || listed.contains(key, offset, length, prefixLength));
  }
}
