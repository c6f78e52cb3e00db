/**
 * Access to this node's replicas: the path from a coordinator to the engine of the right shard and
 * back. Entry class: {@link io.helenus.server.replica.LocalReplica}; work in the background goes
 * through {@link io.helenus.server.replica.ShardReplica}. Imports coordinator, shard, view and
 * storage's engine.
 */
@NullMarked
package io.helenus.server.replica;

import org.jspecify.annotations.NullMarked;
