package io.helenus.server.query.explain;

import io.helenus.cql.ast.Assignment;
import io.helenus.cql.ast.BatchStatement;
import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.Term;
import io.helenus.server.advice.RowSize;
import io.helenus.server.coordinator.LocalOnly;
import io.helenus.server.query.modification.BatchPlan;
import io.helenus.server.query.modification.ModificationPlan;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Explains writes. One per statement. */
final class WriteExplainer {
  private final Surroundings around;
  private final Schema schema;

  WriteExplainer(Surroundings around, Schema schema) {
    this.around = around;
    this.schema = schema;
  }

  /**
   * Explains a batch.
   *
   * @param partitions of each statement; null if its values are not known
   */
  ExplainNode batch(
      BatchPlan plan,
      BatchStatement statement,
      List<@Nullable List<PartitionList.Partition>> partitions) {
    Set<String> keys = new LinkedHashSet<>();
    boolean known = true;
    int others = 0;
    for (int i = 0; i < partitions.size(); i++) {
      List<PartitionList.Partition> each = partitions.get(i);
      TableSchema table = plan.statements().get(i).table();
      known &= each != null;
      if (each == null) {
        others += listed(plan.statements().get(i).partitionKey());
      } else {
        each.forEach(one -> keys.add(table.keyspace() + ":" + one.token()));
      }
    }
    ExplainNode root =
        ExplainNode.of(
            "batch",
            statement.feature().toLowerCase(Locale.ROOT)
                + " of "
                + plan.statements().size()
                + (plan.statements().size() == 1 ? " statement" : " statements"));
    if (known) {
      root.estimate().with("partitions", keys.size());
    }
    boolean conditional = plan.statements().stream().anyMatch(each -> each.condition() != null);
    root.add(log(statement.kind(), keys.size() + others, conditional));
    if (statement.kind() == BatchStatement.Kind.LOGGED
        && !conditional
        && keys.size() + others > 1) {
      boolean elsewhere = false;
      for (int i = 0; i < partitions.size(); i++) {
        elsewhere |= around.isElsewhere(plan.statements().get(i).keyspace(), partitions.get(i));
      }
      if (elsewhere) {
        root.add("refused", LocalOnly.LOGGED_BATCH.refusal());
      }
    }
    for (int i = 0; i < plan.statements().size(); i++) {
      root.add(write(plan.statements().get(i), statement.statements().get(i), partitions.get(i)));
    }
    return root;
  }

  private static ExplainNode log(BatchStatement.Kind kind, int partitions, boolean conditional) {
    String what =
        switch (kind) {
          case COUNTER ->
              "none: increments are applied one by one, and some may be lost or doubled";
          case UNLOGGED ->
              partitions > 1
                  ? "none: if a node fails, some partitions may have been written and others not"
                  : "none: one partition is written as a whole";
          case LOGGED -> {
            if (conditional) {
              yield "none: the conditions and the writes are on one partition";
            }
            if (partitions <= 1) {
              yield "none: one partition is written as a whole without it";
            }
            yield "written before the partitions and removed after them, so that all of them are"
                + " written in the end; costs about as much again as the writes";
          }
        };
    return ExplainNode.of("batch log", what);
  }

  /**
   * Explains a write.
   *
   * @param partitions that it writes to; null if its values are not known
   */
  ExplainNode write(
      ModificationPlan plan,
      ModificationStatement statement,
      @Nullable List<PartitionList.Partition> partitions) {
    TableSchema table = plan.table();
    ExplainNode root =
        ExplainNode.of(statement.feature().toLowerCase(Locale.ROOT), table.cqlName());
    int count = partitions == null ? listed(plan.partitionKey()) : partitions.size();
    root.add(target(plan, statement, count, partitions));
    LocalOnly need = need(plan);
    if (need != null && around.isElsewhere(plan.keyspace(), partitions)) {
      root.add("refused", need.refusal());
    }
    if (plan.condition() != null) {
      root.add(
          "condition",
          "the row is read at "
              + around.serialLevel()
              + " and written if the condition holds, while no other condition of the partition is"
              + " decided");
    }
    if (table.isCounter()) {
      root.add("read", "the counter of one replica is read before it is changed");
    }
    if (plan.rewritesLists()) {
      root.add("read", "the present elements of a list are read before it is changed");
    }
    written(plan, statement, count, root);
    indexes(plan, statement, root);
    views(table, root);
    return root;
  }

