package io.helenus.server.query.explain;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.advice.Draft;
import io.helenus.server.advice.RowSize;
import io.helenus.server.advice.Traits;
import io.helenus.server.query.explain.RefusedQuery.Proposal;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What would serve a SELECT that its table does not serve. One per statement. */
final class Proposals {
  private final TableSchema table;
  private final QueryShape shape;
  private final KeyspaceSchema keyspace;
  private final List<Proposal> proposals = new ArrayList<>();
  private final Set<String> partition = new LinkedHashSet<>();
  private final Set<String> clustering = new LinkedHashSet<>();
  private String name = "";
  private String bucket = "";

  private Proposals(TableSchema table, QueryShape shape, KeyspaceSchema keyspace) {
    this.table = table;
    this.shape = shape;
    this.keyspace = keyspace;
  }

  static List<Proposal> of(TableSchema table, QueryShape shape, KeyspaceSchema keyspace) {
    Proposals found = new Proposals(table, shape, keyspace);
    if (!table.isCounter() && !table.isCompact() && table.view() == null) {
      found.existingView();
      found.table();
      found.newView();
      found.index();
    }
    return found.proposals;
  }

  private void table() {
    Draft draft = Draft.of(table);
    boolean samePartitions = shape.equal().containsAll(table.partitionKey());
    if (samePartitions) {
      table.partitionKey().forEach(each -> partition.add(each.name()));
    } else {
      shape.equal().stream().filter(this::canBeKey).forEach(each -> partition.add(each.name()));
    }
    shape.equal().stream()
        .filter(each -> canBeKey(each) && !partition.contains(each.name()))
        .forEach(each -> clustering.add(each.name()));
    for (ColumnSchema column : shape.elements()) {
      element(column, draft, samePartitions);
    }
    shape.order().keySet().forEach(each -> cluster(each.name()));
    shape.ranges().stream().filter(this::canBeKey).forEach(each -> cluster(each.name()));
    if (partition.isEmpty() && !bucket(draft)) {
      return;
    }
    String suffix = suffix(samePartitions);
    table.partitionKey().forEach(each -> cluster(each.name()));
    table.clusteringColumns().forEach(each -> cluster(each.name()));
    if (!samePartitions) {
      // what was static in a partition is not in one of others
      for (ColumnSchema column : table.staticColumns()) {
        draft.regular(column.name());
      }
    }
    name = freeName(suffix);
    divideFewValues(draft);
    draft.named(name).partitionedBy(List.copyOf(partition)).clusteredBy(List.copyOf(clustering));
    shape.order().forEach((column, descending) -> order(column, descending, draft));
    proposals.add(
        new Proposal(
            "table",
            draft.toCql(),
            "each row is written twice, about "
                + Figures.size(RowSize.ofRow(table))
                + " more; "
                + (bucket.isEmpty()
                    ? "the query reads one partition"
                    : "the query names each "
                        + CqlNames.quoted(bucket)
                        + " that it wants, a partition each; the writer computes it")));
  }

  /** Few values would be as few partitions, and all rows in them. */
  private void divideFewValues(Draft draft) {
    boolean few =
        partition.stream()
            .map(table::column)
            .allMatch(each -> each != null && Traits.isFewValued(each));
    if (few) {
      bucket = table.column("bucket") == null ? "bucket" : "row_bucket";
      draft.with(bucket, "int");
      partition.add(bucket);
    }
  }

  /** A view whose partition key has values. */
  private void existingView() {
    for (TableSchema view : keyspace.viewsOf(table)) {
      boolean leads =
          view.partitionKey().stream()
              .allMatch(each -> shape.equal().stream().anyMatch(one -> one.id() == each.id()));
      if (leads && shape.order().isEmpty()) {
        proposals.add(
            new Proposal(
                "view",
                "SELECT from the view " + view.cqlName() + ", which there is already.",
                "nothing more; rows of a view may be a moment older"));
      }
    }
  }

  /** A view can have one column more than the key of its table. */
  private void newView() {
    List<ColumnSchema> added =
        table.columns().stream()
            .filter(
                each ->
                    !each.isPrimaryKey()
                        && (partition.contains(each.name()) || clustering.contains(each.name())))
            .toList();
    boolean known =
        partition.stream().allMatch(each -> table.column(each) != null)
            && clustering.stream().allMatch(each -> table.column(each) != null);
    if (partition.isEmpty()
        || !known
        || added.size() > 1
        || table.hasStaticColumns()
        || added.stream().anyMatch(ColumnSchema::isStatic)) {
      return;
    }
    List<String> key = new ArrayList<>(partition);
    key.addAll(clustering);
    String partitionText = Clauses.joined(List.copyOf(partition));
    proposals.add(
        new Proposal(
            "view",
            "CREATE MATERIALIZED VIEW "
                + CqlNames.quoted(table.keyspace())
                + "."
                + CqlNames.quoted(name)
                + " AS SELECT * FROM "
                + table.cqlName()
                + " WHERE "
                + String.join(
                    " AND ",
                    key.stream().map(each -> CqlNames.quoted(each) + " IS NOT NULL").toList())
                + " PRIMARY KEY ("
                + (partition.size() == 1 ? partitionText : "(" + partitionText + ")")
                + (clustering.isEmpty() ? "" : ", " + Clauses.joined(List.copyOf(clustering)))
                + ")"
                + viewOrder()
                + ";",
            "each write of the table reads the row as it was before; needs"
                + " materialized_views_enabled"));
  }

