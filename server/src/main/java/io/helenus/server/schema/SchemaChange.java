package io.helenus.server.schema;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a schema statement.
 *
 * @param edit null if nothing changes (IF EXISTS, IF NOT EXISTS); the response is then void
 * @param action the change type in the SCHEMA_CHANGE response and event
 * @param table null if the keyspace itself changes
 * @param warnings warnings sent to the client
 */
public record SchemaChange(
    @Nullable SchemaEdit edit,
    Action action,
    String keyspace,
    @Nullable String table,
    List<String> warnings) {

  /** The kind of change, as named by the protocol. */
  public enum Action {
    /** It was created. */
    CREATED,
    /** It was altered. */
    UPDATED,
    /** It was dropped. */
    DROPPED
  }

  /** Copies the list. */
  public SchemaChange {
    warnings = List.copyOf(warnings);
  }

  /**
   * The events that announce an edit. For a dropped keyspace, one per table and then its own.
   *
   * @param before the schema before the edit
   */
  public static List<SchemaChange> eventsOf(SchemaEdit edit, Schema before) {
    return switch (edit) {
      case SchemaEdit.CreateKeyspace create ->
          List.of(new SchemaChange(edit, Action.CREATED, create.keyspace(), null, List.of()));
      case SchemaEdit.AlterKeyspace alter ->
          List.of(new SchemaChange(edit, Action.UPDATED, alter.keyspace(), null, List.of()));
      case SchemaEdit.DropKeyspace drop -> eventsOfDrop(drop, before);
      case SchemaEdit.CreateTable(TableSchema table) ->
          List.of(
              new SchemaChange(edit, Action.CREATED, table.keyspace(), table.name(), List.of()));
      case SchemaEdit.AlterTable(TableSchema table) ->
          List.of(
              new SchemaChange(edit, Action.UPDATED, table.keyspace(), table.name(), List.of()));
      case SchemaEdit.DropTable(String keyspace, String table) ->
          List.of(new SchemaChange(edit, Action.DROPPED, keyspace, table, List.of()));
    };
  }

  private static List<SchemaChange> eventsOfDrop(SchemaEdit.DropKeyspace drop, Schema before) {
    List<SchemaChange> events = new ArrayList<>();
    KeyspaceSchema keyspace = before.keyspace(drop.keyspace());
    if (keyspace != null) {
      for (TableSchema table : keyspace.tables()) {
        events.add(
            new SchemaChange(drop, Action.DROPPED, drop.keyspace(), table.name(), List.of()));
      }
    }
    events.add(new SchemaChange(drop, Action.DROPPED, drop.keyspace(), null, List.of()));
    return events;
  }

  /** The protocol's target: KEYSPACE or TABLE. */
  public String target() {
    return table == null ? "KEYSPACE" : "TABLE";
  }
}
