/**
 * Tracing: what a trace records, and how it is written to {@code system_traces}.
 *
 * <p>Entry: {@link io.helenus.server.query.tracing.Tracing}. Imports {@code query.prepared}, {@code
 * query.modification} and the rooms below, metadata, coordinator, protocol, functions, and
 * storage's bytes and env.
 */
@NullMarked
package io.helenus.server.query.tracing;

import org.jspecify.annotations.NullMarked;
