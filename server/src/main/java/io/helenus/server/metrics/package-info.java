/**
 * What a node measures of itself: how long reads and writes take, how many rows and tombstones they
 * meet, which statements are run. Entry class: {@link io.helenus.server.metrics.ShardMetrics}, one
 * for each shard, written on its thread without locks; {@link
 * io.helenus.server.metrics.MetricsSnapshot} is what a shard hands out to those who ask, and what
 * several shards' are added up to. Imports nothing of the server.
 */
@NullMarked
package io.helenus.server.metrics;

import org.jspecify.annotations.NullMarked;
