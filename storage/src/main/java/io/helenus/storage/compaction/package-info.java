/**
 * Compaction policies: pure functions that pick which files of a table to merge, and when a
 * deletion is old enough to go. Entry class: {@link
 * io.helenus.storage.compaction.SizeTieredPolicy}. Imports the doors of {@code engine} only.
 */
@NullMarked
package io.helenus.storage.compaction;

import org.jspecify.annotations.NullMarked;
