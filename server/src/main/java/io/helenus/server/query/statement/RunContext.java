package io.helenus.server.query.statement;

import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.schema.Schema;
import io.helenus.storage.env.Clock;
import org.jspecify.annotations.Nullable;

/**
 * What the run of a statement is given beside its plan and values. Kept and filled again for each
 * request; good until its handler returns. One per shard.
 */
public final class RunContext {
  private static final long MICROS_PER_SECOND = 1_000_000;

  private @Nullable Exchange exchange;
  private @Nullable QueryParameters parameters;
  private @Nullable Schema schema;
  private @Nullable RequestTrace trace;
  private byte @Nullable [] newMetadataId;
  private String statement = "";

  /** Starts anew. */
  public RunContext fill(
      Exchange newExchange,
      QueryParameters newParameters,
      Schema newSchema,
      @Nullable RequestTrace newTrace) {
    exchange = newExchange;
    parameters = newParameters;
    schema = newSchema;
    trace = newTrace;
    newMetadataId = null;
    return this;
  }

  /** The statement as it was sent, for people who are told of it. */
  public void statement(String text) {
    statement = text;
  }

  public String statement() {
    return statement;
  }

  /** The client knows the result by another id than this one. */
  public void newMetadataId(byte[] id) {
    newMetadataId = id;
  }

  public byte @Nullable [] newMetadataId() {
    return newMetadataId;
  }

  /** The request's way back. */
  public Exchange exchange() {
    return present(exchange);
  }

  /** The request's options. */
  public QueryParameters parameters() {
    return present(parameters);
  }

  /**
   * The second at which the statement runs: the one that the client names, or that of the clock.
   */
  public long nowSeconds(Clock clock) {
    int given = parameters().nowInSeconds();
    return given == QueryParameters.NO_NOW_IN_SECONDS ? seconds(clock) : given;
  }

  /** The second that it is. */
  public static long seconds(Clock clock) {
    return clock.wallMicros() / MICROS_PER_SECOND;
  }

  /** The schema that plans were made under. */
  public Schema schema() {
    return present(schema);
  }

  /** The request's trace; null where none is asked for. */
  public @Nullable RequestTrace trace() {
    return trace;
  }

  private static <T> T present(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("the context is not filled");
    }
    return value;
  }
}
