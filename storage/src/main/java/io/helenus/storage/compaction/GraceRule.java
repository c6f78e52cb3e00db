package io.helenus.storage.compaction;

import io.helenus.storage.engine.TableDescriptor;

/** Says how old a deletion must be before a compaction may leave it out. Pure; any thread. */
@FunctionalInterface
public interface GraceRule {
  /** Deletions stay for the table's grace period. */
  GraceRule GRACE_PERIOD = (table, nowSeconds) -> nowSeconds - table.gcGraceSeconds();

  /** Deletions made before this second may go, if nothing that they cover is elsewhere. */
  long gcBeforeSeconds(TableDescriptor table, long nowSeconds);
}
