/**
 * Prepared statements: their ids, the caches of a node and of a shard, and planning again after a
 * schema change.
 *
 * <p>Entry: {@link io.helenus.server.query.prepared.PreparedStatements}. Imports {@code
 * query.statement}, cql-grammar, error, schema, protocol.
 */
@NullMarked
package io.helenus.server.query.prepared;

import org.jspecify.annotations.NullMarked;
