/**
 * The commit log (storage/docs/commitlog.md): one {@link io.helenus.storage.log.CommitLog} per
 * shard appends the records of a tick with one write and syncs them as the mode requires; {@link
 * io.helenus.storage.log.LogReplay} reads the logs of earlier starts. Records are opaque bytes.
 * Imports {@code env}, {@code bytes} and the public types of {@code engine}.
 */
@NullMarked
package io.helenus.storage.log;

import org.jspecify.annotations.NullMarked;
