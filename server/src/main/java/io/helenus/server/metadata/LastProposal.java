package io.helenus.server.metadata;

/** The last proposal of a node that is in the log, and what became of it. Immutable. */
record LastProposal(ProposalId id, Outcome outcome) {}
