/**
 * What every kind of statement shares: the scope and the markers that planning needs, the interface
 * of plans, and what a run is given: its context, the reply to the client, the guardrails.
 *
 * <p>Entry: {@link io.helenus.server.query.statement.StatementPlan}. Imports cql-grammar, error,
 * types, schema, protocol, and storage's env.
 */
@NullMarked
package io.helenus.server.query.statement;

import org.jspecify.annotations.NullMarked;
