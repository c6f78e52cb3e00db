package io.helenus.server.modelling;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.cql.parser.CqlSyntaxException;
import io.helenus.server.advice.Advice;
import io.helenus.server.advice.Draft;
import io.helenus.server.advice.SchemaAdvisor;
import io.helenus.server.advice.Traits;
import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Proposes tables for queries that none serves. What is proposed has been created in a schema, and
 * the query planned against it. Not thread-safe.
 */
final class TableProposer {
  private static final String FEW_VALUES = "low-cardinality-partition-key";

  private final ScriptSchema schema;
  private final SchemaAdvisor advisor;
  private final List<Proposed> proposals = new ArrayList<>();

  /** A query without a table, or of a table that might be replaced. */
  record Unserved(Query query, SelectStatement select, TableSchema base, QueryShape shape) {}

  /** A query of a proposed table; {@code why} there is none, if the proposal is null. */
  record Answer(@Nullable Proposed proposal, String instead, String why) {}

  /** A proposed table. */
  static final class Proposed {
    private final TableSchema base;
    private final TableSchema table;
    private final String definition;
    private final @Nullable PartitionSize size;
    private final Division division;
    private final List<String> notes;
    private final List<String> places = new ArrayList<>();

    Proposed(
        TableSchema base,
        TableSchema table,
        Draft draft,
        @Nullable PartitionSize size,
        Division division,
        List<String> notes) {
      this.base = base;
      this.table = table;
      this.definition = draft.toLines();
      this.size = size;
      this.division = division;
      this.notes = notes;
    }

    String name() {
      return table.cqlName();
    }

    Report.Proposal toReport() {
      return new Report.Proposal(name(), definition, places, size, notes);
    }
  }

  /**
   * Creates a proposer.
   *
   * @param schema with the tables that exist; proposals are created in it
   */
  TableProposer(ScriptSchema schema, SchemaAdvisor advisor) {
    this.schema = schema;
    this.advisor = advisor;
  }

  List<Proposed> proposals() {
    return proposals;
  }

  /**
   * Proposes a table for a query, or finds that one that is proposed already serves it.
   *
   * @param needed the columns that the table is to have beside those of its key
   * @param stated about the table that does not serve the query
   */
  Answer propose(Unserved unserved, Set<String> needed, Stated stated) {
    String unable = unable(unserved.shape());
    if (!unable.isEmpty()) {
      return new Answer(null, "", unable);
    }
    for (Proposed each : proposals) {
      String instead = each.base.equals(unserved.base()) ? rewritten(unserved, each) : "";
      if (!instead.isEmpty() && isServed(instead, unserved)) {
        each.places.add(unserved.query().place());
        return new Answer(each, instead, "");
      }
    }
    String refusal = "";
    for (List<String> clustering : clusterings(unserved)) {
      ScriptSchema before = schema.copy();
      try {
        Proposed proposed = create(unserved, clustering, needed, stated);
        String instead = rewritten(unserved, proposed);
        QueryPlanner.plan(parse(instead), schema.schema(), unserved.base().keyspace());
        proposed.places.add(unserved.query().place());
        proposals.add(proposed);
        return new Answer(proposed, instead, "");
      } catch (CqlException | CqlSyntaxException e) {
        refusal = String.valueOf(e.getMessage());
        schema.restore(before);
      }
    }
    return new Answer(null, "", "no key serves all of it at once: " + refusal);
  }

  /** Notes which proposed tables serve all that their tables serve, and can replace them. */
  void noteReplaced(List<Unserved> served) {
    for (Proposed each : proposals) {
      List<Unserved> same =
          served.stream().filter(query -> query.base().equals(each.base)).toList();
      if (!same.isEmpty() && same.stream().allMatch(query -> serves(each, query))) {
        List<String> places = same.stream().map(query -> query.query().place()).toList();
        each.notes.add(
            "it also serves what reads "
                + each.base.cqlName()
                + " ("
                + String.join(", ", places)
                + "), and can replace it");
      }
    }
  }

