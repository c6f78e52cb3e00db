/**
 * INSERT, UPDATE, DELETE, BATCH and TRUNCATE: planning is pure; a run turns bound values into the
 * entries of a mutation and hands it to the coordinator. A prepared INSERT allocates nothing per
 * value.
 *
 * <p>Entry: {@link io.helenus.server.query.modification.ModificationPlanner} and {@link
 * io.helenus.server.query.modification.ModificationRunner}. Imports the rooms below it but {@code
 * query.selection}, coordinator, and storage's bytes, row and env.
 */
@NullMarked
package io.helenus.server.query.modification;

import org.jspecify.annotations.NullMarked;
