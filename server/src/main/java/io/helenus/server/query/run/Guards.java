package io.helenus.server.query.run;

/**
 * Sizes above which a client is warned, or refused. Immutable.
 *
 * @param batchWarnBytes batches above it are warned of
 * @param batchFailBytes batches above it are refused
 * @param unloggedPartitionsWarnCount unlogged batches over more partitions are warned of
 */
public record Guards(long batchWarnBytes, long batchFailBytes, int unloggedPartitionsWarnCount) {}
