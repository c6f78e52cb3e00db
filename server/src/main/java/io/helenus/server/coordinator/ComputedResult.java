package io.helenus.server.coordinator;

/**
 * How a computed write ended.
 *
 * @param wrote whether it wrote a mutation
 * @param waitedNanos how long it waited in the queue of its partition
 * @param tookNanos how long the replica took after that, until its result was durable
 * @param turn the number of writes of the turn in which it was computed
 * @param rows the number of live rows read
 * @param tombstones the number of tombstones read
 */
public record ComputedResult(
    boolean wrote, long waitedNanos, long tookNanos, int turn, int rows, int tombstones) {}
