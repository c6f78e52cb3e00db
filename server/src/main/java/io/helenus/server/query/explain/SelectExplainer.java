package io.helenus.server.query.explain;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.server.coordinator.LocalOnly;
import io.helenus.server.query.restriction.IndexPlan;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.select.Limits;
import io.helenus.server.query.select.SelectPlan;
import io.helenus.server.query.statement.ReadMeasurement;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Explains a SELECT. One per statement. */
final class SelectExplainer {
  private static final int SHOWN_PARTITIONS = 4;

  /** The share of rows that one end of a range, whose values are not known, is assumed to leave. */
  private static final double SHARE_OF_END = 0.5;

  private final SelectPlan plan;
  private final SelectStatement statement;
  private final Surroundings around;
  private final TableSchema table;
  private final TableSizes sizes;
  private final @Nullable List<PartitionList.Partition> partitions;
  private final double tokenShare;
  private final int limit;
  private final int perPartition;
  private double rowsOfPartition;
  private double rowsRead;

  SelectExplainer(
      SelectPlan plan, SelectStatement statement, Selected selected, Surroundings around) {
    this.plan = plan;
    this.statement = statement;
    this.around = around;
    partitions = selected.partitions();
    tokenShare = selected.tokenShare();
    limit = selected.limit();
    perPartition = selected.perPartition();
    table = plan.table();
    sizes = new TableSizes(table, around.statistics(table), around.shards());
  }

  ExplainNode explain(@Nullable ReadMeasurement measured) {
    estimate();
    ExplainNode root = ExplainNode.of("select", table.cqlName());
    ExplainNode read = read(measured);
    root.add(read);
    filters(root);
    groups(root);
    order(root);
    limits(root);
    pages(root);
    if (isKnown()) {
      root.estimate().with("rows", rowsReturned());
    }
    if (measured != null) {
      root.actual().with("rows", measured.rows()).micros(measured.nanos() / 1000);
      read.actual().with("reads", measured.reads()).with("rows", measured.rowsRead());
      read.actual().micros(measured.readNanos() / 1000);
      measured(read, measured);
    }
    return root;
  }

  // ---- estimates

  private boolean isKnown() {
    return sizes.rows() > 0 && !looksUp() && (plan.where().isKeyRange() || rowsOfPartition > 0);
  }

  private void estimate() {
    rowsOfPartition = sizes.rowsOfPartition();
    double slice = rowsOfPartition * shareOfSlice();
    if (plan.rowSlots() != null && !plan.where().isKeyRange()) {
      slice = Math.min(1, Math.max(slice, rowsOfPartition > 0 ? 1 : 0));
    }
    if (perPartition != Limits.NO_LIMIT && plan.where().filters().isEmpty()) {
      slice = Math.min(slice, perPartition);
    }
    if (plan.where().isKeyRange()) {
      rowsRead = tokenShare * sizes.rows();
      if (plan.distinct()
          || (perPartition != Limits.NO_LIMIT && plan.where().filters().isEmpty())) {
        rowsRead =
            Math.min(
                rowsRead, tokenShare * sizes.partitions() * (plan.distinct() ? 1 : perPartition));
      }
    } else {
      rowsRead = (plan.distinct() ? Math.min(1, slice) : slice) * selectedPartitions();
    }
    if (readsUpToLimit()) {
      rowsRead = Math.min(rowsRead, limit);
    }
    int page = around.pageSize();
    if (page > 0 && !plan.isAggregate() && plan.where().filters().isEmpty()) {
      rowsRead = Math.min(rowsRead, page);
    }
  }

  /** Each restricted column leaves the same share of the rows; one end of a range half of them. */
  private double shareOfSlice() {
    int columns = Math.max(1, table.clusteringColumns().size());
    double share = 1;
    for (Restriction each : plan.where().clustering()) {
      double values =
          Math.pow(Math.max(1, rowsOfPartition), each.columns().size() / (double) columns);
      share *=
          switch (each) {
            case Restriction.Equal _, Restriction.Contains _ -> 1 / values;
            case Restriction.In in -> Math.min(1, Math.max(1, in.values().size()) / values);
            case Restriction.Slice slice ->
                (slice.lower() == null ? 1 : SHARE_OF_END)
                    * (slice.upper() == null ? 1 : SHARE_OF_END);
          };
    }
    return share;
  }

  private int selectedPartitions() {
    if (partitions != null) {
      return partitions.size();
    }
    int product = 1;
    for (Restriction each : plan.where().partitionKey()) {
      product *= each instanceof Restriction.In in ? Math.max(1, in.values().size()) : 1;
    }
    return product;
  }

  private boolean readsUpToLimit() {
    return limit != Limits.NO_LIMIT
        && plan.where().filters().isEmpty()
        && !plan.isAggregate()
        && !plan.sortsRows()
        && !plan.distinct();
  }

  private long rowsReturned() {
    if (plan.isSingleGroup()) {
      return 1;
    }
    double rows = plan.distinct() ? Math.min(rowsRead, partitionsRead()) : rowsRead;
    return Math.round(Math.min(rows, limit));
  }

