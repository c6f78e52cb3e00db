package io.helenus.server.client;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A decoded response of a server; values remain bytes. */
public sealed interface Response {
  /** A column of a result, or a bind marker. */
  record Column(String keyspace, String table, String name, ColumnType type) {}

  /** The optional fields before the message: empty or null if absent. */
  record Extras(List<String> warnings, @Nullable UUID tracingId, Map<String, byte[]> payload) {
    static final Extras NONE = new Extras(List.of(), null, Map.of());
  }

  /** The warnings, tracing id and custom payload. */
  Extras extras();

  /** The warnings of the response. */
  default List<String> warnings() {
    return extras().warnings();
  }

  /** RESULT: void. */
  record Done(Extras extras) implements Response {}

  /**
   * RESULT: rows. The columns are empty if the server omitted the metadata.
   *
   * @param flags as on the wire
   * @param columnCount set even if the metadata was omitted
   * @param newMetadataId set only if the server reports changed columns (v5)
   */
  record Rows(
      Extras extras,
      int flags,
      int columnCount,
      List<Column> columns,
      byte @Nullable [] pagingState,
      byte @Nullable [] newMetadataId,
      List<List<byte @Nullable []>> rows)
      implements Response {}

  /** RESULT of USE. */
  record SetKeyspace(Extras extras, String keyspace) implements Response {}

  /**
   * RESULT of PREPARE.
   *
   * @param resultMetadataId empty before v5
   * @param partitionKeyIndexes empty before v4
   * @param resultFlags the flags of the result's metadata as on the wire
   */
  record Prepared(
      Extras extras,
      byte[] id,
      byte[] resultMetadataId,
      int flags,
      List<Integer> partitionKeyIndexes,
      List<Column> markers,
      int resultFlags,
      List<Column> columns)
      implements Response {}

  /** RESULT: schema change. */
  record SchemaChange(
      Extras extras,
      String change,
      String target,
      String keyspace,
      @Nullable String name,
      List<String> argumentTypes)
      implements Response {}

  /** ERROR, with the fields specific to its code, named as in the specification. */
  record Failure(Extras extras, int code, String message, Map<String, Object> fields)
      implements Response {}

  /** READY. */
  record Ready(Extras extras) implements Response {}

  /** AUTHENTICATE. */
  record Authenticate(Extras extras, String authenticator) implements Response {}

  /** AUTH_CHALLENGE, or AUTH_SUCCESS if done. */
  record AuthToken(Extras extras, boolean done, byte @Nullable [] token) implements Response {}

  /** SUPPORTED. */
  record Supported(Extras extras, Map<String, List<String>> options) implements Response {}

  /**
   * EVENT.
   *
   * @param type the registered event type
   * @param details for a schema change, its target, keyspace, name and arguments; otherwise the
   *     address
   */
  record Event(Extras extras, String type, String change, List<String> details)
      implements Response {}
}
