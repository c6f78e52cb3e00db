/**
 * Consistency levels, fan-out, timeouts and the batch log: one small state machine per request, fed
 * by replies and deadlines. Entry class: {@link io.helenus.server.coordinator.Coordinator}, one per
 * shard; unfinished logged batches are completed by {@link
 * io.helenus.server.coordinator.BatchLogReplay}. Imports schema, ring, shard, and storage's bytes,
 * row and engine (requests and sinks only); reaches replicas through the {@link
 * io.helenus.server.coordinator.ReplicaAccess} it is handed.
 */
@NullMarked
package io.helenus.server.coordinator;

import org.jspecify.annotations.NullMarked;
