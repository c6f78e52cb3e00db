/**
 * Prepared statements: their ids, the caches of the node and of each shard, and planning them again
 * after a schema change.
 *
 * <p>Entry: {@link io.helenus.server.query.prepared.PreparedStatements}. Imports {@code
 * query.statement}, cql-grammar, error, schema, protocol.
 */
@NullMarked
package io.helenus.server.query.prepared;

import org.jspecify.annotations.NullMarked;
