package io.helenus.storage.compaction;

import io.helenus.storage.engine.TableDescriptor;

/** Decides how old a deletion must be before a compaction may purge it. Pure; any thread. */
@FunctionalInterface
public interface GraceRule {
  /** Keeps deletions for the table's grace period. */
  GraceRule GRACE_PERIOD = (table, nowSeconds) -> nowSeconds - table.gcGraceSeconds();

  /**
   * The time, in seconds since 1970, before which a deletion must have been made to be purged, if
   * it covers no data outside the compaction.
   */
  long gcBeforeSeconds(TableDescriptor table, long nowSeconds);
}
