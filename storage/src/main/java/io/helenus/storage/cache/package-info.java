/**
 * The block cache: decompressed, verified SSTable blocks in native memory, and the filters of the
 * files, one cache of each per shard. Entry class: {@link io.helenus.storage.cache.BlockCache}.
 * Imports {@code sstable}, {@code memory} and the public types of {@code engine}.
 */
@NullMarked
package io.helenus.storage.cache;

import org.jspecify.annotations.NullMarked;
