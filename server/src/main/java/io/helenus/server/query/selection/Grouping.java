package io.helenus.server.query.selection;

/**
 * GROUP BY. Immutable.
 *
 * @param clusteringColumns how many clustering columns define a group in addition to the partition
 *     key; 0 groups by partition
 */
public record Grouping(int clusteringColumns) {}
