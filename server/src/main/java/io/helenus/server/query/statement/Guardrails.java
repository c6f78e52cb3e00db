package io.helenus.server.query.statement;

/**
 * Limits above which a request gets a warning or is refused. Immutable; any thread.
 *
 * @param batchWarnBytes larger batches get a warning
 * @param batchFailBytes larger batches are refused
 * @param unloggedPartitionsWarnCount unlogged batches over more partitions get a warning
 * @param maxMutationBytes larger mutations are refused; measured as Cassandra serializes them
 * @param tombstonesWarnCount reads that encounter more tombstones get a warning
 * @param tombstonesFailCount reads that encounter more tombstones are aborted
 */
public record Guardrails(
    long batchWarnBytes,
    long batchFailBytes,
    int unloggedPartitionsWarnCount,
    long maxMutationBytes,
    int tombstonesWarnCount,
    int tombstonesFailCount) {}
