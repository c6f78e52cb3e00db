package io.helenus.server.node;

import io.helenus.server.coordinator.ReplayTables;
import io.helenus.server.schema.TableSchema;

/**
 * The properties of tables as they are now, in the schema and in storage. Immutable; any thread.
 */
record ReplayedTables(DurableState durable) implements ReplayTables {
  @Override
  public int gcGraceSeconds(int tableId) {
    TableSchema table = durable.schema().table(tableId);
    return table == null ? DROPPED : table.options().gcGraceSeconds();
  }

  @Override
  public long truncatedAtMicros(int tableId) {
    return durable.storage().truncatedAtMicros(tableId);
  }
}
