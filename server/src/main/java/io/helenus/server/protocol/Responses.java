package io.helenus.server.protocol;

import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of responses (native protocol v5, section 4.2), one method for each. They append to
 * the writer. The comments name the opcode of each; READY has no body. Stateless.
 */
public final class Responses {
  private static final int KIND_VOID = 1;
  private static final int KIND_ROWS = 2;
  private static final int KIND_SET_KEYSPACE = 3;
  private static final int KIND_PREPARED = 4;
  private static final int KIND_SCHEMA_CHANGE = 5;

  private static final int GLOBAL_TABLES_SPEC = 0x01;
  private static final int HAS_MORE_PAGES = 0x02;
  private static final int NO_METADATA = 0x04;
  private static final int METADATA_CHANGED = 0x08;

  private Responses() {}

  /** AUTHENTICATE: the class name of the authenticator. */
  public static void authenticate(ByteWriter out, String authenticator) {
    WireWriter.string(out, authenticator);
  }

  /** SUPPORTED: the options and their possible values. */
  public static void supported(ByteWriter out, Map<String, List<String>> options) {
    WireWriter.stringMultimap(out, options);
  }

  /** RESULT without content. */
  public static void voidResult(ByteWriter out) {
    out.putInt(KIND_VOID);
  }

  /** RESULT of USE. */
  public static void setKeyspace(ByteWriter out, String keyspace) {
    out.putInt(KIND_SET_KEYSPACE);
    WireWriter.string(out, keyspace);
  }

  /** RESULT of a statement that changed the schema. */
  public static void schemaChange(ByteWriter out, int version, Event.SchemaChange change) {
    out.putInt(KIND_SCHEMA_CHANGE);
    Events.schemaChange(out, version, change);
  }

  /** RESULT of PREPARE. */
  public static void prepared(ByteWriter out, int version, PreparedMetadata prepared) {
    out.putInt(KIND_PREPARED);
    WireWriter.shortBytes(out, prepared.id());
    if (version >= ProtocolVersions.V5) {
      WireWriter.shortBytes(out, prepared.resultMetadataId());
    }
    ResultColumns markers = prepared.markers();
    out.putInt(markers.isOfOneTable() ? GLOBAL_TABLES_SPEC : 0);
    out.putInt(markers.size());
    if (version >= ProtocolVersions.V4) {
      int[] indexes = prepared.partitionKeyIndexes();
      out.putInt(indexes.length);
      for (int index : indexes) {
        out.putShort(index);
      }
    }
    markers.writeSpecifications(out, version);
    ResultColumns columns = prepared.resultColumns();
    if (columns == null) {
      out.putInt(NO_METADATA).putInt(0);
    } else {
      out.putInt(columns.isOfOneTable() ? GLOBAL_TABLES_SPEC : 0).putInt(columns.size());
      columns.writeSpecifications(out, version);
    }
  }

  /**
   * RESULT of a SELECT up to its rows. The caller then appends an [int] with the number of rows,
   * and the values of each row as [bytes] in the order of the columns.
   *
   * @param skipMetadata whether the client knows the columns; ignored if their id has changed
   * @param pagingState a slice with the state for the next page; length -1 for the last page
   * @param newMetadataId the id of the columns if the client's id (v5) is outdated, else null
   */
  public static void rowsHeader(
      ByteWriter out,
      int version,
      ResultColumns columns,
      boolean skipMetadata,
      MemorySegment pagingState,
      long pagingStateOffset,
      int pagingStateLength,
      byte @Nullable [] newMetadataId) {
    boolean changed = newMetadataId != null && version >= ProtocolVersions.V5;
    boolean skip = skipMetadata && !changed;
    int flags = columns.isOfOneTable() ? GLOBAL_TABLES_SPEC : 0;
    flags |= pagingStateLength >= 0 ? HAS_MORE_PAGES : 0;
    flags |= skip ? NO_METADATA : 0;
    flags |= changed ? METADATA_CHANGED : 0;
    out.putInt(KIND_ROWS).putInt(flags).putInt(columns.size());
    if (pagingStateLength >= 0) {
      out.putInt(pagingStateLength).putBytes(pagingState, pagingStateOffset, pagingStateLength);
    }
    if (changed && newMetadataId != null) {
      WireWriter.shortBytes(out, newMetadataId);
    }
    if (!skip) {
      columns.writeSpecifications(out, version);
    }
  }

  /** As above, with metadata and without paging. */
  public static void rowsHeader(ByteWriter out, int version, ResultColumns columns) {
    rowsHeader(out, version, columns, false, MemorySegment.NULL, 0, -1, null);
  }

  /** AUTH_CHALLENGE and AUTH_SUCCESS: the token of the authenticator; null for none. */
  public static void token(ByteWriter out, byte @Nullable [] token) {
    if (token == null) {
      out.putInt(-1);
    } else {
      WireWriter.bytes(out, token);
    }
  }
}