  private String viewOrder() {
    List<String> parts = new ArrayList<>();
    boolean any = false;
    for (String each : clustering) {
      ColumnSchema column = table.column(each);
      boolean descending =
          column != null && shape.order().getOrDefault(column, column.descending());
      any |= descending;
      parts.add(CqlNames.quoted(each) + (descending ? " DESC" : " ASC"));
    }
    return any ? " WITH CLUSTERING ORDER BY (" + String.join(", ", parts) + ")" : "";
  }

  private void order(ColumnSchema column, boolean descending, Draft draft) {
    if (clustering.contains(column.name())) {
      draft.descending(column.name(), descending);
    }
  }

  private void cluster(String column) {
    if (!partition.contains(column)) {
      clustering.add(column);
    }
  }

  private boolean canBeKey(ColumnSchema column) {
    return !column.multiCell() && column.type() != ScalarType.DURATION;
  }

  /** A collection becomes one row for each element. */
  private void element(ColumnSchema column, Draft draft, boolean samePartitions) {
    String type =
        switch (column.type()) {
          case SetType set -> set.element().toCql();
          case ListType list -> list.element().toCql();
          case MapType map -> map.key().toCql();
          default -> null;
        };
    if (type != null) {
      String name = column.name() + "_element";
      draft.with(name, type);
      (samePartitions ? clustering : partition).add(name);
    }
  }

  /** Without a value that leads to a partition, rows are gathered by the time of their range. */
  private boolean bucket(Draft draft) {
    @Nullable ColumnSchema first = null;
    for (ColumnSchema column : shape.ranges()) {
      first = first == null ? column : first;
    }
    for (ColumnSchema column : shape.order().keySet()) {
      first = first == null ? column : first;
    }
    if (first == null) {
      return false;
    }
    boolean time =
        first.type() == ScalarType.TIMESTAMP
            || first.type() == ScalarType.TIMEUUID
            || first.type() == ScalarType.DATE;
    String bucketName = first.name() + (time ? "_day" : "_bucket");
    draft.with(bucketName, time ? "date" : "int");
    partition.add(bucketName);
    bucket = bucketName;
    return true;
  }

  private String suffix(boolean samePartitions) {
    Set<String> names = samePartitions ? clustering : partition;
    return "_by_" + String.join("_", names.isEmpty() ? partition : names);
  }

  private String freeName(String suffix) {
    String wanted = table.name() + suffix;
    String free = wanted;
    for (int i = 2; keyspace.table(free) != null; i++) {
      free = wanted + i;
    }
    return free;
  }

  /** An index on the only column that the key does not serve; more would be filtered. */
  private void index() {
    boolean samePartitions = shape.equal().containsAll(table.partitionKey());
    List<ColumnSchema> unserved =
        table.columns().stream()
            .filter(each -> shape.restricts(each))
            .filter(each -> !samePartitions || each.kind() != ColumnKind.PARTITION_KEY)
            .toList();
    if (unserved.size() != 1 || !shape.order().isEmpty()) {
      return;
    }
    ColumnSchema column = unserved.getFirst();
    boolean serves =
        column.multiCell()
            ? shape.elements().contains(column) && !(column.type() instanceof MapType)
            : shape.equal().contains(column);
    boolean helps = !samePartitions || !column.isPrimaryKey();
    if (serves && helps && !isIndexed(column)) {
      proposals.add(
          new Proposal(
              "index",
              "CREATE INDEX ON "
                  + table.cqlName()
                  + " ("
                  + CqlNames.quoted(column.name())
                  + ") USING 'sai';",
              samePartitions
                  ? "each write of the column adds a term; the query looks it up in one partition"
                  : "each write of the column adds a term; the query asks every node and reads"
                      + " each row it finds in another partition"
                      + (Traits.isFewValued(column)
                          ? "; the column seems to have few values, and each of them many rows"
                          : "")));
    }
  }

  private boolean isIndexed(ColumnSchema column) {
    for (IndexSchema index : table.indexes()) {
      if (index.columnId() == column.id()) {
        return true;
      }
    }
    return false;
  }
}
