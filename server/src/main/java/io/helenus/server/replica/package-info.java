/**
 * Access to this node's replicas: the path from a coordinator to the engine of the right shard and
 * back. Entry class: {@link io.helenus.server.replica.LocalReplica}. Imports coordinator, shard and
 * storage's engine; only system and node import the latter besides it.
 */
@NullMarked
package io.helenus.server.replica;

import org.jspecify.annotations.NullMarked;
