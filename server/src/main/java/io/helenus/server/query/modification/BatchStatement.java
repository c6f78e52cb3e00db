package io.helenus.server.query.modification;

import io.helenus.server.protocol.BoundValues;

/** A modification with its values: a statement of a batch, or a batch of its own. */
public record BatchStatement(ModificationPlan plan, BoundValues values) {}
