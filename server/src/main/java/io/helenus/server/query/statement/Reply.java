package io.helenus.server.query.statement;

import io.helenus.server.protocol.Exchange;
import org.jspecify.annotations.Nullable;

/** The way back of a request with its trace, good for one answer. Used again; shard thread only. */
public final class Reply {
  private @Nullable Exchange exchange;
  private @Nullable RequestTrace trace;

  /** Of this request. */
  public void begin(Exchange newExchange, @Nullable RequestTrace newTrace) {
    exchange = newExchange;
    trace = newTrace;
  }

  /** Whether the answer was given already. */
  public boolean isEnded() {
    return exchange == null;
  }

  /** Adds a warning, where the answer was not given already. */
  public void warn(String warning) {
    if (exchange != null) {
      exchange.warn(warning);
    }
  }

  /** Ends the trace, for encoding the answer; until {@link #end} an error may still be sent. */
  public Exchange endTrace() {
    Exchange current = exchange;
    if (current == null) {
      throw new IllegalStateException("answered twice");
    }
    RequestTrace ended = trace;
    if (ended != null) {
      trace = null;
      ended.end();
    }
    return current;
  }

  /** Ends the trace: what is given next is the answer. */
  public Exchange end() {
    Exchange ended = endTrace();
    exchange = null;
    return ended;
  }
}
