package io.helenus.server.dump;

import io.helenus.storage.engine.Fields;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Prints one JSON object per line. Bytes are strings in the form of CQL blobs ({@code 0x…}), times
 * are numbers of microseconds or seconds since 1970.
 */
final class JsonPrinter implements DumpPrinter {
  private final OutputStream out;
  private final JsonFactory factory = new JsonFactory();

  JsonPrinter(OutputStream out) {
    this.out = out;
  }

  @Override
  public void print(String kind, Fields fields) throws IOException {
    // one generator per document, because a generator separates documents by spaces
    try (JsonGenerator json =
        factory.createGenerator(
            ObjectWriteContext.empty(), new NonClosingStream(out), JsonEncoding.UTF8)) {
      json.writeStartObject();
      json.writeStringProperty("kind", kind);
      writeAll(json, fields);
      json.writeEndObject();
    }
    out.write('\n');
  }

  private static void writeAll(JsonGenerator json, Fields fields) {
    for (Map.Entry<String, Object> each : fields.values().entrySet()) {
      json.writeName(each.getKey());
      write(json, each.getValue());
    }
  }

  private static void write(JsonGenerator json, Object value) {
    switch (value) {
      case Long number -> json.writeNumber(number);
      case Boolean bool -> json.writeBoolean(bool);
      case byte[] bytes -> json.writeString(Texts.hex(bytes));
      case Fields.Time time -> json.writeNumber(time.value());
      case Fields fields -> {
        json.writeStartObject();
        writeAll(json, fields);
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(element -> write(json, element));
        json.writeEndArray();
      }
      default -> json.writeString(value.toString());
    }
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  /** Ignores close, so that closing a generator leaves the stream open. */
  private static final class NonClosingStream extends OutputStream {
    private final OutputStream target;

    NonClosingStream(OutputStream target) {
      this.target = target;
    }

    @Override
    public void write(int b) throws IOException {
      target.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      target.write(bytes, offset, length);
    }
  }
}
