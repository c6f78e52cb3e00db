package io.helenus.server.metadata;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaChange;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.UserType;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has changed between two schemas, for a node that has missed the entries between them. A pure
 * function. Stateless.
 */
final class SchemaDifference {
  private SchemaDifference() {}

  /** The changes, in an order in which they could have been made. */
  static List<SchemaChange> events(Schema before, Schema after) {
    List<SchemaEdit> edits = new ArrayList<>();
    for (KeyspaceSchema keyspace : before.keyspaces()) {
      if (after.keyspace(keyspace.name()) == null) {
        edits.add(new SchemaEdit.DropKeyspace(keyspace.name()));
      }
    }
    for (KeyspaceSchema keyspace : after.keyspaces()) {
      if (!keyspace.isLazy()) {
        keyspace(before.keyspace(keyspace.name()), keyspace, edits);
      }
    }
    List<SchemaChange> events = new ArrayList<>();
    for (SchemaEdit edit : edits) {
      events.addAll(SchemaChange.eventsOf(edit, before));
    }
    return events;
  }

  private static byte[] bytes(TableSchema table) {
    ByteWriter out = new ByteWriter(1024);
    new FactWriter(out).entry(new MetadataEntry.SchemaChanged(new SchemaEdit.AlterTable(table)));
    return out.toArray();
  }

  private static void keyspace(
      @Nullable KeyspaceSchema before, KeyspaceSchema after, List<SchemaEdit> edits) {
    String name = after.name();
    if (before == null) {
      edits.add(new SchemaEdit.CreateKeyspace(name, after.durableWrites(), after.replication()));
      after.types().forEach(type -> edits.add(new SchemaEdit.CreateType(type)));
      after.tables().forEach(table -> edits.add(new SchemaEdit.CreateTable(table)));
      return;
    }
    for (TableSchema table : before.tables()) {
      TableSchema same = after.table(table.name());
      if (same == null || same.storageId() != table.storageId()) {
        edits.add(new SchemaEdit.DropTable(name, table.name()));
      }
    }
    for (UserType type : before.types()) {
      if (after.type(type.name()) == null) {
        edits.add(new SchemaEdit.DropType(name, type.name()));
      }
    }
    if (before.durableWrites() != after.durableWrites()
        || !before.replication().equals(after.replication())) {
      edits.add(new SchemaEdit.AlterKeyspace(name, after.durableWrites(), after.replication()));
    }
    for (UserType type : after.types()) {
      UserType old = before.type(type.name());
      if (old == null) {
        edits.add(new SchemaEdit.CreateType(type));
      } else if (!old.className().equals(type.className())) {
        edits.add(new SchemaEdit.AlterType(type));
      }
    }
    for (TableSchema table : after.tables()) {
      TableSchema old = before.table(table.name());
      if (old == null || old.storageId() != table.storageId()) {
        edits.add(new SchemaEdit.CreateTable(table));
      } else if (!Arrays.equals(bytes(old), bytes(table))) {
        edits.add(new SchemaEdit.AlterTable(table));
      }
    }
  }
}
