package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Script;
import io.helenus.server.generated.GeneratedAlterations.Alteration;
import io.helenus.server.generated.GeneratedTable.Column;
import io.helenus.server.generated.GeneratedTable.Kind;
import io.helenus.server.generated.GeneratedTable.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Random statements about materialized views, valid and not, and the views that exist: each is also
 * a table that is read as any other. Not thread-safe.
 */
public final class GeneratedViews {
  private static final int MOST_OF_A_TABLE = 3;
  private static final Pattern RANGE_OF_TUPLE = Pattern.compile("(?:^| AND )\\([^()]*\\) [<>]");

  private final Choices choices;
  private final GeneratedTableOptions options;
  private final List<View> views = new ArrayList<>();
  private int nextView;

  /**
   * A view that exists.
   *
   * @param table how it is read
   * @param base the name of its base table
   * @param all whether it selects all columns, also those that the base table gets later
   */
  public record View(GeneratedTable table, String base, boolean all) {
    private View with(List<Column> columns) {
      return new View(table.with(columns), base, all);
    }
  }

  public GeneratedViews(Choices choices) {
    this.choices = choices;
    options = new GeneratedTableOptions(choices);
  }

  /** The views that exist, as tables. */
  public List<GeneratedTable> tables() {
    return views.stream().map(View::table).toList();
  }

  /** The views of a table. */
  List<View> of(GeneratedTable base) {
    return views.stream().filter(each -> each.base().equals(base.name())).toList();
  }

  /** The view that a text names; null if there is none. */
  public @Nullable View named(String text) {
    return views.stream()
        .filter(
            each ->
                Pattern.compile("(?<!\\w)" + Pattern.quote(each.table.name()) + "(?!\\w)")
                    .matcher(text)
                    .find())
        .findFirst()
        .orElse(null);
  }

  /** A statement about views of a table. */
  public Alteration next(GeneratedTable base) {
    List<View> existing = of(base);
    if (existing.isEmpty() || existing.size() < MOST_OF_A_TABLE && choices.chance(45)) {
      return create(base);
    }
    View view = choices.oneOf(existing);
    return switch (choices.below(10)) {
      case 0, 1, 2 ->
          plain(
              "ALTER MATERIALIZED VIEW "
                  + (choices.chance(10) ? "IF EXISTS " : "")
                  + view.table.name()
                  + " WITH "
                  + options.option());
      case 3, 4, 5 ->
          new Alteration(
              GeneratedDefinitions.plain(
                  "DROP MATERIALIZED VIEW "
                      + (choices.chance(10) ? "IF EXISTS " : "")
                      + view.table.name()),
              () -> views.remove(view));
      default -> plain(refused(view, base));
    };
  }

  private static Alteration plain(String text) {
    return new Alteration(GeneratedDefinitions.plain(text), () -> {});
  }

  /** A statement that views do not allow. */
  private String refused(View view, GeneratedTable base) {
    String name = view.table.name();
    String column = choices.oneOf(view.table.columns()).name();
    String ofBase = choices.oneOf(base.columns()).name();
    return choices.oneOf(
        "ALTER TABLE " + name + " ADD zz int",
        "ALTER TABLE " + name + " DROP " + column,
        "ALTER TABLE " + name + " RENAME " + column + " TO zz",
        "ALTER TABLE " + name + " WITH " + options.option(),
        "ALTER MATERIALIZED VIEW " + base.name() + " WITH " + options.option(),
        "ALTER MATERIALIZED VIEW " + name + " WITH default_time_to_live = 10",
        "ALTER MATERIALIZED VIEW " + name + " WITH gc_grace_seconds = 0",
        "ALTER TABLE " + base.name() + " WITH gc_grace_seconds = 0",
        "ALTER TABLE " + base.name() + " DROP " + ofBase,
        "ALTER TABLE " + base.name() + " DROP IF EXISTS " + ofBase,
        "CREATE INDEX ON " + name + " (" + column + ")",
        "CREATE INDEX ON " + name + " (" + column + ") USING 'sai'",
        "CREATE MATERIALIZED VIEW zz AS SELECT * FROM "
            + name
            + " WHERE "
            + column
            + " IS NOT NULL PRIMARY KEY ("
            + column
            + ")",
        "DROP TABLE " + name,
        "DROP TABLE IF EXISTS " + name,
        "DROP TABLE " + base.name(),
        "DROP MATERIALIZED VIEW " + base.name(),
        "DROP MATERIALIZED VIEW IF EXISTS " + base.name(),
        "TRUNCATE " + name,
        "TRUNCATE TABLE " + name,
        "DESCRIBE TABLE " + name,
        "DESCRIBE INDEX " + name);
  }

