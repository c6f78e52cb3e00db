/**
 * WHERE: relations are compiled to restrictions and checked against the primary key; each run
 * converts them to partition keys, ranges of clustering keys, token bounds and row filters.
 * Independent of coordinator, exchange and clock.
 *
 * <p>Entry: {@link io.helenus.server.query.restriction.WhereCompiler}. Imports {@code query.value}
 * and {@code query.statement}, cql-grammar, error, types, ring, schema, and storage's bytes, row
 * and requests.
 */
@NullMarked
package io.helenus.server.query.restriction;

import org.jspecify.annotations.NullMarked;