  private double partitionsRead() {
    return plan.where().isKeyRange() ? sizes.partitions() : selectedPartitions();
  }

  // ---- the read

  private boolean looksUp() {
    IndexPlan use = plan.where().index();
    return use != null && (use.index() != null || plan.where().nearest() != null);
  }

  private ExplainNode read(@Nullable ReadMeasurement measured) {
    ExplainNode read = plan.where().isKeyRange() ? scan() : keys();
    IndexExplainer.explain(plan, statement, around, read);
    if (!plan.where().isKeyRange() || !plan.where().clustering().isEmpty()) {
      slice(read);
    }
    read.add(storage(measured));
    if (plan.where().nearest() != null && around.isMissingSome(plan.keyspace(), partitions)) {
      read.add("refused", LocalOnly.NEAREST.refusal());
    }
    return read;
  }

  private ExplainNode keys() {
    List<String> names = table.partitionKey().stream().map(ColumnSchema::name).toList();
    int count = selectedPartitions();
    String what =
        Clauses.on(names, statement.where())
            + (count == 1
                ? ": one partition"
                : count == 0
                    ? ": no partition"
                    : ": " + count + " partitions, read one after the other");
    List<PartitionList.Partition> known = partitions;
    if (known != null && known.size() == 1 && !plan.keys().isLocal()) {
      what += ", token " + known.getFirst().token();
    }
    String tokens = Clauses.tokens(statement.where());
    if (!tokens.isEmpty()) {
      what += ", if " + tokens;
    }
    ExplainNode read = ExplainNode.of(count == 1 ? "partition" : "partitions", what);
    read.estimate().with("partitions", count);
    if (isKnown()) {
      read.estimate()
          .with("rows", Math.round(rowsRead))
          .bytes(Math.round(rowsRead * sizes.bytesOfRow()));
    }
    replicas(read);
    return read;
  }

  private void replicas(ExplainNode read) {
    List<PartitionList.Partition> known = partitions;
    if (plan.keys().isLocal()) {
      read.add("replicas", "none: every node has its own rows of this table");
    } else if (known != null && known.isEmpty()) {
      read.add("replicas", "none is asked");
    } else if (known == null) {
      read.add("replicas", "those of the token, once its values are known; " + around.level());
    } else {
      Set<String> texts = new LinkedHashSet<>();
      known.stream()
          .limit(SHOWN_PARTITIONS)
          .forEach(
              each ->
                  texts.add(around.readReplicas(plan.keyspace(), each.token(), around.level())));
      texts.forEach(text -> read.add("replicas", text));
    }
  }

  private ExplainNode scan() {
    String tokens = Clauses.tokens(statement.where());
    String what =
        looksUp()
            ? "all partitions, of which the index finds some"
            : tokens.isEmpty()
                ? "all partitions, in the order of their tokens"
                : "the partitions with " + tokens;
    ExplainNode read = ExplainNode.of("scan", what);
    if (isKnown()) {
      if (sizes.partitions() > 0) {
        read.estimate()
            .with(
                "partitions",
                Math.max(
                    1,
                    Math.round(
                        sizes.partitions() * Math.min(1, rowsRead / Math.max(1, sizes.rows())))));
      }
      read.estimate()
          .with("rows", Math.round(rowsRead))
          .bytes(Math.round(rowsRead * sizes.bytesOfRow()));
    }
    read.add(
        "replicas",
        plan.keys().isLocal()
            ? "none: every node has its own rows of this table"
            : around.scanReplicas(plan.keyspace(), around.level()));
    return read;
  }

  private void slice(ExplainNode read) {
    List<String> names = table.clusteringColumns().stream().map(ColumnSchema::name).toList();
    if (names.isEmpty()) {
      read.add("row", "the only one of the partition");
      return;
    }
    if (plan.distinct() || plan.where().isKeyRange() && plan.where().clustering().isEmpty()) {
      return;
    }
    Set<String> restricted = new LinkedHashSet<>();
    plan.where()
        .clustering()
        .forEach(each -> each.columns().forEach(column -> restricted.add(column.name())));
    String condition = Clauses.on(restricted, statement.where());
    String order = plan.readsBackwards() ? "in reverse clustering order" : "in clustering order";
    if (plan.rowSlots() != null) {
      read.add("row", condition + ": one row, found by its whole key");
    } else if (condition.isEmpty()) {
      read.add("rows", "all rows of the partition, read " + order + " (" + storedOrder() + ")");
    } else {
      long ranges = 1;
      for (Restriction each : plan.where().clustering()) {
        ranges *= each instanceof Restriction.In in ? Math.max(1, in.values().size()) : 1;
      }
      read.add(
          "slice",
          condition
              + (ranges == 1
                  ? ": one range of rows that follow each other, read "
                  : ": " + ranges + " ranges of rows, read ")
              + order
              + " ("
              + storedOrder()
              + ")");
    }
  }

  private String storedOrder() {
    return String.join(
        ", ",
        table.clusteringColumns().stream()
            .map(each -> CqlNames.quoted(each.name()) + (each.descending() ? " DESC" : " ASC"))
            .toList());
  }

