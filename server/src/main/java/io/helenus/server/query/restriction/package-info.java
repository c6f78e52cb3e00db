/**
 * WHERE: relations compiled to restrictions and judged against the primary key, then at a run
 * turned into partition keys, ranges of clustering keys, token bounds and row filters. Sees no
 * coordinator, no exchange and no clock.
 *
 * <p>Entry: {@link io.helenus.server.query.restriction.WhereCompiler}. Imports {@code query.value}
 * and {@code query.statement}, cql-grammar, error, types, ring, schema, and storage's bytes, row
 * and requests.
 */
@NullMarked
package io.helenus.server.query.restriction;

import org.jspecify.annotations.NullMarked;
