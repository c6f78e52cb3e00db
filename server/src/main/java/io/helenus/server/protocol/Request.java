package io.helenus.server.protocol;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A request for the {@link RequestHandler}, as opposed to one that concerns the connection itself.
 * Valid until the handler returns: slices and parameters are refilled by the next request. Requests
 * on the hot path are reused objects instead of records.
 */
public sealed interface Request {
  /** QUERY: run a statement given as text. */
  record Query(String text, QueryParameters parameters) implements Request {}

  /** PREPARE: prepare a statement, in the given keyspace (v5) or that of the session. */
  record Prepare(String text, @Nullable String keyspace) implements Request {}

  /** EXECUTE: run a prepared statement. */
  final class Execute implements Request {
    private final QueryParameters parameters;
    private MemorySegment segment = MemorySegment.NULL;
    private int idOffset;
    private int idLength;
    private int metadataIdOffset;
    private int metadataIdLength = -1;

    /** A flyweight; the decoder fills it together with the parameters. */
    public Execute(QueryParameters parameters) {
      this.parameters = parameters;
    }

    /** Sets the id of the statement. */
    public void id(MemorySegment source, int offset, int length) {
      segment = source;
      idOffset = offset;
      idLength = length;
      metadataIdLength = -1;
    }

    /** Sets the id of the result metadata known to the client (v5). */
    public void metadataId(int offset, int length) {
      metadataIdOffset = offset;
      metadataIdLength = length;
    }

    /** The memory that offsets refer to. */
    public MemorySegment segment() {
      return segment;
    }

    /** The offset of the prepared statement's id. */
    public int idOffset() {
      return idOffset;
    }

    /** The length of the prepared statement's id in bytes. */
    public int idLength() {
      return idLength;
    }

    /** The offset of the result metadata id. */
    public int metadataIdOffset() {
      return metadataIdOffset;
    }

    /** The length of the result metadata id in bytes; -1 before v5. */
    public int metadataIdLength() {
      return metadataIdLength;
    }

    /** The values and options. */
    public QueryParameters parameters() {
      return parameters;
    }
  }

  /** BATCH: run several statements, given as text or by id, as one. */
  final class Batch implements Request {
    /** The kind of a batch. */
    public enum Kind {
      /** Atomic, by means of the batch log. */
      LOGGED,
      /** Not atomic. */
      UNLOGGED,
      /** Counter updates. */
      COUNTER
    }

    private final QueryParameters parameters;
    private final BatchStatements statements = new BatchStatements();
    private Kind kind = Kind.LOGGED;

    /** A flyweight; the decoder fills it together with the parameters. */
    public Batch(QueryParameters parameters) {
      this.parameters = parameters;
    }

    /** Starts a new batch without statements. */
    public void begin(Kind newKind) {
      kind = newKind;
      statements.clear();
    }

    /** The kind of the batch. */
    public Kind kind() {
      return kind;
    }

    /** The statements, in order. */
    public BatchStatements statements() {
      return statements;
    }

    /** The options; the values belong to the statements. */
    public QueryParameters parameters() {
      return parameters;
    }
  }
}
