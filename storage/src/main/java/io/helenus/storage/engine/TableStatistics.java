package io.helenus.storage.engine;

/**
 * A table's size on this node.
 *
 * @param files how many SSTables
 * @param fileBytes their size
 * @param memtableBytes off-heap bytes of its memtables
 * @param estimatedPartitions an estimate, counting a partition once per file
 */
public record TableStatistics(
    int files, long fileBytes, long memtableBytes, long estimatedPartitions) {}
