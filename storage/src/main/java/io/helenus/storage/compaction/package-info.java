/**
 * Compaction: the policy that picks which files of a table to merge, the rule that decides when a
 * deletion is old enough to purge, the queue of tables that wait for a compaction, and the jobs
 * that merge and split files. Entry classes: {@link io.helenus.storage.compaction.TableCompactions}
 * and {@link io.helenus.storage.compaction.SplitJob}. Imports {@code job}, {@code merge}, what
 * these import, and the public types of {@code engine}; the engine drives it through {@link
 * io.helenus.storage.compaction.CompactedTable}.
 */
@NullMarked
package io.helenus.storage.compaction;

import org.jspecify.annotations.NullMarked;
