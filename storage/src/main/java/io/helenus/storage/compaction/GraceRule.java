package io.helenus.storage.compaction;

import io.helenus.storage.engine.TableDescriptor;

/** Decides how old a deletion must be before a compaction may purge it. Pure; any thread. */
@FunctionalInterface
public interface GraceRule {
  /** Keeps deletions for the table's grace period. */
  GraceRule GRACE_PERIOD = (table, nowSeconds) -> nowSeconds - table.gcGraceSeconds();

  /** The second before which deletions may be purged, if they cover nothing elsewhere. */
  long gcBeforeSeconds(TableDescriptor table, long nowSeconds);
}
