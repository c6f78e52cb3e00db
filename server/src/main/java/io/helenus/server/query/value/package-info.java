/**
 * The values of a statement: terms and functions compiled to {@code ValueSlots} and, at each run,
 * bound to slices of the request. Independent of coordinator, exchange and clock.
 *
 * <p>Entry: {@link io.helenus.server.query.value.TermCompiler} and {@link
 * io.helenus.server.query.value.BoundSlots}. Imports {@code query.statement}, cql-grammar, error,
 * types, functions, schema, protocol's values, and storage's bytes.
 */
@NullMarked
package io.helenus.server.query.value;

import org.jspecify.annotations.NullMarked;
