package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Script;
import io.helenus.server.generated.GeneratedTable.Column;
import io.helenus.server.generated.GeneratedTable.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Random ALTER TABLE and ALTER TYPE statements for tables with rows. Not thread-safe. */
public final class GeneratedAlterations {
  private final Choices choices;
  private final GeneratedDefinitions definitions;
  private final GeneratedTypes types;
  private final List<GeneratedTable> tables;
  private final List<Dropped> dropped = new ArrayList<>();
  private final Set<String> onceDropped = new HashSet<>();

  /** A column that was dropped and may be added again. */
  private record Dropped(String table, Column column) {}

  /**
   * A statement.
   *
   * @param onAccepted to be called if the servers accepted the statement
   */
  public record Alteration(Script.Statement statement, Runnable onAccepted) {}

  /**
   * Creates a generator.
   *
   * @param tables the tables that exist; replaced by their altered versions
   */
  public GeneratedAlterations(
      Choices choices,
      GeneratedDefinitions definitions,
      GeneratedTypes types,
      List<GeneratedTable> tables) {
    this.choices = choices;
    this.definitions = definitions;
    this.types = types;
    this.tables = tables;
  }

  /** An alteration of a table, or of any user type. */
  public Alteration next(GeneratedTable table) {
    int kind = choices.below(10);
    if (choices.chance(table.kind() == Kind.COMPACT ? 15 : 1)) {
      return dropCompactStorage(table);
    }
    if (GeneratedDefinitions.MASKED && choices.chance(30)) {
      return mask(table);
    }
    if (kind < 3 && !types.alterable().isEmpty()) {
      return ofType(choices.oneOf(types.alterable()));
    }
    List<Dropped> gone = dropped.stream().filter(each -> each.table.equals(table.name())).toList();
    if (kind < 5 && !gone.isEmpty()) {
      return readd(table, choices.oneOf(gone));
    }
    if (kind == 9) {
      return rename(table);
    }
    return kind < 7 || table.values().isEmpty() ? add(table, newColumn(table)) : drop(table);
  }

  private Column newColumn(GeneratedTable table) {
    Column column = definitions.newColumn();
    return table.kind() == Kind.COUNTER && choices.chance(90)
        ? column.withType(DataType.Scalar.COUNTER)
        : column;
  }

  private Alteration add(GeneratedTable table, Column column) {
    return new Alteration(definitions.add(table, column), () -> replace(table, table.with(column)));
  }

  private Alteration readd(GeneratedTable table, Dropped gone) {
    Column column = gone.column;
    if (choices.chance(25)) {
      column = newColumn(table).named(column.name());
    }
    Alteration adding = add(table, column);
    return new Alteration(
        adding.statement,
        () -> {
          dropped.remove(gone);
          adding.onAccepted.run();
        });
  }

  /**
   * A column that is dropped for a second time is dropped at the present: Cassandra shows again
   * what an earlier DROP has hidden if the timestamp of the later one is older.
   */
  private Alteration drop(GeneratedTable table) {
    Column column = choices.oneOf(choices.chance(95) ? table.values() : table.columns());
    String name = table.name() + "." + column.name();
    String using =
        table.hasChosenTimestamps() && !onceDropped.contains(name) && choices.chance(25)
            ? " USING TIMESTAMP " + choices.oneOf("1000030", "1000100", "5")
            : "";
    Script.Statement plain = GeneratedDefinitions.drop(table, column);
    return new Alteration(
        GeneratedDefinitions.plain(plain.text() + using),
        () -> {
          dropped.add(new Dropped(table.name(), column));
          onceDropped.add(name);
          replace(table, table.without(column.name()));
        });
  }

  private static Alteration dropCompactStorage(GeneratedTable table) {
    return new Alteration(
        GeneratedDefinitions.plain("ALTER TABLE " + table.name() + " DROP COMPACT STORAGE"),
        () -> {});
  }

  private Alteration mask(GeneratedTable table) {
    Column column = choices.oneOf(table.columns());
    boolean drop = GeneratedDefinitions.isRounded(column) || choices.chance(30);
    String mask = drop ? " DROP MASKED" : definitions.mask(column);
    return new Alteration(
        GeneratedDefinitions.plain(
            "ALTER TABLE " + table.name() + " ALTER " + column.name() + mask),
        () -> {});
  }

  private Alteration rename(GeneratedTable table) {
    Column column = choices.oneOf(table.columns());
    String name = choices.chance(95) ? definitions.newName(column.role()) : "c0";
    return new Alteration(
        GeneratedDefinitions.plain(
            "ALTER TABLE " + table.name() + " RENAME " + column.name() + " TO " + name),
        () ->
            replace(
                table,
                table.with(
                    table.columns().stream()
                        .map(each -> each.equals(column) ? each.named(name) : each)
                        .toList())));
  }

  private Alteration ofType(DataType.UserType type) {
    List<String> fields = new ArrayList<>(type.fields());
    List<DataType> of = new ArrayList<>(type.types());
    String change;
    if (choices.chance(50) && !isInKeyWithAttachedIndex(type)) {
      fields.add(choices.chance(97) ? types.newField() : fields.getFirst());
      of.add(choices.chance(70) ? types.scalar() : types.any());
      change = "ADD " + fields.getLast() + " " + GeneratedTypes.cql(of.getLast(), true);
    } else {
      int at = choices.below(fields.size());
      String name = types.newField();
      change = "RENAME " + fields.get(at) + " TO " + name;
      fields.set(at, name);
    }
    DataType.UserType changed = new DataType.UserType(type.name(), fields, of);
    return new Alteration(
        GeneratedDefinitions.plain("ALTER TYPE " + type.name() + " " + change),
        () -> {
          types.put(changed);
          tables.replaceAll(each -> each.with(GeneratedTypes.replaced(each.columns(), changed)));
          dropped.clear();
        });
  }

  /**
   * Whether a new field would keep Cassandra's storage-attached indexes of a table from finding
   * rows and from being written.
   */
  private boolean isInKeyWithAttachedIndex(DataType.UserType type) {
    return tables.stream()
        .filter(table -> table.indexes().stream().anyMatch(GeneratedTable.Index::attached))
        .flatMap(table -> table.clustering().stream())
        .anyMatch(column -> GeneratedTypes.uses(column.type(), type));
  }

  private void replace(GeneratedTable table, GeneratedTable by) {
    tables.replaceAll(each -> each.name().equals(table.name()) ? by : each);
  }
}
