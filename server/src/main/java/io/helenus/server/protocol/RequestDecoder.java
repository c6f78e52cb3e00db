package io.helenus.server.protocol;

import io.helenus.server.config.HeapLimits;
import io.helenus.server.error.CqlException;
import io.helenus.server.ring.ConsistencyLevel;
import java.lang.foreign.MemorySegment;

/**
 * Decodes the bodies of QUERY, PREPARE, EXECUTE and BATCH (native protocol v5, section 4.1) into
 * reused objects: each call overwrites the previous result. Bytes after the message are ignored, as
 * in Cassandra. A malformed body is a protocol error, thrown as {@link CqlException}. Not
 * thread-safe.
 */
public final class RequestDecoder {
  private static final int PREPARE_KEYSPACE = 0x01;

  /** What a smaller text takes on the heap is not counted exactly. */
  private static final int SMALL_TEXT_BYTES = 64 << 10;

  private final BodyCursor cursor = new BodyCursor();
  private final QueryParameters parameters = new QueryParameters();
  private final Request.Execute execute = new Request.Execute(parameters);
  private final Request.Batch batch = new Request.Batch(parameters);
  private final long maxTextBytes;
  private long textBytes;

  /**
   * Creates a decoder.
   *
   * @param maxTextBytes the greatest size of all texts and names in a request, which become strings
   *     on the heap
   */
  public RequestDecoder(long maxTextBytes) {
    this.maxTextBytes = maxTextBytes;
  }

  /** Decodes the body of a message with one of these four opcodes. */
  public Request decode(
      int opcode, int version, MemorySegment segment, int bodyOffset, int bodyLength) {
    cursor.begin(segment, bodyOffset, bodyLength);
    parameters.values().begin(segment);
    textBytes = 0;
    return switch (opcode) {
      case Opcodes.QUERY -> query(version);
      case Opcodes.PREPARE -> prepare(version);
      case Opcodes.EXECUTE -> execute(version);
      case Opcodes.BATCH -> batch(version);
      default -> throw new IllegalArgumentException("opcode " + opcode);
    };
  }

  private Request query(int version) {
    String text = text();
    parameters(version);
    requirePageSize();
    return new Request.Query(text, parameters);
  }

  private Request prepare(int version) {
    String text = text();
    int flags = version >= ProtocolVersions.V5 ? cursor.getInt() : 0;
    String keyspace = (flags & PREPARE_KEYSPACE) != 0 ? cursor.getString() : null;
    return new Request.Prepare(text, keyspace);
  }

  private Request execute(int version) {
    int idLength = cursor.getShort();
    execute.id(cursor.segment(), cursor.advance(idLength), idLength);
    if (version >= ProtocolVersions.V5) {
      int length = cursor.getShort();
      execute.metadataId(cursor.advance(length), length);
    }
    parameters(version);
    requirePageSize();
    return execute;
  }

  private Request batch(int version) {
    int type = cursor.getByte();
    batch.begin(
        switch (type) {
          case 0 -> Request.Batch.Kind.LOGGED;
          case 1 -> Request.Batch.Kind.UNLOGGED;
          case 2 -> Request.Batch.Kind.COUNTER;
          default -> throw CqlException.protocol("Invalid BATCH message type " + type);
        });
    for (int left = cursor.getShort(); left > 0; left--) {
      values(version, statement().values(), false);
    }
    parameters(version);
    return batch;
  }

  private BatchStatements.Statement statement() {
    int kind = cursor.getByte();
    if (kind == 0) {
      return batch.statements().add(cursor.segment(), text());
    }
    if (kind != 1) {
      throw CqlException.protocol(
          "Invalid query kind in BATCH messages. Must be 0 or 1 but got " + kind);
    }
    int length = cursor.getShort();
    return batch.statements().add(cursor.segment(), cursor.advance(length), length);
  }

  private String text() {
    int length = cursor.getLongStringLength();
    takeText(length);
    String text = cursor.getText(length);
    if (length > SMALL_TEXT_BYTES) {
      takeText(HeapLimits.bytes(text) - length);
    }
    return text;
  }

  /** Refuses texts that would take too much of the heap before they are on it. */
  private void takeText(long bytes) {
    textBytes += bytes;
    if (textBytes > maxTextBytes) {
      throw CqlException.invalid(
          "The texts of a request may have at most "
              + maxTextBytes
              + " bytes, as the heap is limited; bind large values to markers, send smaller"
              + " batches, or raise memory in helenus.yaml");
    }
  }

  private ConsistencyLevel consistency() {
    int code = cursor.getShort();
    ConsistencyLevel level = ConsistencyLevel.ofCode(code);
    if (level == null) {
      throw CqlException.protocol("Unknown code " + code + " for a consistency level");
    }
    return level;
  }

  private void parameters(int version) {
    parameters.reset(consistency());
    int flags = version >= ProtocolVersions.V5 ? cursor.getInt() : cursor.getByte();
    if ((flags & QueryFlags.VALUES) != 0) {
      values(version, parameters.values(), (flags & QueryFlags.NAMES_FOR_VALUES) != 0);
    }
    parameters.skipMetadata((flags & QueryFlags.SKIP_METADATA) != 0);
    if ((flags & QueryFlags.PAGE_SIZE) != 0) {
      parameters.pageSize(cursor.getInt());
    }
    if ((flags & QueryFlags.PAGING_STATE) != 0) {
      int length = Math.max(-1, cursor.getValueLength(version));
      parameters.pagingState(cursor.advance(Math.max(0, length)), length);
    }
    if ((flags & QueryFlags.SERIAL_CONSISTENCY) != 0) {
      parameters.serialConsistency(consistency());
    }
    if ((flags & QueryFlags.DEFAULT_TIMESTAMP) != 0) {
      parameters.timestampMicros(timestamp());
    }
    if ((flags & QueryFlags.KEYSPACE) != 0) {
      parameters.keyspace(cursor.getString());
    }
    if ((flags & QueryFlags.NOW_IN_SECONDS) != 0) {
      parameters.nowInSeconds(cursor.getInt());
    }
  }

  private void requirePageSize() {
    if (parameters.pageSize() == 0) {
      throw CqlException.protocol("The page size cannot be 0");
    }
  }

  private long timestamp() {
    long micros = cursor.getLong();
    if (micros == QueryParameters.NO_TIMESTAMP) {
      throw CqlException.protocol(
          "Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807] (got "
              + micros
              + ")");
    }
    return micros;
  }

  private void values(int version, BoundValues values, boolean named) {
    for (int left = cursor.getShort(); left > 0; left--) {
      String name = named ? cursor.getString() : null;
      int length = cursor.getValueLength(version);
      int offset = cursor.advance(Math.max(0, length));
      if (name == null) {
        values.add(offset, length);
      } else {
        takeText(name.length());
        values.add(name, offset, length);
      }
    }
  }
}
