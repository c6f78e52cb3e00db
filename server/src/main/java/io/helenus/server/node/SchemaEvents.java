package io.helenus.server.node;

import io.helenus.server.protocol.Event;
import io.helenus.server.schema.SchemaChange;

/** Converts schema changes to protocol events. Stateless. */
final class SchemaEvents {
  private SchemaEvents() {}

  static Event of(SchemaChange change) {
    Event.SchemaChange.Change kind =
        switch (change.action()) {
          case CREATED -> Event.SchemaChange.Change.CREATED;
          case UPDATED -> Event.SchemaChange.Change.UPDATED;
          case DROPPED -> Event.SchemaChange.Change.DROPPED;
        };
    if (change.type() != null) {
      return Event.SchemaChange.ofType(kind, change.keyspace(), change.type());
    }
    String table = change.table();
    return table == null
        ? Event.SchemaChange.ofKeyspace(kind, change.keyspace())
        : Event.SchemaChange.ofTable(kind, change.keyspace(), table);
  }
}
