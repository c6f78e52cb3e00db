package io.helenus.server.query.statement;

/**
 * Sizes above which a client is warned, or refused. Immutable.
 *
 * @param batchWarnBytes batches above it are warned of
 * @param batchFailBytes batches above it are refused
 * @param unloggedPartitionsWarnCount unlogged batches over more partitions are warned of
 * @param maxMutationBytes mutations above it are refused; measured as Cassandra serializes them
 * @param tombstonesWarnCount reads that meet more tombstones are warned of
 * @param tombstonesFailCount reads that meet more tombstones are given up
 */
public record Guardrails(
    long batchWarnBytes,
    long batchFailBytes,
    int unloggedPartitionsWarnCount,
    long maxMutationBytes,
    int tombstonesWarnCount,
    int tombstonesFailCount) {}
