/**
 * Shared by all kinds of statements: the scope and markers of planning, the interface of plans, and
 * the context, reply and guardrails of a run.
 *
 * <p>Entry: {@link io.helenus.server.query.statement.StatementPlan}. Imports cql-grammar, error,
 * types, schema, protocol, coordinator (traces), and storage's env.
 */
@NullMarked
package io.helenus.server.query.statement;

import org.jspecify.annotations.NullMarked;
