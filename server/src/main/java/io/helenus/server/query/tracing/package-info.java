/**
 * Tracing: collects the traces of requests and writes them to {@code system_traces}.
 *
 * <p>Entry: {@link io.helenus.server.query.tracing.Tracing}. Imports {@code query.prepared}, {@code
 * query.modification} and the packages below it, metadata, coordinator, protocol, functions, and
 * storage's bytes and env.
 */
@NullMarked
package io.helenus.server.query.tracing;

import org.jspecify.annotations.NullMarked;
