/**
 * The content of a result: selectors, aggregates and groups compiled to a {@code Selection}, the
 * current row of a read with its cells, and the encoded rows of a result. Independent of the
 * coordinator, the exchange and the clock.
 *
 * <p>Entry: {@link io.helenus.server.query.selection.SelectionCompiler} and {@link
 * io.helenus.server.query.selection.SelectedRows}. Imports {@code query.restriction} and the
 * packages below it, cql-grammar, error, types, functions, schema, protocol's columns, and
 * storage's bytes and row.
 */
@NullMarked
package io.helenus.server.query.selection;

import org.jspecify.annotations.NullMarked;
