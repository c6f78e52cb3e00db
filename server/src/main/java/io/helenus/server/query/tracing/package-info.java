/**
 * What a trace records, and the rows of {@code system_traces} that it is written to.
 *
 * <p>Entry: {@link io.helenus.server.query.tracing.Tracing}. Imports {@code query.prepared}, {@code
 * query.modification} and the rooms below, metadata, coordinator, protocol, functions, and
 * storage's bytes and env.
 */
@NullMarked
package io.helenus.server.query.tracing;

import org.jspecify.annotations.NullMarked;