  private boolean serves(Proposed proposed, Unserved query) {
    return (!query.shape().all()
            || proposed.table.columns().size() >= proposed.base.columns().size())
        && isServed(rewritten(query, proposed), query);
  }

  private static String unable(QueryShape shape) {
    if (!shape.others().isEmpty()) {
      String first = shape.others().getFirst();
      return "no key serves " + first + "; " + instead(first);
    }
    if (shape.equal().isEmpty()) {
      return "no column is compared by = or IN, so that there is nothing to find a partition by;"
          + " let the query name one, such as the day or the month of what it looks for";
    }
    return "";
  }

  private static String instead(String relation) {
    if (relation.endsWith("LIKE")) {
      return "let a search engine find the keys, or keep a table with a row for each word";
    }
    if (relation.endsWith("!=")) {
      return "read the partition and leave rows out";
    }
    return "an index does (USING 'sai'), at the price of asking every node";
  }

  /** The possible orders of the clustering columns, the best first. */
  private static List<List<String>> clusterings(Unserved unserved) {
    QueryShape shape = unserved.shape();
    Set<String> rangesFirst = new LinkedHashSet<>(shape.ranges());
    rangesFirst.addAll(shape.order().keySet());
    Set<String> orderFirst = new LinkedHashSet<>(shape.order().keySet());
    orderFirst.addAll(shape.ranges());
    List<List<String>> all = new ArrayList<>();
    for (Set<String> each : List.of(rangesFirst, orderFirst)) {
      each.addAll(identifying(unserved.base(), each));
      each.removeAll(shape.equal());
      if (!all.contains(List.copyOf(each))) {
        all.add(List.copyOf(each));
      }
    }
    return all;
  }

  /**
   * The key columns of a table, without which rows would overwrite each other. A bucket is not
   * needed where the time that it is computed from is part of the key.
   */
  private static List<String> identifying(TableSchema base, Set<String> keyed) {
    List<ColumnSchema> key = new ArrayList<>(base.partitionKey());
    key.addAll(base.clusteringColumns());
    boolean timed =
        key.stream()
            .anyMatch(
                each -> each.type() == ScalarType.TIMESTAMP || each.type() == ScalarType.TIMEUUID);
    List<String> names = new ArrayList<>();
    // in the order of the clustering columns, whose last ones make rows unique
    List<ColumnSchema> ordered = new ArrayList<>(base.clusteringColumns());
    ordered.addAll(base.partitionKey());
    for (ColumnSchema each : ordered) {
      boolean derived = timed && each.type() != ScalarType.TIMESTAMP && Bucket.of(each) != null;
      if (!derived && !keyed.contains(each.name())) {
        names.add(each.name());
      }
    }
    return names;
  }

  private Proposed create(
      Unserved unserved, List<String> clustering, Set<String> needed, Stated stated) {
    TableSchema base = unserved.base();
    QueryShape shape = unserved.shape();
    Draft draft = Draft.of(base).named(freeName(base, shape, clustering));
    for (ColumnSchema column : base.visibleColumns()) {
      String name = column.name();
      draft.regular(name);
      if (!needed.contains(name) && !shape.equal().contains(name) && !clustering.contains(name)) {
        draft.without(name);
      }
    }
    draft.partitionedBy(List.copyOf(shape.equal())).clusteredBy(clustering);
    shape.order().forEach(draft::descending);
    ScriptSchema trial = schema.copy();
    TableSchema table = trial.create(draft.toCql());
    List<String> notes = new ArrayList<>();
    PartitionSize size = PartitionSize.of(table, stated);
    Division division = Division.none();
    if (size != null && size.isTooLarge()) {
      division = Division.of(table, size);
      notes.add("without a bucket, a partition " + Findings.passes(size.growth()));
    } else if (size == null && hasFewValues(trial, table)) {
      division = Division.ofFewValues(table);
    }
    notes.addAll(division.notes());
    division.applyTo(draft);
    TableSchema divided = schema.create(draft.toCql());
    size = PartitionSize.of(divided, division.applyTo(stated));
    addNotes(unserved, divided, size, notes);
    return new Proposed(base, divided, draft, size, division, notes);
  }

