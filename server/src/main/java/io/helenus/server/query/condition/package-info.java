/**
 * IF: its plan, its test of rows, and the rows of the {@code [applied]} result.
 *
 * <p>Entry: {@link io.helenus.server.query.condition.ConditionCompiler}. Imports cql-grammar,
 * error, types, schema, protocol, storage's bytes, row and engine values, and the rooms of query
 * below it.
 */
@NullMarked
package io.helenus.server.query.condition;

import org.jspecify.annotations.NullMarked;
