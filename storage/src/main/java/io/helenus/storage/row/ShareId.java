package io.helenus.storage.row;

/**
 * Identifies whose increments a share of a counter counts: those of one node, since it last may
 * have lost a part of its commit log. Immutable; any thread.
 */
public record ShareId(long high, long low) {}
