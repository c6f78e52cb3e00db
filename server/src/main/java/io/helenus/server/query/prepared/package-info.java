/**
 * Prepared statements: their ids, the caches of the node and of each shard, and planning them again
 * after a schema change. The plans of statements sent as text, shared by all with the same shape.
 *
 * <p>Entry: {@link io.helenus.server.query.prepared.PreparedStatements} and {@link
 * io.helenus.server.query.prepared.StatementCache}. Imports {@code query.statement}, {@code
 * query.value}, cql-grammar, error, types, schema, protocol.
 */
@NullMarked
package io.helenus.server.query.prepared;

import org.jspecify.annotations.NullMarked;
