/**
 * Read cursors of one shard over its memtables and SSTables, or over the replies of replicas. Entry
 * class: {@link io.helenus.storage.read.ShardReads}. Imports {@code cache}, {@code reply}, {@code
 * merge}, what these import, {@code memtable}, {@code env} and the public types of {@code engine}.
 */
@NullMarked
package io.helenus.storage.read;

import org.jspecify.annotations.NullMarked;
