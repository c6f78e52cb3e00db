/**
 * The event loops: the tick of a shard and the mailboxes between shards. Entry class: {@link
 * io.helenus.server.shard.Shard}. Imports storage's env and engine (for {@code ShardMap}) only.
 */
@NullMarked
package io.helenus.server.shard;

import org.jspecify.annotations.NullMarked;
