package io.helenus.server.conformance;

import io.helenus.server.client.BodyReader;
import io.helenus.server.client.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decoded response to one request.
 *
 * @param warnings client warnings, none before version 4
 * @param outcome what happened
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

  /** A prepared statement. */
  record Prepared(
      byte[] id,
      byte @Nullable [] resultMetadataId,
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

  /** Decodes a response. */
  static Answer decode(Frame response, int version) {
    BodyReader body = new BodyReader(response.body());
    if ((response.flags() & 0x02) != 0) {
      body.getUuid();
    }
    List<String> warnings = (response.flags() & 0x08) != 0 ? body.getStringList() : List.of();
    return switch (response.opcode()) {
      case NativeConnection.ERROR -> new Answer(warnings, readError(body));
      case NativeConnection.RESULT -> new Answer(warnings, readResult(body, version));
      default -> throw new IllegalStateException("unexpected opcode " + response.opcode());
    };
  }

  private static Refused readError(BodyReader body) {
    int code = body.getInt();
    String message = body.getString();
    String fields =
        switch (code) {
          case 0x1000 ->
              CONSISTENCIES.get(body.getShort())
                  + " required "
                  + body.getInt()
                  + " alive "
                  + body.getInt();
          case 0x1100, 0x1200 ->
              CONSISTENCIES.get(body.getShort())
                  + " received "
                  + body.getInt()
                  + " required "
                  + body.getInt();
          case 0x1400 -> body.getString() + "." + body.getString() + body.getStringList();
          case 0x2400 -> body.getString() + "." + body.getString();
          default -> "";
        };
    return new Refused(code, message, fields);
  }

  private static Outcome readResult(BodyReader body, int version) {
    int kind = body.getInt();
    return switch (kind) {
      case 1 -> new Done();
      case 2 -> readRows(body);
      case 3 -> new KeyspaceSet(body.getString());
      case 4 -> readPrepared(body, version);
      case 5 -> readSchemaChange(body);
      default -> throw new IllegalStateException("unknown result kind " + kind);
    };
  }

  private static SchemaChange readSchemaChange(BodyReader body) {
    String change = body.getString();
    String target = body.getString();
    List<String> names = new ArrayList<>();
    names.add(body.getString());
    if (!target.equals("KEYSPACE")) {
      names.add(body.getString());
    }
    if (target.equals("FUNCTION") || target.equals("AGGREGATE")) {
      names.addAll(body.getStringList());
    }
    return new SchemaChange(change, target, names);
  }

  private static Rows readRows(BodyReader body) {
    int flags = body.getInt();
    int columnCount = body.getInt();
    byte[] pagingState = (flags & 0x02) != 0 ? body.getBytes() : null;
    if ((flags & 0x08) != 0) {
      body.getShortBytes();
    }
    List<Column> columns = (flags & 0x04) != 0 ? List.of() : readColumns(body, flags, columnCount);
    int rowCount = body.getInt();
    List<byte @Nullable []> cells = new ArrayList<>();
    for (long i = (long) rowCount * columnCount; i > 0; i--) {
      cells.add(body.getBytes());
    }
    return new Rows(columns, cells, pagingState);
  }

  private static List<Column> readColumns(BodyReader body, int flags, int count) {
    boolean global = (flags & 0x01) != 0;
    String keyspace = global ? body.getString() : "";
    String table = global ? body.getString() : "";
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (!global) {
        keyspace = body.getString();
        table = body.getString();
      }
      String name = body.getString();
      columns.add(new Column(keyspace, table, name, DataType.read(body)));
    }
    return columns;
  }

  private static Prepared readPrepared(BodyReader body, int version) {
    byte[] id = body.getShortBytes();
    byte[] resultMetadataId = version >= 5 ? body.getShortBytes() : null;
    int flags = body.getInt();
    int markerCount = body.getInt();
    List<Integer> partitionKeyMarkers = new ArrayList<>();
    if (version >= 4) {
      for (int i = body.getInt(); i > 0; i--) {
        partitionKeyMarkers.add(body.getShort());
      }
    }
    List<Column> markers = readColumns(body, flags, markerCount);
    int resultFlags = body.getInt();
    int columnCount = body.getInt();
    List<Column> columns =
        (resultFlags & 0x04) != 0 ? List.of() : readColumns(body, resultFlags, columnCount);
    return new Prepared(id, resultMetadataId, markers, partitionKeyMarkers, columns);
  }
}
