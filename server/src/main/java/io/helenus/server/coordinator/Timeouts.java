package io.helenus.server.coordinator;

/** The timeouts of operations, in nanoseconds. */
public record Timeouts(
    long readNanos,
    long rangeNanos,
    long writeNanos,
    long counterNanos,
    long casNanos,
    long truncateNanos) {}
