package io.helenus.server.protocol;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A request that is not the connection's own business: what {@link RequestHandler} is given. Good
 * until the handler returns: slices and parameters are then filled by the next request. The two of
 * the hot path are reused objects instead of records.
 */
public sealed interface Request {
  /** QUERY: run a statement given as text. */
  record Query(String text, QueryParameters parameters) implements Request {}

  /** PREPARE: in the keyspace given (v5), else in the session's. */
  record Prepare(String text, @Nullable String keyspace) implements Request {}

  /** EXECUTE: run a prepared statement. */
  final class Execute implements Request {
    private final QueryParameters parameters;
    private MemorySegment segment = MemorySegment.NULL;
    private int idOffset;
    private int idLength;
    private int metadataIdOffset;
    private int metadataIdLength = -1;

    /** A flyweight with parameters that are filled along with it. */
    public Execute(QueryParameters parameters) {
      this.parameters = parameters;
    }

    /** Points it at a statement's id. */
    public void id(MemorySegment source, int offset, int length) {
      segment = source;
      idOffset = offset;
      idLength = length;
      metadataIdLength = -1;
    }

    /** Points it at the id of the result metadata that the client knows (v5). */
    public void metadataId(int offset, int length) {
      metadataIdOffset = offset;
      metadataIdLength = length;
    }

    /** What the offsets refer to. */
    public MemorySegment segment() {
      return segment;
    }

    /** Where the prepared statement's id starts. */
    public int idOffset() {
      return idOffset;
    }

    /** The prepared statement's id's length in bytes. */
    public int idLength() {
      return idLength;
    }

    /** Where the result metadata id starts. */
    public int metadataIdOffset() {
      return metadataIdOffset;
    }

    /** The result metadata id's length in bytes; -1 before v5, which has none. */
    public int metadataIdLength() {
      return metadataIdLength;
    }

    /** Values and options. */
    public QueryParameters parameters() {
      return parameters;
    }
  }

  /** BATCH: run several statements, given as text or prepared, as one. */
  final class Batch implements Request {
    /** What a batch promises. */
    public enum Kind {
      /** All or nothing, by way of the batch log. */
      LOGGED,
      /** Statements sent together, nothing more. */
      UNLOGGED,
      /** Counter updates. */
      COUNTER
    }

    private final QueryParameters parameters;
    private final BatchStatements statements = new BatchStatements();
    private Kind kind = Kind.LOGGED;

    /** A flyweight with parameters that are filled along with it. */
    public Batch(QueryParameters parameters) {
      this.parameters = parameters;
    }

    /** Forgets the statements. */
    public void begin(Kind newKind) {
      kind = newKind;
      statements.clear();
    }

    /** What it promises. */
    public Kind kind() {
      return kind;
    }

    /** Its statements, in order. */
    public BatchStatements statements() {
      return statements;
    }

    /** Options; no values. */
    public QueryParameters parameters() {
      return parameters;
    }
  }
}
