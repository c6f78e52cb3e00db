/**
 * INSERT, UPDATE, DELETE, BATCH and TRUNCATE: planning is pure; a run encodes bound values as the
 * entries of a mutation and passes it to the coordinator. A prepared INSERT allocates nothing per
 * value.
 *
 * <p>Entry: {@link io.helenus.server.query.modification.ModificationPlanner} and {@link
 * io.helenus.server.query.modification.ModificationRunner}. Imports the packages below it except
 * {@code query.selection}, coordinator, and storage's bytes, row and env.
 */
@NullMarked
package io.helenus.server.query.modification;

import org.jspecify.annotations.NullMarked;
