/**
 * Answers requests: text to plan to rows. {@code query.plan} judges statements, {@code query.run}
 * carries them out, this package routes requests, keeps prepared statements and writes traces.
 *
 * <p>Entry class: {@link io.helenus.server.query.QueryHandler}, one per shard. Imports cql-grammar,
 * error, types, functions, schema, ring, protocol, metadata, shard, coordinator, and storage's
 * bytes and env.
 */
@NullMarked
package io.helenus.server.query;

import org.jspecify.annotations.NullMarked;
