package io.helenus.server.schema;

import io.helenus.server.types.UserType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a schema statement.
 *
 * @param edit null if nothing changes (IF EXISTS, IF NOT EXISTS); the response is then void
 * @param action the change type in the SCHEMA_CHANGE response and event
 * @param table the table that changes; null for a keyspace or user type
 * @param type the user type that changes; null for a keyspace or table
 * @param warnings warnings sent to the client
 */
public record SchemaChange(
    @Nullable SchemaEdit edit,
    Action action,
    String keyspace,
    @Nullable String table,
    @Nullable String type,
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

  /** A change of a keyspace or table. */
  public SchemaChange(
      @Nullable SchemaEdit edit,
      Action action,
      String keyspace,
      @Nullable String table,
      List<String> warnings) {
    this(edit, action, keyspace, table, null, warnings);
  }

  /** A change of a user type. */
  static SchemaChange ofType(
      @Nullable SchemaEdit edit, Action action, String keyspace, String type) {
    return new SchemaChange(edit, action, keyspace, null, type, List.of());
  }

  /** This change with more warnings, before its own. */
  public SchemaChange warned(List<String> others) {
    if (others.isEmpty()) {
      return this;
    }
    List<String> all = new ArrayList<>(others);
    all.addAll(warnings);
    return new SchemaChange(edit, action, keyspace, table, type, all);
  }

  /** Copies the list. */
  public SchemaChange {
    warnings = List.copyOf(warnings);
  }

  /**
   * The events that announce an edit: for an altered user type, one per type that has it, itself
   * included, and then one per table, as drivers keep the fields with each; for a dropped keyspace,
   * one per table and type and then its own.
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
      case SchemaEdit.AlterTable(TableSchema table) -> eventsOfAlter(table, edit, before);
      case SchemaEdit.DropTable(String keyspace, String table) ->
          List.of(new SchemaChange(edit, Action.DROPPED, keyspace, table, List.of()));
      case SchemaEdit.CreateType(UserType type) ->
          List.of(ofType(edit, Action.CREATED, type.keyspace(), type.name()));
      case SchemaEdit.AlterType(UserType type) -> eventsOfAlter(type, edit, before);
      case SchemaEdit.DropType(String keyspace, String type) ->
          List.of(ofType(edit, Action.DROPPED, keyspace, type));
    };
  }

  private static List<SchemaChange> eventsOfAlter(
      TableSchema table, SchemaEdit edit, Schema before) {
    List<SchemaChange> events = new ArrayList<>();
    events.add(new SchemaChange(edit, Action.UPDATED, table.keyspace(), table.name(), List.of()));
    KeyspaceSchema keyspace = before.keyspace(table.keyspace());
    if (keyspace != null) {
      for (TableSchema view : keyspace.viewsOf(table)) {
        if (!ViewColumns.following(view, table).columns().equals(view.columns())) {
          events.add(
              new SchemaChange(edit, Action.UPDATED, view.keyspace(), view.name(), List.of()));
        }
      }
    }
    return events;
  }

  private static List<SchemaChange> eventsOfAlter(UserType type, SchemaEdit edit, Schema before) {
    List<SchemaChange> events = new ArrayList<>();
    KeyspaceSchema keyspace = before.keyspace(type.keyspace());
    if (keyspace != null) {
      for (UserType user : keyspace.types()) {
        if (user.references(type)) {
          events.add(ofType(edit, Action.UPDATED, type.keyspace(), user.name()));
        }
      }
      List<TableSchema> viewsLast = new ArrayList<>(keyspace.tables());
      viewsLast.sort(Comparator.comparing(table -> table.view() != null));
      for (TableSchema table : viewsLast) {
        if (table.references(type)) {
          events.add(
              new SchemaChange(edit, Action.UPDATED, type.keyspace(), table.name(), List.of()));
        }
      }
    }
    return events;
  }

  private static List<SchemaChange> eventsOfDrop(SchemaEdit.DropKeyspace drop, Schema before) {
    List<SchemaChange> events = new ArrayList<>();
    KeyspaceSchema keyspace = before.keyspace(drop.keyspace());
    if (keyspace != null) {
      List<TableSchema> viewsFirst = new ArrayList<>(keyspace.tables());
      viewsFirst.sort(Comparator.comparing(table -> table.view() == null));
      for (TableSchema table : viewsFirst) {
        events.add(
            new SchemaChange(drop, Action.DROPPED, drop.keyspace(), table.name(), List.of()));
      }
      for (UserType type : keyspace.types()) {
        events.add(ofType(drop, Action.DROPPED, drop.keyspace(), type.name()));
      }
    }
    events.add(new SchemaChange(drop, Action.DROPPED, drop.keyspace(), null, List.of()));
    return events;
  }

  /** The protocol's target: KEYSPACE, TABLE or TYPE. */
  public String target() {
    return type != null ? "TYPE" : table == null ? "KEYSPACE" : "TABLE";
  }
}