  private ExplainNode storage(@Nullable ReadMeasurement measured) {
    boolean ofKey = !plan.where().isKeyRange();
    int files = ofKey ? sizes.filesOfPartition() : sizes.files();
    String what;
    if (sizes.isEmpty() && (table.isVirtual() || SchemaNames.isLocalSystem(table.keyspace()))) {
      what = "none: made of what the node knows, when it is read";
    } else if (sizes.isEmpty()) {
      what = "the table is empty on this node";
    } else if (!sizes.hasFiles()) {
      what =
          "memtables only, nothing has been flushed yet: "
              + new Figures()
                  .with("rows", sizes.memtableRows())
                  .bytes(sizes.memtableBytes())
                  .text();
    } else {
      what =
          (ofKey ? "the files of its shard whose filters do not exclude it" : "all files")
              + "; the table has "
              + new Figures().with("files", sizes.files()).text()
              + " of "
              + Figures.size(sizes.fileBytes())
              + (sizes.memtableRows() > 0
                  ? " and "
                      + new Figures().with("rows", sizes.memtableRows()).text()
                      + " in memtables"
                  : "");
    }
    if (measured != null && measured.others() > 0) {
      what +=
          measured.sources() > 0
              ? "; measured is what this node read, not what the others did"
              : "; what the others read is not measured";
    }
    ExplainNode storage = ExplainNode.of("storage", what);
    if (sizes.hasFiles()) {
      long parts = ofKey ? (long) files * selectedPartitions() : files;
      if (isKnown()) {
        storage.estimate().with("files", parts).with("blocks", blocks(parts));
      }
      storage.add("sizes", sizes.text());
    }
    return storage;
  }

  /**
   * A scan that takes the first rows of partitions only skips blocks if partitions have several.
   */
  private long blocks(long files) {
    long blocks = sizes.blocks(rowsRead, files);
    boolean skips =
        plan.where().isKeyRange() && (plan.distinct() || perPartition != Limits.NO_LIMIT);
    return skips
        ? Math.min(
            sizes.blocks(tokenShare * sizes.rows(), files),
            blocks + Math.round(tokenShare * sizes.partitions()))
        : blocks;
  }

  /** Whether this node knows what was read of files, and it was it that read. */
  private static boolean isKnown(ReadMeasurement measured) {
    return measured.sources() > 0 || measured.reads() == 0;
  }

  private static void measured(ExplainNode read, ReadMeasurement measured) {
    for (ExplainNode each : read.children()) {
      if (each.step().equals("replicas") && measured.others() > 0) {
        each.actual().with("requests", measured.others());
      }
      if (each.step().equals("storage") && isKnown(measured)) {
        each.actual()
            .with("files", measured.files())
            .with("blocks", measured.blocks())
            .with("tombstones", measured.tombstones())
            .bytes(measured.blockBytes());
      }
    }
  }

  // ---- after reading

  private void filters(ExplainNode root) {
    Set<String> names = new LinkedHashSet<>();
    plan.where()
        .filters()
        .forEach(each -> each.columns().forEach(column -> names.add(column.name())));
    if (names.isEmpty()) {
      return;
    }
    String condition = Clauses.on(names, statement.where());
    ExplainNode filter = ExplainNode.of("filter", condition + ": tested on each row that is read");
    if (isKnown()) {
      filter.estimate().with("rows", Math.round(rowsRead));
    }
    root.add(filter);
  }

  private void groups(ExplainNode root) {
    if (plan.distinct()) {
      root.add("distinct", "one row for each partition, from its key and static columns");
    }
    if (plan.isSingleGroup()) {
      root.add("aggregate", "all rows become one; they are read in pages and not kept");
    } else if (plan.isAggregate()) {
      root.add("group", "rows that follow each other and have the same key become one");
    }
  }

  private void order(ExplainNode root) {
    if (plan.where().nearest() != null) {
      root.add("sort", "by the similarity of the vectors of all shards and nodes");
    } else if (plan.ordersPartitions()) {
      root.add("sort", "the rows of all partitions, in memory, before the first is returned");
    }
  }

  private void limits(ExplainNode root) {
    if (perPartition != Limits.NO_LIMIT) {
      root.add(
          "limit", perPartition + (perPartition == 1 ? " row" : " rows") + " of each partition");
    }
    if (limit != Limits.NO_LIMIT) {
      root.add(
          "limit",
          limit
              + (limit == 1 ? " row" : " rows")
              + (readsUpToLimit()
                  ? ", after which reading ends"
                  : ", counted after what precedes"));
    }
  }

  private void pages(ExplainNode root) {
    int page = around.pageSize();
    String what;
    if (plan.isSingleGroup()) {
      what = "none: there is one row";
    } else if (plan.where().nearest() != null) {
      what = "none: the nearest rows are returned at once";
    } else if (plan.rowSlots() != null && !plan.where().isKeyRange() && selectedPartitions() == 1) {
      what = "none: there is one row";
    } else if (page <= 0) {
      what = "none: the client asked for all rows at once";
    } else if (limit <= page) {
      what = "none: the limit is below the page size of " + page;
    } else {
      what = "up to " + page + " rows; the next page continues after the last row";
    }
    root.add("page", what);
  }
}
