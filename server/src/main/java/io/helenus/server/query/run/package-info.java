/**
 * From plans and bound values to mutations, reads and answers, through the coordinator. What a
 * prepared INSERT or SELECT passes through allocates nothing per value: slices go in and out.
 *
 * <p>Entry class: {@link io.helenus.server.query.run.PlanRunner}. Imports {@code query.plan},
 * error, types, functions, schema, ring, protocol, coordinator, metadata, and storage's bytes, row,
 * env and engine (requests and sinks only). One of each object per shard, on that shard's thread.
 */
@NullMarked
package io.helenus.server.query.run;

import org.jspecify.annotations.NullMarked;