  /** A new view; about one of four definitions is invalid. */
  public Alteration create(GeneratedTable base) {
    List<Column> key = key(base);
    int fit = fitForPartition(key, base);
    int partition = choices.chance(60) ? 1 : 1 + choices.below(Math.max(1, fit));
    boolean all = choices.chance(base.of(Role.STATIC).isEmpty() ? 40 : 4) && !hasHiddenColumn(base);
    List<Column> columns = columns(key, partition, base, all);
    String name = choices.chance(92) ? "m" + nextView++ : "\"Mv" + nextView++ + "\"";
    List<Column> clustering =
        columns.stream().filter(each -> each.role() == Role.CLUSTERING).toList();
    List<String> properties = new ArrayList<>();
    if (clustering.stream().anyMatch(each -> isReversed(each, base)) || choices.chance(4)) {
      properties.add(order(choices.chance(97) ? clustering : choices.shuffled(clustering)));
    }
    if (choices.chance(15)) {
      properties.add(options.option());
    }
    String text =
        "CREATE MATERIALIZED VIEW "
            + (choices.chance(5) ? "IF NOT EXISTS " : "")
            + oddName(name, base)
            + " AS SELECT "
            + (all ? "*" : selected(columns, base))
            + " FROM "
            + base.name()
            + " WHERE "
            + String.join(" AND ", relations(key, base))
            + " PRIMARY KEY ("
            + (partition > 1 || choices.chance(15)
                ? "(" + GeneratedTable.names(key.subList(0, partition)) + ")"
                : key.getFirst().name())
            + key.subList(partition, key.size()).stream()
                .map(each -> ", " + each.name())
                .collect(Collectors.joining())
            + ")"
            + (properties.isEmpty() ? "" : " WITH " + String.join(" AND ", properties));
    View view = new View(new GeneratedTable(name, base.kind(), columns), base.name(), all);
    return new Alteration(GeneratedDefinitions.plain(text), () -> views.add(view));
  }

  /** Whether Cassandra shows a column in a view of all columns that the table does not show. */
  private static boolean hasHiddenColumn(GeneratedTable base) {
    return base.kind() == Kind.COMPACT && base.of(Role.REGULAR).isEmpty();
  }

  private String oddName(String name, GeneratedTable base) {
    if (choices.chance(96)) {
      return name;
    }
    return choices.oneOf(base.name(), "nosuch.m", "\"m-1\"", "system.m", "m.m.m", name);
  }

  /** The columns of a key, in its order: those of the base table's key, and perhaps another. */
  private List<Column> key(GeneratedTable base) {
    List<Column> ofBase = base.columns().stream().filter(Column::isKey).toList();
    List<Column> key = new ArrayList<>(ofBase);
    List<Column> further =
        base.of(Role.REGULAR).stream()
            .filter(each -> !each.isMultiCell() && GeneratedTypes.isKey(each.type()))
            .toList();
    if (!further.isEmpty() && choices.chance(60)) {
      key.add(choices.oneOf(further));
    }
    if (choices.chance(4)) {
      key.add(choices.oneOf(base.columns()));
    }
    if (choices.chance(2)) {
      key.remove(choices.below(key.size()));
    }
    if (choices.chance(1) || key.isEmpty()) {
      key.add(new Column("nosuch", DataType.Scalar.INT, Role.REGULAR, false, false));
    }
    List<Column> ordered = choices.chance(75) ? choices.shuffled(key) : key;
    if (fitForPartition(ordered, base) == 0) {
      ordered.sort(Comparator.comparing(each -> isUnfit(each, base)));
    }
    return ordered;
  }