  /** What a write needs that works only where this node is the only replica; null for none. */
  private static @Nullable LocalOnly need(ModificationPlan plan) {
    if (plan.condition() != null) {
      return LocalOnly.CONDITION;
    }
    if (plan.table().isCounter()) {
      return LocalOnly.INCREMENT;
    }
    return plan.rewritesLists() ? LocalOnly.LIST_ELEMENT : null;
  }

  private ExplainNode target(
      ModificationPlan plan,
      ModificationStatement statement,
      int count,
      @Nullable List<PartitionList.Partition> partitions) {
    TableSchema table = plan.table();
    String what =
        key(table.partitionKey(), statement)
            + (count == 1 ? ": one partition" : ": " + count + " partitions");
    if (partitions != null && partitions.size() == 1) {
      what += ", token " + partitions.getFirst().token();
    }
    ExplainNode target = ExplainNode.of(count == 1 ? "partition" : "partitions", what);
    target.estimate().with("partitions", count);
    if (partitions == null) {
      target.add(
          "replicas", "all those of the token, once its values are known; " + around.level());
    } else {
      Set<String> texts = new LinkedHashSet<>();
      partitions.stream()
          .limit(4)
          .forEach(
              each ->
                  texts.add(around.writeReplicas(plan.keyspace(), each.token(), around.level())));
      texts.forEach(text -> target.add("replicas", text));
    }
    return target;
  }

  private static int listed(List<Restriction> restrictions) {
    int product = 1;
    for (Restriction each : restrictions) {
      product *= each instanceof Restriction.In in ? Math.max(1, in.values().size()) : 1;
    }
    return product;
  }

