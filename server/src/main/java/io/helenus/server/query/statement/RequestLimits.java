package io.helenus.server.query.statement;

/**
 * Limits on requests that always hold, unlike guardrails: above them a request causes a warning or
 * is rejected. Immutable; any thread.
 *
 * @param batchWarnBytes larger batches cause a warning
 * @param batchFailBytes larger batches are rejected
 * @param unloggedPartitionsWarnCount unlogged batches on more partitions cause a warning
 * @param maxMutationBytes larger mutations are rejected; their size is that of Cassandra's
 *     serialization
 * @param tombstonesWarnCount reads that encounter more tombstones cause a warning
 * @param tombstonesFailCount reads that encounter more tombstones are aborted
 * @param maxPageBytes a page ends with the row that reaches this size
 */
public record RequestLimits(
    long batchWarnBytes,
    long batchFailBytes,
    int unloggedPartitionsWarnCount,
    long maxMutationBytes,
    int tombstonesWarnCount,
    int tombstonesFailCount,
    long maxPageBytes) {}
