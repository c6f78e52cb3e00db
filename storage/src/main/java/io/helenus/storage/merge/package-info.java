/**
 * The merge of sorted runs: the merge heap, deletions, purge rules and the assembly of a row from
 * its versions. Reads, flushes and compactions share it. Entry classes: {@link
 * io.helenus.storage.merge.EntryMerge} for flushes and compactions, which block, and {@link
 * io.helenus.storage.merge.MergeHeap} for reads. Imports {@code run}, {@code row}, {@code bytes}
 * and the table descriptor of {@code engine}.
 */
@NullMarked
package io.helenus.storage.merge;

import org.jspecify.annotations.NullMarked;
