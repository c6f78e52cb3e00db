/**
 * From a statement and the schema to a plan, or to the refusal that Cassandra would give. Pure:
 * nothing here reads a clock or touches data. Entry class: {@link
 * io.helenus.server.query.plan.StatementPlanner}; what it yields is a {@link
 * io.helenus.server.query.plan.StatementPlan}, immutable and shared by all shards. Imports
 * cql-grammar's ast, error, types, functions, schema, protocol's {@code ResultColumns}, and
 * storage's bytes and row.
 */
@NullMarked
package io.helenus.server.query.plan;

import org.jspecify.annotations.NullMarked;
