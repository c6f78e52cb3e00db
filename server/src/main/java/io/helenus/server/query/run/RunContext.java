package io.helenus.server.query.run;

import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What the run of a statement is given beside its plan and values. Kept and filled again for each
 * request; good until its handler returns. One per shard.
 */
public final class RunContext {
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

  String statement() {
    return statement;
  }

  /** The client knows the result by another id than this one. */
  public void newMetadataId(byte[] id) {
    newMetadataId = id;
  }

  byte @Nullable [] newMetadataId() {
    return newMetadataId;
  }

  /** The request's way back. */
  Exchange exchange() {
    return present(exchange);
  }

  /** The request's options. */
  QueryParameters parameters() {
    return present(parameters);
  }

  /** The schema that plans were made under. */
  Schema schema() {
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