  private void addNotes(
      Unserved unserved, TableSchema table, @Nullable PartitionSize size, List<String> notes) {
    TableSchema base = unserved.base();
    for (String each : unserved.shape().keyed()) {
      ColumnSchema column = base.column(each);
      if (column != null && column.kind() == ColumnKind.REGULAR && Traits.isFewValued(column)) {
        notes.add(
            "when "
                + CqlNames.quoted(each)
                + " of a row changes, delete the row and insert it anew: the column is part of the"
                + " key");
      }
    }
    if (size == null && !table.clusteringColumns().isEmpty() && !isIdentity(unserved)) {
      notes.add(
          "no rate is stated per "
              + String.join(" and ", unserved.shape().equal())
              + ", so that it is not known what its partitions grow to: state one before the"
              + " definition of "
              + base.cqlName());
    }
    for (Advice each : advisor.advise(schema.schema(), table, schema.dataCenters())) {
      String problem = each.problem();
      notes.add(
          each.rule()
              + ": "
              + (problem.endsWith(".") ? problem.substring(0, problem.length() - 1) : problem));
    }
  }

  /**
   * Whether a query looks for what the last column of the key identifies, of which there is one.
   */
  private static boolean isIdentity(Unserved unserved) {
    TableSchema base = unserved.base();
    List<ColumnSchema> clustering = base.clusteringColumns();
    ColumnSchema last = clustering.isEmpty() ? base.partitionKey().getLast() : clustering.getLast();
    return Traits.isUnique(last.type()) && unserved.shape().equal().contains(last.name());
  }

  private boolean hasFewValues(ScriptSchema trial, TableSchema table) {
    return advisor.advise(trial.schema(), table, trial.dataCenters()).stream()
        .anyMatch(each -> each.rule().equals(FEW_VALUES));
  }

  private String freeName(TableSchema base, QueryShape shape, List<String> clustering) {
    int by = base.name().indexOf("_by_");
    String stem = (by < 0 ? base.name() : base.name().substring(0, by)) + "_by_";
    List<String> words = new ArrayList<>();
    for (String each : shape.equal()) {
      // orders_by_order_id, not orders_by_order
      words.add(stem.startsWith(withoutId(each)) ? each : withoutId(each));
    }
    List<String> candidates = new ArrayList<>();
    candidates.add(stem + String.join("_and_", words));
    if (!clustering.isEmpty()) {
      words.add(withoutId(clustering.getFirst()));
      candidates.add(stem + String.join("_and_", words));
    }
    for (int i = 2; i < 100; i++) {
      candidates.add(candidates.getFirst() + "_" + i);
    }
    return candidates.stream()
        .filter(each -> schema.schema().table(base.keyspace(), each) == null)
        .findFirst()
        .orElseThrow();
  }

  private static String withoutId(String column) {
    return column.endsWith("_id") ? column.substring(0, column.length() - 3) : column;
  }

  private static String rewritten(Unserved unserved, Proposed proposed) {
    boolean qualified = unserved.select().table().keyspace() != null;
    String name = qualified ? proposed.name() : CqlNames.quoted(proposed.table.name());
    String text = QueryText.from(QueryText.withoutFiltering(unserved.query().text()), name);
    boolean markers =
        !unserved.select().bindMarkers().isEmpty() && unserved.query().text().contains("?");
    return proposed.division.applyTo(text, markers);
  }

  private boolean isServed(String text, Unserved unserved) {
    try {
      return QueryPlanner.isByKey(
          QueryPlanner.plan(parse(text), schema.schema(), unserved.base().keyspace()));
    } catch (CqlException | CqlSyntaxException e) {
      return false;
    }
  }

  private static Statement parse(String text) {
    return CqlParser.parse(text);
  }
}
