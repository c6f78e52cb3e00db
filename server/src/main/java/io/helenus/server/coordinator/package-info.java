/**
 * Consistency levels, fan-out, timeouts and the batch log: one small state machine per request,
 * driven by replies and deadlines. Entry class: {@link io.helenus.server.coordinator.Coordinator},
 * one per shard; unfinished logged batches are completed by {@link
 * io.helenus.server.coordinator.BatchLogReplay}. Imports schema, ring, shard, and storage's bytes,
 * row and engine (requests and sinks only); replicas are reached through an injected {@link
 * io.helenus.server.coordinator.ReplicaAccess}.
 */
@NullMarked
package io.helenus.server.coordinator;

import org.jspecify.annotations.NullMarked;
