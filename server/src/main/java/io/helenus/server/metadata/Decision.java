package io.helenus.server.metadata;

import org.jspecify.annotations.Nullable;

/**
 * What an entry of the log did. Immutable.
 *
 * @param refusal why it was refused; null unless it was
 * @param state the state as of the entry
 */
public record Decision(Outcome outcome, @Nullable String refusal, ClusterState state) {}
