/**
 * EXPLAIN: what a statement will touch, as a tree of steps with estimates, and what a SELECT did
 * touch; and which table would serve a SELECT that is refused.
 *
 * <p>Entries: {@link io.helenus.server.query.explain.ExplainPlanner}, {@link
 * io.helenus.server.query.explain.ExplainRunner} and {@link
 * io.helenus.server.query.explain.RefusedQuery}. All but the runner is pure.
 */
@NullMarked
package io.helenus.server.query.explain;

import org.jspecify.annotations.NullMarked;
