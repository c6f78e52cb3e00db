package io.helenus.server.query.selection;

/**
 * GROUP BY. Immutable.
 *
 * @param clusteringColumns how many clustering columns make a group beside the partition key; 0
 *     groups by partition
 */
public record Grouping(int clusteringColumns) {}
