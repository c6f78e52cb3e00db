package io.helenus.server.query.statement;

import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.protocol.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * The exchange and the trace of a request until the response is sent. Reused; valid for one
 * response after each call of {@link #begin}. Shard thread only.
 */
public final class Reply {
  private @Nullable Exchange exchange;
  private @Nullable RequestTrace trace;

  /** Sets the request to respond to. */
  public void begin(Exchange newExchange, @Nullable RequestTrace newTrace) {
    exchange = newExchange;
    trace = newTrace;
  }

  /** Whether the request has been answered. */
  public boolean isEnded() {
    return exchange == null;
  }

  /** The trace of the request until it is answered; null if it is not traced. */
  public @Nullable RequestTrace trace() {
    return trace;
  }

  /** Adds a warning, unless the request has been answered. */
  public void warn(String warning) {
    if (exchange != null) {
      exchange.warn(warning);
    }
  }

  /**
   * Ends the trace and returns the exchange to encode the response with. Until {@link #end} an
   * error may still be sent instead.
   */
  public Exchange endTrace() {
    Exchange current = exchange;
    if (current == null) {
      throw new IllegalStateException("the request has already been answered");
    }
    RequestTrace ended = trace;
    if (ended != null) {
      trace = null;
      ended.end();
    }
    return current;
  }

  /** Ends the trace and returns the exchange, to which the caller must respond. */
  public Exchange end() {
    Exchange ended = endTrace();
    exchange = null;
    return ended;
  }
}
