/**
 * Work in the background on materialized views: their builds, and verifications with their repair
 * (docs/views.md). It goes through the tables of this node's replica shard by shard; what it
 * changes waits for its turn among the writes of a partition, as {@link
 * io.helenus.server.replica.PartitionStep}s. Entry classes: {@link
 * io.helenus.server.viewbuild.ViewBuilds} and {@link io.helenus.server.viewbuild.ViewVerification}.
 * Imports replica, coordinator, view, schema and shard; of storage's engine only requests and
 * sinks.
 */
@NullMarked
package io.helenus.server.viewbuild;

import org.jspecify.annotations.NullMarked;
