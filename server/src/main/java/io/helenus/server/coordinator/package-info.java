/**
 * Consistency levels, fan-out and timeouts: one small machine per request, fed by replies and
 * timeouts. Entry class: {@link io.helenus.server.coordinator.Coordinator}, one per shard. Imports
 * schema, ring, shard, and storage's bytes, row and engine (requests and sinks only); reaches
 * replicas through the {@link io.helenus.server.coordinator.ReplicaAccess} it is handed.
 */
@NullMarked
package io.helenus.server.coordinator;

import org.jspecify.annotations.NullMarked;