  /** The values of key columns, as text. */
  private static String key(List<ColumnSchema> columns, ModificationStatement statement) {
    List<String> names = columns.stream().map(ColumnSchema::name).toList();
    return switch (statement) {
      case ModificationStatement.Insert insert -> {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < insert.columns().size(); i++) {
          if (names.contains(insert.columns().get(i))) {
            parts.add(
                CqlNames.quoted(insert.columns().get(i))
                    + " = "
                    + Clauses.value(insert.values().get(i)));
          }
        }
        yield String.join(" AND ", parts);
      }
      case ModificationStatement.InsertJson _ ->
          names.isEmpty() ? "" : Clauses.joined(names) + " of the document";
      case ModificationStatement.Update update -> Clauses.on(names, update.where());
      case ModificationStatement.Delete delete -> Clauses.on(names, delete.where());
    };
  }

  // ---- what is written

  private static void written(
      ModificationPlan plan, ModificationStatement statement, int partitions, ExplainNode root) {
    TableSchema table = plan.table();
    int rows = partitions * listed(plan.clustering());
    String row = key(table.clusteringColumns(), statement);
    String where = row.isEmpty() ? "" : row + ": ";
    switch (plan.action()) {
      case INSERT, SET_CELLS -> {
        boolean deletes = statement instanceof ModificationStatement.Delete;
        ExplainNode write =
            ExplainNode.of(
                deletes ? "tombstones" : "row",
                where + cells(plan, columns(table, statement), deletes));
        if (!deletes) {
          write.estimate().with("rows", rows).bytes((long) rows * RowSize.ofRow(table));
        }
        root.add(write);
        nulls(statement, root);
        replaced(table, statement, root);
      }
      case DELETE_ROWS -> root.add(tombstones(where + "a tombstone for each row", rows, table));
      case DELETE_RANGES ->
          root.add(
              tombstones(
                  where + "a tombstone for the whole range, however many rows it has",
                  rows,
                  table));
      case DELETE_PARTITION ->
          root.add(tombstones("a tombstone for the whole partition", partitions, table));
    }
  }

  private static ExplainNode tombstones(String what, int count, TableSchema table) {
    ExplainNode node =
        ExplainNode.of(
            "tombstones",
            what
                + "; reads pass over them until they are compacted, "
                + table.options().gcGraceSeconds()
                + " s from now or later");
    node.estimate().with("tombstones", count);
    return node;
  }

  private static String cells(ModificationPlan plan, List<ColumnSchema> columns, boolean deletes) {
    String text = Clauses.joined(columns.stream().map(ColumnSchema::name).toList());
    if (columns.isEmpty()) {
      return "that it exists; nothing is read before";
    }
    if (deletes) {
      return text + " deleted, a tombstone for each";
    }
    if (!plan.writesRows()) {
      text += " of the static row";
    } else if (plan.action() == ModificationPlan.Action.INSERT) {
      text += ", and that the row exists";
    }
    return plan.condition() == null && !plan.rewritesLists() && !plan.table().isCounter()
        ? text + "; nothing is read before"
        : text;
  }

  /** The columns outside the key that a statement names. */
  private static List<ColumnSchema> columns(TableSchema table, ModificationStatement statement) {
    Set<String> names = new LinkedHashSet<>();
    switch (statement) {
      case ModificationStatement.Insert insert -> names.addAll(insert.columns());
      case ModificationStatement.InsertJson _ ->
          table.visibleColumns().forEach(each -> names.add(each.name()));
      case ModificationStatement.Update update ->
          update.assignments().forEach(each -> names.add(each.column()));
      case ModificationStatement.Delete delete ->
          delete.deletions().forEach(each -> names.add(each.column()));
    }
    List<ColumnSchema> columns = new ArrayList<>();
    for (String name : names) {
      ColumnSchema column = table.column(name);
      if (column != null && !column.isPrimaryKey()) {
        columns.add(column);
      }
    }
    return columns;
  }

  /** A null is a tombstone, which surprises those who write all columns of an object. */
  private static void nulls(ModificationStatement statement, ExplainNode root) {
    if (!(statement instanceof ModificationStatement.Insert insert)) {
      return;
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < insert.columns().size() && i < insert.values().size(); i++) {
      if (insert.values().get(i) instanceof Term.Null) {
        names.add(insert.columns().get(i));
      }
    }
    if (!names.isEmpty()) {
      ExplainNode node =
          ExplainNode.of(
              "tombstones",
              "null for "
                  + Clauses.joined(names)
                  + " writes a tombstone; leave the column out instead");
      node.estimate().with("tombstones", names.size());
      root.add(node);
    }
  }

  /** A collection that is set as a whole is deleted first, which surprises too. */
  private static void replaced(
      TableSchema table, ModificationStatement statement, ExplainNode root) {
    List<String> names = new ArrayList<>();
    switch (statement) {
      case ModificationStatement.Insert insert -> {
        for (int i = 0; i < insert.columns().size() && i < insert.values().size(); i++) {
          if (!(insert.values().get(i) instanceof Term.Null)) {
            names.add(insert.columns().get(i));
          }
        }
      }
      case ModificationStatement.Update update ->
          update.assignments().stream()
              .filter(Assignment.SetValue.class::isInstance)
              .forEach(each -> names.add(each.column()));
      case ModificationStatement.InsertJson _, ModificationStatement.Delete _ -> {}
    }
    names.removeIf(
        each -> {
          ColumnSchema column = table.column(each);
          return column == null || !column.multiCell();
        });
    if (!names.isEmpty()) {
      ExplainNode node =
          ExplainNode.of(
              "tombstones",
              Clauses.joined(names)
                  + " set as a whole: what it was is deleted first; + adds without that");
      node.estimate().with("tombstones", names.size());
      root.add(node);
    }
  }

  private static void indexes(
      ModificationPlan plan, ModificationStatement statement, ExplainNode root) {
    List<ColumnSchema> written = columns(plan.table(), statement);
    for (IndexSchema index : plan.table().indexes()) {
      ColumnSchema column = plan.table().columnOf(index);
      if (column.isPrimaryKey() || written.contains(column)) {
        root.add(
            "index",
            index.name()
                + " on "
                + plan.table().targetOf(index)
                + ": a term for each row, written with it on the same replica");
      }
    }
  }

  private void views(TableSchema table, ExplainNode root) {
    KeyspaceSchema keyspace = schema.keyspace(table.keyspace());
    if (keyspace == null) {
      return;
    }
    for (TableSchema view : keyspace.viewsOf(table)) {
      root.add(
          "view",
          view.cqlName()
              + ": each replica reads the row as it was, and writes the row of the view to the"
              + " replicas of its own partition");
    }
  }
}
