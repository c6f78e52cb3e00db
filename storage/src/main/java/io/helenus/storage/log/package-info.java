/**
 * The commit log (storage/docs/commitlog.md): one {@link io.helenus.storage.log.CommitLog} per
 * shard appends the records of a tick with one write and syncs them as the mode asks; {@link
 * io.helenus.storage.log.LogReplay} reads what earlier starts left. Knows records as bytes only.
 * Imports {@code env}, {@code bytes} and the doors of {@code engine}.
 */
@NullMarked
package io.helenus.storage.log;

import org.jspecify.annotations.NullMarked;
