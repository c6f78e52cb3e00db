/**
 * Handles client requests: plans statements and passes each to the package for its kind. A package
 * depends only on packages that follow it in this list: {@code tracing}, {@code prepared}, {@code
 * definition}, {@code select}, {@code modification}, {@code selection}, {@code restriction}, {@code
 * value}, {@code statement}.
 *
 * <p>Entry: {@link io.helenus.server.query.QueryHandler}, one per shard.
 */
@NullMarked
package io.helenus.server.query;

import org.jspecify.annotations.NullMarked;
