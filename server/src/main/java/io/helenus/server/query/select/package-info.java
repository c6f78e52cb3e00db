/**
 * SELECT: planning is pure; an execution reads partition by partition and page by page through the
 * coordinator. The path of a prepared SELECT allocates nothing per value.
 *
 * <p>Entry: {@link io.helenus.server.query.select.SelectPlanner} and {@link
 * io.helenus.server.query.select.SelectRunner}. Imports the packages below it, coordinator, and
 * storage's bytes, row, env and engine (requests and sinks only).
 */
@NullMarked
package io.helenus.server.query.select;

import org.jspecify.annotations.NullMarked;
