package io.helenus.server.coordinator;

/** How long operations may take before a client is told that they timed out; nanoseconds. */
public record Timeouts(long readNanos, long rangeNanos, long writeNanos, long truncateNanos) {}
