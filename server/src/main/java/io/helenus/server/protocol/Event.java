package io.helenus.server.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server event, pushed to clients that registered for its type (v5, section 4.2.6). */
public sealed interface Event {
  /** The types that a client registers for, named as on the wire. */
  enum Type {
    /** Nodes join, leave and move. */
    TOPOLOGY_CHANGE,
    /** Nodes go up and down. */
    STATUS_CHANGE,
    /** Keyspaces, tables, types, functions and aggregates change. */
    SCHEMA_CHANGE
  }

  /** The type of this event. */
  Type type();

  /** A node joined, left or moved; the address is that of its native transport. */
  record TopologyChange(Change change, byte[] address, int port) implements Event {
    /** What happened, named as on the wire. */
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

  /** A node went up or down; the address is that of its native transport. */
  record StatusChange(Change change, byte[] address, int port) implements Event {
    /** What happened, named as on the wire. */
    public enum Change {
      /** The node is up. */
      UP,
      /** The node is down. */
      DOWN
    }

    @Override
    public Type type() {
      return Type.STATUS_CHANGE;
    }
  }

  /**
   * The schema changed. Also the body of the RESULT of a schema change. The name is null for a
   * keyspace; the argument types, in CQL, are those of a function or an aggregate.
   */
  record SchemaChange(
      Change change,
      Target target,
      String keyspace,
      @Nullable String name,
      List<String> argumentTypes)
      implements Event {
    /** What happened, named as on the wire. */
    public enum Change {
      /** It was created. */
      CREATED,
      /** It was altered. */
      UPDATED,
      /** It was dropped. */
      DROPPED
    }

    /** What changed, named as on the wire. */
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

    /** A change of a user type. */
    public static SchemaChange ofType(Change change, String keyspace, String type) {
      return new SchemaChange(change, Target.TYPE, keyspace, type, List.of());
    }

    @Override
    public Type type() {
      return Type.SCHEMA_CHANGE;
    }
  }
}
