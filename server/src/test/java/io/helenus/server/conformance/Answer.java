package io.helenus.server.conformance;

import io.helenus.server.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a server to one request, as the scripts show it.
 *
 * @param warnings client warnings, none before version 4
 * @param outcome the result or error
 */
record Answer(List<String> warnings, Outcome outcome) {

  /** A column of a result, or a bind marker. */
  record Column(String keyspace, String table, String name, DataType type) {}

  /** The possible outcomes. */
  sealed interface Outcome {}

  /** A void result. */
  record Done() implements Outcome {}

  /** The result of USE. */
  record KeyspaceSet(String keyspace) implements Outcome {}

  /** The result of a schema change: change, target and affected object. */
  record SchemaChange(String change, String target, List<String> names) implements Outcome {}

  /** One page of rows; the columns are absent if the client asked to skip the metadata. */
  record Rows(List<Column> columns, List<byte @Nullable []> cells, byte @Nullable [] pagingState)
      implements Outcome {}

  /** A prepared statement; the id of its result metadata is empty before v5. */
  record Prepared(
      byte[] id,
      byte[] resultMetadataId,
      List<Column> markers,
      List<Integer> partitionKeyMarkers,
      List<Column> columns)
      implements Outcome {}

  /** An error with the additional fields of its code, already formatted. */
  record Refused(int code, String message, String fields) implements Outcome {}

  private static final Map<Integer, String> CONSISTENCIES =
      Map.ofEntries(
          Map.entry(0, "ANY"),
          Map.entry(1, "ONE"),
          Map.entry(2, "TWO"),
          Map.entry(3, "THREE"),
          Map.entry(4, "QUORUM"),
          Map.entry(5, "ALL"),
          Map.entry(6, "LOCAL_QUORUM"),
          Map.entry(7, "EACH_QUORUM"),
          Map.entry(8, "SERIAL"),
          Map.entry(9, "LOCAL_SERIAL"),
          Map.entry(10, "LOCAL_ONE"),
          Map.entry(11, "NODE_LOCAL"));

  /** The number of a consistency level. */
  static int consistency(String name) {
    return CONSISTENCIES.entrySet().stream()
        .filter(entry -> entry.getValue().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown consistency level " + name))
        .getKey();
  }

  /** Converts a response; throws for responses that do not answer a statement. */
  static Answer of(Response response) {
    Outcome outcome =
        switch (response) {
          case Response.Done _ -> new Done();
          case Response.SetKeyspace set -> new KeyspaceSet(set.keyspace());
          case Response.SchemaChange change -> schemaChange(change);
          case Response.Rows rows -> rows(rows);
          case Response.Prepared prepared ->
              new Prepared(
                  prepared.id(),
                  prepared.resultMetadataId(),
                  columns(prepared.markers()),
                  prepared.partitionKeyIndexes(),
                  columns(prepared.columns()));
          case Response.Failure failure ->
              new Refused(failure.code(), failure.message(), fields(failure));
          default -> throw new IllegalStateException("unexpected response " + response);
        };
    return new Answer(response.warnings(), outcome);
  }

  private static String fields(Response.Failure failure) {
    Map<String, Object> fields = failure.fields();
    return switch (failure.code()) {
      case 0x1000 ->
          CONSISTENCIES.get(fields.get("cl"))
              + " required "
              + fields.get("required")
              + " alive "
              + fields.get("alive");
      case 0x1100, 0x1200 ->
          CONSISTENCIES.get(fields.get("cl"))
              + " received "
              + fields.get("received")
              + " required "
              + fields.get("blockFor");
      case 0x1400 -> fields.get("keyspace") + "." + fields.get("function") + fields.get("argTypes");
      case 0x2400 -> fields.get("ks") + "." + fields.get("table");
      default -> "";
    };
  }

  private static SchemaChange schemaChange(Response.SchemaChange change) {
    List<String> names = new ArrayList<>();
    names.add(change.keyspace());
    String name = change.name();
    if (name != null) {
      names.add(name);
    }
    names.addAll(change.argumentTypes());
    return new SchemaChange(change.change(), change.target(), names);
  }

  private static Rows rows(Response.Rows rows) {
    List<byte @Nullable []> cells = new ArrayList<>();
    rows.rows().forEach(cells::addAll);
    return new Rows(columns(rows.columns()), cells, rows.pagingState());
  }

  private static List<Column> columns(List<Response.Column> columns) {
    return columns.stream()
        .map(
            each ->
                new Column(each.keyspace(), each.table(), each.name(), DataType.of(each.type())))
        .toList();
  }
}
