package io.helenus.server.query.modification;

import io.helenus.server.advice.StatementAdvisor;
import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.query.statement.RequestLimits;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.types.CollectionElements;
import io.helenus.storage.env.Clock;
import io.helenus.storage.memory.LargeSegments;

/**
 * What all runners of modifications use. One per shard; shard thread only.
 *
 * @param bound the bound values of the statement that is being run
 * @param answers the pooled callbacks that respond to the client when a write is done
 * @param segments memory for large rows
 */
public record ModificationServices(
    Coordinator coordinator,
    Clock clock,
    ServerTimestamps timestamps,
    BoundSlots bound,
    CollectionElements.ListPaths listPaths,
    ModificationChecks checks,
    WriteGuardrails guardrails,
    RequestLimits limits,
    StatementAdvisor advisor,
    MutationLimit mutationLimit,
    VoidAnswer.Pool answers,
    LargeSegments segments) {}
