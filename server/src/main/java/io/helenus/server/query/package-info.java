/**
 * Answers requests: routes each to the room of its statement, and plans text. One room for each
 * subject; a room sees only those after it in this list: {@code tracing}, {@code prepared}, {@code
 * definition}, {@code select}, {@code modification}, {@code selection}, {@code restriction}, {@code
 * value}, {@code statement}.
 *
 * <p>Entry: {@link io.helenus.server.query.QueryHandler}, one per shard.
 */
@NullMarked
package io.helenus.server.query;

import org.jspecify.annotations.NullMarked;