  /** How many columns at the beginning of a key can be the partition key. */
  private static int fitForPartition(List<Column> key, GeneratedTable base) {
    int count = 0;
    while (count < key.size() && !isUnfit(key.get(count), base)) {
      count++;
    }
    return count;
  }

  /**
   * Whether a column is not made one of a partition key: Cassandra orders the partitions of a
   * column that is descending in the base table otherwise, and clustering values that are equal but
   * not the same are in partitions of their own there.
   */
  private static boolean isUnfit(Column column, GeneratedTable base) {
    return base.clustering().stream()
        .filter(each -> each.name().equals(column.name()))
        .anyMatch(each -> each.descending() || GeneratedTypes.hasForms(each.type()));
  }

  /** The columns of a view with this key, as they are read. */
  private List<Column> columns(List<Column> key, int partition, GeneratedTable base, boolean all) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < key.size(); i++) {
      Column column = key.get(i);
      boolean clustering = i >= partition;
      boolean reverse =
          clustering && column.type() instanceof DataType.Scalar && choices.chance(25);
      columns.add(
          column.in(
              clustering ? Role.CLUSTERING : Role.PARTITION,
              clustering && isDescending(column, base) != reverse));
    }
    List<Column> others =
        base.of(Role.REGULAR).stream().filter(each -> !key.contains(each)).toList();
    columns.addAll(all ? others : others.stream().filter(each -> choices.chance(60)).toList());
    return columns;
  }

  private static boolean isDescending(Column column, GeneratedTable base) {
    return base.clustering().stream()
        .anyMatch(each -> each.name().equals(column.name()) && each.descending());
  }

  /** Whether a column has another direction than it would have without CLUSTERING ORDER BY. */
  private static boolean isReversed(Column column, GeneratedTable base) {
    return column.descending() != isDescending(column, base);
  }

  private static String order(List<Column> clustering) {
    return clustering.stream()
        .map(each -> each.name() + (each.descending() ? " DESC" : " ASC"))
        .collect(Collectors.joining(", ", "CLUSTERING ORDER BY (", ")"));
  }

  private String selected(List<Column> columns, GeneratedTable base) {
    List<String> names =
        new ArrayList<>(choices.shuffled(columns).stream().map(Column::name).toList());
    if (choices.chance(3)) {
      String name = choices.oneOf(base.columns()).name();
      names.add(
          choices.oneOf(
              "nosuch",
              name,
              name + " AS zz",
              "count(*)",
              "writetime(" + name + ")",
              "cast(" + name + " AS text)",
              "token(" + name + ")",
              name + "[0]",
              "?",
              "1"));
    }
    if (choices.chance(2)) {
      names.removeFirst();
    }
    return names.isEmpty() ? "nosuch" : String.join(", ", names);
  }

  /**
   * The relations of the WHERE clause: at least one for each column of the key, with exceptions.
   */
  private List<String> relations(List<Column> key, GeneratedTable base) {
    List<String> relations = new ArrayList<>();
    for (Column column : key) {
      String condition = choices.chance(12) ? conditionOn(column, base) : "";
      boolean any = condition.isEmpty() || choices.chance(40);
      if (!condition.isEmpty()) {
        relations.add(condition);
      }
      if (any && choices.chance(99)) {
        relations.add(column.name() + " IS NOT NULL");
      }
    }
    if (base.clustering().size() > 1 && choices.chance(6)) {
      relations.add(condition(base.clustering()));
    }
    if (choices.chance(5)) {
      relations.add(choices.oneOf(base.columns()).name() + " IS NOT NULL");
    }
    if (choices.chance(4)) {
      StatementDraft draft = new StatementDraft(choices, StatementDraft.Style.TERMS, 5);
      new GeneratedWhere(choices, draft, base).anything(1);
      relations.add(isRangeOfTuple(draft.text()) ? "" : draft.text());
    }
    relations.removeIf(String::isEmpty);
    return relations.isEmpty() ? List.of("nosuch IS NOT NULL") : choices.shuffled(relations);
  }

  /**
   * Conditions on a column; empty if there is none. Cassandra creates a view with a range of tuples
   * that do not begin with the first clustering column, but can neither build it nor write to its
   * base table.
   */
  private String conditionOn(Column column, GeneratedTable base) {
    String condition = condition(List.of(column));
    boolean first = base.clustering().indexOf(column) <= 0;
    return first || !isRangeOfTuple(condition) ? condition : "";
  }

  private static boolean isRangeOfTuple(String condition) {
    return RANGE_OF_TUPLE.matcher(condition).find();
  }

  /** Conditions on the first of these columns; empty if there is none. */
  private String condition(List<Column> columns) {
    List<Column> clustering =
        columns.stream().map(each -> each.in(Role.CLUSTERING, each.descending())).toList();
    StatementDraft draft = new StatementDraft(choices, StatementDraft.Style.TERMS, 0);
    new GeneratedWhere(choices, draft, new GeneratedTable("", Kind.PLAIN, clustering))
        .clusteringPrefix(choices.below(columns.size() + 1));
    return draft.text();
  }

  /** Adapts the views to changes of base tables, whose columns keep their positions. */
  public void follow(List<GeneratedTable> before, List<GeneratedTable> after) {
    for (GeneratedTable base : before) {
      for (GeneratedTable changed : after) {
        if (changed.name().equals(base.name()) && !changed.equals(base)) {
          views.replaceAll(
              each -> each.base().equals(base.name()) ? follow(each, base, changed) : each);
        }
      }
    }
  }

  private static View follow(View view, GeneratedTable before, GeneratedTable after) {
    List<Column> columns = new ArrayList<>();
    for (Column column : view.table.columns()) {
      int at = before.columns().stream().map(Column::name).toList().indexOf(column.name());
      Column now =
          after.columns().size() < before.columns().size()
              ? after.column(column.name())
              : after.columns().get(at);
      if (now != null) {
        columns.add(now.in(column.role(), column.descending()));
      }
    }
    for (int i = before.columns().size(); view.all && i < after.columns().size(); i++) {
      if (after.columns().get(i).role() == Role.REGULAR) {
        columns.add(after.columns().get(i));
      }
    }
    return view.with(columns);
  }

  /** A query of the schema tables, or a description. */
  public Script.Statement schemaQuery(String keyspace, GeneratedTable base) {
    String name = of(base).isEmpty() ? base.name() : choices.oneOf(of(base)).table().name();
    String plain = GeneratedDefinitions.unquoted(name);
    String where = " WHERE keyspace_name = '" + keyspace + "'";
    String ofView = where + " AND view_name = '" + plain + "'";
    String text =
        choices.oneOf(
            "SELECT * FROM system_schema.views" + where,
            "SELECT * FROM system_schema.views" + ofView,
            "SELECT view_name, where_clause FROM system_schema.views" + where,
            "SELECT * FROM system_schema.columns" + where + " AND table_name = '" + plain + "'",
            "SELECT table_name FROM system_schema.tables" + where,
            "SELECT view_name FROM system.built_views" + where,
            "DESCRIBE MATERIALIZED VIEW " + name,
            "DESCRIBE MATERIALIZED VIEW " + keyspace + "." + name,
            "DESCRIBE " + name,
            "DESCRIBE TABLE " + base.name());
    List<String> directives =
        text.startsWith("SELECT *")
            ? List.of("mask id, base_table_id, dropped_time")
            : List.of("mask-text (?<=ID = )[0-9a-f-]{36}|(?<=USING TIMESTAMP )[0-9]+");
    return new Script.Statement(0, directives, List.of(text), List.of());
  }
}
