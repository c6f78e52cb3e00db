package io.helenus.server.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client that has registered for it is told unasked (native protocol v5, section 4.2.6). */
public sealed interface Event {
  /** The kinds that a client registers for; their names are those of the wire. */
  enum Type {
    /** Nodes come, go and move. */
    TOPOLOGY_CHANGE,
    /** Nodes go up and down. */
    STATUS_CHANGE,
    /** Keyspaces, tables, types, functions and aggregates change. */
    SCHEMA_CHANGE
  }

  /** Which kind it is. */
  Type type();

  /** A node came, went or moved; the address is its native transport's. */
  record TopologyChange(Change change, byte[] address, int port) implements Event {
    /** What happened; the names are those of the wire. */
    public enum Change {
      /** A node joined. */
      NEW_NODE,
      /** A node left. */
      REMOVED_NODE,
      /** A node changed its tokens. */
      MOVED_NODE
    }

    @Override
    public Type type() {
      return Type.TOPOLOGY_CHANGE;
    }
  }

  /** A node went up or down; the address is its native transport's. */
  record StatusChange(Change change, byte[] address, int port) implements Event {
    /** What happened; the names are those of the wire. */
    public enum Change {
      /** It answers. */
      UP,
      /** It does not. */
      DOWN
    }

    @Override
    public Type type() {
      return Type.STATUS_CHANGE;
    }
  }

  /**
   * Something of the schema changed. Also the body of a RESULT of that kind. The name is null for a
   * keyspace; argument types, in CQL, are for functions and aggregates.
   */
  record SchemaChange(
      Change change,
      Target target,
      String keyspace,
      @Nullable String name,
      List<String> argumentTypes)
      implements Event {
    /** What happened; the names are those of the wire. */
    public enum Change {
      /** It is new. */
      CREATED,
      /** It is different. */
      UPDATED,
      /** It is no more. */
      DROPPED
    }

    /** What it happened to; the names are those of the wire. */
    public enum Target {
      /** A keyspace. */
      KEYSPACE,
      /** A table or a view. */
      TABLE,
      /** A user type. */
      TYPE,
      /** A function. */
      FUNCTION,
      /** An aggregate. */
      AGGREGATE
    }

    /** A change of a keyspace. */
    public static SchemaChange ofKeyspace(Change change, String keyspace) {
      return new SchemaChange(change, Target.KEYSPACE, keyspace, null, List.of());
    }

    /** A change of a table. */
    public static SchemaChange ofTable(Change change, String keyspace, String table) {
      return new SchemaChange(change, Target.TABLE, keyspace, table, List.of());
    }

    @Override
    public Type type() {
      return Type.SCHEMA_CHANGE;
    }
  }
}
