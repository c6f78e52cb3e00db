/**
 * A node's own share of a request: the way from a coordinator to the engine of the right shard and
 * back. Entry class: {@link io.helenus.server.replica.LocalReplica}. Imports coordinator, shard and
 * storage's engine, which nothing else but system and node does.
 */
@NullMarked
package io.helenus.server.replica;

import org.jspecify.annotations.NullMarked;
