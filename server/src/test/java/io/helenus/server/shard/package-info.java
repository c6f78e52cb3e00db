/** Tests of the shards. */
@NullMarked
package io.helenus.server.shard;

import org.jspecify.annotations.NullMarked;
