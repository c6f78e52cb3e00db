package io.helenus.server.advice;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The definition of a table that an advice proposes: that of an existing one with another name,
 * key, order or option. Not thread-safe.
 */
public final class Draft {
  private final String keyspace;
  private final Map<String, String> columns = new LinkedHashMap<>();
  private final List<String> partitionKey = new ArrayList<>();
  private final Map<String, Boolean> clustering = new LinkedHashMap<>();
  private final List<String> options = new ArrayList<>();
  private String name;

  private Draft(TableSchema table) {
    keyspace = table.keyspace();
    name = table.name();
  }

  /** Starts from a table with all its columns, its key, and its compaction and TTL. */
  public static Draft of(TableSchema table) {
    Draft draft = new Draft(table);
    table.partitionKey().forEach(each -> draft.partitionKey.add(each.name()));
    table.clusteringColumns().forEach(each -> draft.clustering.put(each.name(), each.descending()));
    for (ColumnSchema column : table.columns()) {
      if (!table.isHidden(column)) {
        draft.columns.put(
            column.name(), column.type().toCql() + (column.isStatic() ? " static" : ""));
      }
    }
    draft.keepOptions(table.options());
    return draft;
  }

  private void keepOptions(TableOptions of) {
    if (of.defaultTimeToLiveSeconds() > 0) {
      options.add("default_time_to_live = " + of.defaultTimeToLiveSeconds());
    }
    Map<String, String> usual = TableOptions.defaults().compaction();
    if (!of.compaction().equals(usual)) {
      List<String> entries = new ArrayList<>();
      for (Map.Entry<String, String> entry : of.compaction().entrySet()) {
        // what is set for every table need not be said
        if (entry.getKey().equals("class") || !entry.getValue().equals(usual.get(entry.getKey()))) {
          String value = entry.getValue();
          entries.add(
              CqlNames.literal(entry.getKey())
                  + ": "
                  + CqlNames.literal(value.substring(value.lastIndexOf('.') + 1)));
        }
      }
      options.add("compaction = {" + String.join(", ", entries) + "}");
    }
  }

  /** Names the table otherwise. */
  public Draft named(String newName) {
    name = newName;
    return this;
  }

  /** Adds a column, unless there is one of this name. */
  public Draft with(String column, String type) {
    columns.putIfAbsent(column, type);
    return this;
  }

  /** Takes a column away. */
  public Draft without(String column) {
    columns.remove(column);
    partitionKey.remove(column);
    clustering.remove(column);
    return this;
  }

  /** Sets the partition key; columns that were clustering columns are no longer. */
  public Draft partitionedBy(List<String> key) {
    partitionKey.clear();
    partitionKey.addAll(key);
    key.forEach(clustering::remove);
    key.forEach(this::asKey);
    return this;
  }

  /** Adds a column to the partition key. */
  public Draft partitionedAlsoBy(String column) {
    List<String> key = new ArrayList<>(partitionKey);
    key.add(column);
    return partitionedBy(key);
  }

  /** Makes a column of the partition key the last clustering column. */
  Draft toClustering(String column) {
    partitionKey.remove(column);
    return clusteredAlsoBy(column);
  }

  /** Adds a new column to the partition key, of another name if there is one of this name. */
  Draft partitionedAlsoByNew(String column, String type) {
    String name = free(column);
    return with(name, type).partitionedAlsoBy(name);
  }

  /** Adds a new last clustering column, of another name if there is one of this name. */
  Draft clusteredAlsoByNew(String column, String type) {
    String name = free(column);
    return with(name, type).clusteredAlsoBy(name);
  }

  private String free(String column) {
    return columns.containsKey(column) ? free("row_" + column) : column;
  }

  /** Sets the clustering columns, ascending; those of the former that are kept keep their order. */
  public Draft clusteredBy(List<String> key) {
    Map<String, Boolean> before = new LinkedHashMap<>(clustering);
    clustering.clear();
    key.forEach(each -> clustering.put(each, before.getOrDefault(each, false)));
    key.forEach(this::asKey);
    return this;
  }

  /** Adds a last clustering column. */
  public Draft clusteredAlsoBy(String column) {
    clustering.putIfAbsent(column, false);
    asKey(column);
    return this;
  }

  private void asKey(String column) {
    columns.computeIfPresent(column, (name, type) -> type.replace(" static", ""));
  }

  /** Sets the order of a clustering column. */
  public Draft descending(String column, boolean descending) {
    clustering.put(column, descending);
    return this;
  }

  /** Sets an option, as in CQL. */
  public Draft option(String option, String value) {
    options.removeIf(each -> each.startsWith(option + " "));
    options.add(option + " = " + value);
    return this;
  }

  /** Makes a static column a regular one. */
  public Draft regular(String column) {
    asKey(column);
    return this;
  }

  /** The statement, in one line: the columns of the key, in its order, and then the others. */
  public String toCql() {
    return toCql("(", ", ", ")", " AND ");
  }

  /** The statement with a line for each column and option. */
  public String toLines() {
    return toCql("(\n  ", ",\n  ", "\n)", "\n  AND ");
  }

  /** The primary key, as in CQL: {@code (user_id, month), sent_at}. */
  public String key() {
    String partition = names(partitionKey);
    List<String> key = new ArrayList<>();
    key.add(partitionKey.size() == 1 ? partition : "(" + partition + ")");
    clustering.keySet().forEach(each -> key.add(CqlNames.quoted(each)));
    return String.join(", ", key);
  }

  private String toCql(String open, String comma, String close, String and) {
    List<String> parts = new ArrayList<>();
    Set<String> keyFirst = new LinkedHashSet<>(partitionKey);
    keyFirst.addAll(clustering.keySet());
    keyFirst.addAll(columns.keySet());
    keyFirst.forEach(column -> parts.add(CqlNames.quoted(column) + " " + columns.get(column)));
    parts.add("PRIMARY KEY (" + key() + ")");
    List<String> with = new ArrayList<>();
    if (clustering.containsValue(true)) {
      List<String> order = new ArrayList<>();
      clustering.forEach(
          (column, down) -> order.add(CqlNames.quoted(column) + (down ? " DESC" : " ASC")));
      with.add("CLUSTERING ORDER BY (" + String.join(", ", order) + ")");
    }
    with.addAll(options);
    return "CREATE TABLE "
        + CqlNames.quoted(keyspace)
        + "."
        + CqlNames.quoted(name)
        + " "
        + open
        + String.join(comma, parts)
        + close
        + (with.isEmpty() ? "" : " WITH " + String.join(and, with))
        + ";";
  }

  private static String names(List<String> columns) {
    return String.join(", ", columns.stream().map(CqlNames::quoted).toList());
  }
}
