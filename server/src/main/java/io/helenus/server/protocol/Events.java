package io.helenus.server.protocol;

import io.helenus.storage.bytes.ByteWriter;

/** The body of EVENT (native protocol v5, section 4.2.6). Stateless. */
public final class Events {
  private Events() {}

  /** EVENT. */
  public static void write(ByteWriter out, int version, Event event) {
    WireWriter.string(out, event.type().name());
    switch (event) {
      case Event.TopologyChange change -> {
        WireWriter.string(out, change.change().name());
        WireWriter.inet(out, change.address(), change.port());
      }
      case Event.StatusChange change -> {
        WireWriter.string(out, change.change().name());
        WireWriter.inet(out, change.address(), change.port());
      }
      case Event.SchemaChange change -> schemaChange(out, version, change);
    }
  }

  /** Writes the part shared by the event and the result. v3 has no functions and aggregates. */
  static void schemaChange(ByteWriter out, int version, Event.SchemaChange change) {
    boolean callable =
        switch (change.target()) {
          case FUNCTION, AGGREGATE -> true;
          case KEYSPACE, TABLE, TYPE -> false;
        };
    if (callable && version < ProtocolVersions.V4) {
      WireWriter.string(out, Event.SchemaChange.Change.UPDATED.name());
      WireWriter.string(out, Event.SchemaChange.Target.KEYSPACE.name());
      WireWriter.string(out, change.keyspace());
      return;
    }
    WireWriter.string(out, change.change().name());
    WireWriter.string(out, change.target().name());
    WireWriter.string(out, change.keyspace());
    String name = change.name();
    if (change.target() != Event.SchemaChange.Target.KEYSPACE && name != null) {
      WireWriter.string(out, name);
      if (callable) {
        WireWriter.stringList(out, change.argumentTypes());
      }
    }
  }
}
