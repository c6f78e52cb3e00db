/**
 * Reads over memtables and files, and the merge that flush and compaction share. Entry classes:
 * {@link io.helenus.storage.read.ShardReads} and {@link io.helenus.storage.read.EntryMerge}.
 * Imports {@code memtable}, {@code sstable}, what these import, and the doors of {@code engine}.
 */
@NullMarked
package io.helenus.storage.read;

import org.jspecify.annotations.NullMarked;
