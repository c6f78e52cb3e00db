package io.helenus.server.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decodes response bodies; trailing bytes are an error. */
public final class ResponseDecoder {
  private static final int TRACING = 0x02;
  private static final int CUSTOM_PAYLOAD = 0x04;
  private static final int WARNING = 0x08;

  private final int version;
  private final BodyReader in;
  private final Response.Extras extras;

  private ResponseDecoder(Frame frame) {
    version = frame.version();
    in = new BodyReader(frame.body());
    UUID tracingId = (frame.flags() & TRACING) != 0 ? in.getUuid() : null;
    List<String> warnings = (frame.flags() & WARNING) != 0 ? in.getStringList() : List.of();
    Map<String, byte[]> payload =
        (frame.flags() & CUSTOM_PAYLOAD) != 0 ? in.getBytesMap() : Map.of();
    extras = new Response.Extras(warnings, tracingId, payload);
  }

  public static Response decode(Frame frame) {
    ResponseDecoder decoder = new ResponseDecoder(frame);
    Response response = decoder.message(frame.opcode());
    if (decoder.in.remaining() > 0) {
      throw new AssertionError(decoder.in.remaining() + " trailing bytes after " + response);
    }
    return response;
  }

  private Response message(int opcode) {
    return switch (opcode) {
      case 0x00 -> failure();
      case 0x02 -> new Response.Ready(extras);
      case 0x03 -> new Response.Authenticate(extras, in.getString());
      case 0x06 -> new Response.Supported(extras, in.getStringMultimap());
      case 0x08 -> result();
      case 0x0C -> event();
      case 0x0E -> new Response.AuthToken(extras, false, in.getBytes());
      case 0x10 -> new Response.AuthToken(extras, true, in.getBytes());
      default -> throw new AssertionError("unexpected response opcode " + opcode);
    };
  }

  private Response result() {
    int kind = in.getInt();
    return switch (kind) {
      case 1 -> new Response.Done(extras);
      case 2 -> rows();
      case 3 -> new Response.SetKeyspace(extras, in.getString());
      case 4 -> prepared();
      case 5 -> schemaChange();
      default -> throw new AssertionError("unknown result kind " + kind);
    };
  }

  private Response rows() {
    int flags = in.getInt();
    int columnCount = in.getInt();
    byte[] pagingState = (flags & 0x02) != 0 ? in.getBytes() : null;
    byte[] newMetadataId = (flags & 0x08) != 0 ? in.getShortBytes() : null;
    List<Response.Column> columns = (flags & 0x04) != 0 ? List.of() : columns(flags, columnCount);
    List<List<byte @Nullable []>> rows = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      List<byte @Nullable []> row = new ArrayList<>();
      for (int i = 0; i < columnCount; i++) {
        row.add(in.getBytes());
      }
      rows.add(row);
    }
    return new Response.Rows(extras, flags, columnCount, columns, pagingState, newMetadataId, rows);
  }

  private List<Response.Column> columns(int flags, int count) {
    boolean global = (flags & 0x01) != 0;
    String keyspace = global ? in.getString() : "";
    String table = global ? in.getString() : "";
    List<Response.Column> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String ownKeyspace = global ? keyspace : in.getString();
      String ownTable = global ? table : in.getString();
      columns.add(new Response.Column(ownKeyspace, ownTable, in.getString(), ColumnType.read(in)));
    }
    return columns;
  }

  private Response prepared() {
    byte[] id = in.getShortBytes();
    byte[] resultMetadataId = version >= 5 ? in.getShortBytes() : new byte[0];
    int flags = in.getInt();
    int count = in.getInt();
    List<Integer> indexes = new ArrayList<>();
    for (int left = version >= 4 ? in.getInt() : 0; left > 0; left--) {
      indexes.add(in.getShort());
    }
    List<Response.Column> markers = columns(flags, count);
    int resultFlags = in.getInt();
    int resultCount = in.getInt();
    List<Response.Column> columns =
        (resultFlags & 0x04) != 0 ? List.of() : columns(resultFlags, resultCount);
    return new Response.Prepared(
        extras, id, resultMetadataId, flags, indexes, markers, resultFlags, columns);
  }

  private Response.SchemaChange schemaChange() {
    String change = in.getString();
    String target = in.getString();
    String keyspace = in.getString();
    String name = target.equals("KEYSPACE") ? null : in.getString();
    boolean callable = target.equals("FUNCTION") || target.equals("AGGREGATE");
    List<String> arguments = callable ? in.getStringList() : List.of();
    return new Response.SchemaChange(extras, change, target, keyspace, name, arguments);
  }

  private Response event() {
    String type = in.getString();
    if (type.equals("SCHEMA_CHANGE")) {
      Response.SchemaChange change = schemaChange();
      List<String> details = new ArrayList<>(List.of(change.target(), change.keyspace()));
      String name = change.name();
      if (name != null) {
        details.add(name);
      }
      details.addAll(change.argumentTypes());
      return new Response.Event(extras, type, change.change(), details);
    }
    return new Response.Event(extras, type, in.getString(), List.of(in.getInet()));
  }

  private Response failure() {
    int code = in.getInt();
    String message = in.getString();
    Map<String, Object> fields = new LinkedHashMap<>();
    switch (code) {
      case 0x1000 -> {
        fields.put("cl", in.getShort());
        fields.put("required", in.getInt());
        fields.put("alive", in.getInt());
      }
      case 0x1100, 0x1500 -> {
        replies(fields, code == 0x1500);
        String writeType = in.getString();
        fields.put("writeType", writeType);
        if (code == 0x1100 && version >= 5 && writeType.equals("CAS")) {
          fields.put("contentions", in.getShort());
        }
      }
      case 0x1200, 0x1300 -> {
        replies(fields, code == 0x1300);
        fields.put("dataPresent", in.getByte());
      }
      case 0x1400 -> {
        fields.put("keyspace", in.getString());
        fields.put("function", in.getString());
        fields.put("argTypes", in.getStringList());
      }
      case 0x1700 -> replies(fields, false);
      case 0x2400 -> {
        fields.put("ks", in.getString());
        fields.put("table", in.getString());
      }
      case 0x2500 -> fields.put("id", in.getShortBytes());
      default -> {}
    }
    return new Response.Failure(extras, code, message, fields);
  }

  private void replies(Map<String, Object> fields, boolean failures) {
    fields.put("cl", in.getShort());
    fields.put("received", in.getInt());
    fields.put("blockFor", in.getInt());
    if (failures && version >= 5) {
      Map<String, Integer> reasons = new LinkedHashMap<>();
      for (int left = in.getInt(); left > 0; left--) {
        String address = in.getAddress();
        reasons.put(address, in.getShort());
      }
      fields.put("reasonMap", reasons);
    } else if (failures) {
      fields.put("numFailures", in.getInt());
    }
  }
}
