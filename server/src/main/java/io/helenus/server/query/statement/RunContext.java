package io.helenus.server.query.statement;

import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.schema.Schema;
import io.helenus.storage.env.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The request that a statement runs for: exchange, user, options, schema and trace. Reused for each
 * request and valid until its handler returns. One per shard; shard thread only.
 */
public final class RunContext {
  private @Nullable Exchange exchange;
  private @Nullable String user;
  private @Nullable QueryParameters parameters;
  private @Nullable Schema schema;
  private @Nullable RequestTrace trace;
  private byte @Nullable [] newMetadataId;
  private String statement = "";
  private @Nullable ReadMeasurement measurement;

  /**
   * Sets the request.
   *
   * @param newUser the authenticated user of the connection; null if no login is required
   */
  public RunContext fill(
      Exchange newExchange,
      @Nullable String newUser,
      QueryParameters newParameters,
      Schema newSchema,
      @Nullable RequestTrace newTrace) {
    exchange = newExchange;
    user = newUser;
    parameters = newParameters;
    schema = newSchema;
    trace = newTrace;
    newMetadataId = null;
    measurement = null;
    return this;
  }

  /** Sets the text of the statement, for warnings and logs. */
  public void statement(String text) {
    statement = text;
  }

  /** The text of the statement. */
  public String statement() {
    return statement;
  }

  /** Lets a SELECT report what it did instead of its rows. */
  public void measure(ReadMeasurement instead) {
    measurement = instead;
  }

  /** What receives what a SELECT did instead of its rows; null for none. */
  public @Nullable ReadMeasurement measurement() {
    return measurement;
  }

  /** Sets the id of the result metadata, if the client has an outdated one. */
  public void newMetadataId(byte[] id) {
    newMetadataId = id;
  }

  /** The id of the result metadata; null if the client has the current one. */
  public byte @Nullable [] newMetadataId() {
    return newMetadataId;
  }

  /** Adds a warning to the response and to the trace. */
  public void warn(String text) {
    exchange().warn(text);
    RequestTrace open = trace;
    if (open != null) {
      open.event(text);
    }
  }

  /** The exchange to respond to. */
  public Exchange exchange() {
    return present(exchange);
  }

  /** The user on whose behalf the statement runs; null for an anonymous one. */
  public @Nullable String user() {
    return user;
  }

  /** The request's options. */
  public QueryParameters parameters() {
    return present(parameters);
  }

  /**
   * The time at which the statement runs, in seconds since 1970: as given by the client, otherwise
   * from the clock.
   */
  public long nowSeconds(Clock clock) {
    int requested = parameters().nowInSeconds();
    return requested == QueryParameters.NO_NOW_IN_SECONDS ? clock.wallSeconds() : requested;
  }

  /** The schema that the statement was planned under. */
  public Schema schema() {
    return present(schema);
  }

  /** The request's trace; null if none was requested. */
  public @Nullable RequestTrace trace() {
    return trace;
  }

  private static <T> T present(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("no request has been set");
    }
    return value;
  }
}
