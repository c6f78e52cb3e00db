/**
 * A node's metrics: latencies of reads and writes, the rows and tombstones they encounter, the
 * kinds of statements executed. Entry class: {@link io.helenus.server.metrics.ShardMetrics}, one
 * per shard, updated on its thread without locks. {@link io.helenus.server.metrics.MetricsSnapshot}
 * is a snapshot of one shard, or the sum of several, in which older values weigh less; {@link
 * io.helenus.server.metrics.NodeCounts} counts since the start; {@link
 * io.helenus.server.metrics.HotPartitions} finds the partitions that are read and written most.
 * Imports nothing of the server.
 */
@NullMarked
package io.helenus.server.metrics;

import org.jspecify.annotations.NullMarked;
