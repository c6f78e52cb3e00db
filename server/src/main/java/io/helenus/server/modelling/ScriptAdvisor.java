package io.helenus.server.modelling;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.SelectStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.cql.parser.CqlSyntaxException;
import io.helenus.server.advice.Advice;
import io.helenus.server.advice.Draft;
import io.helenus.server.advice.SchemaAdvisor;
import io.helenus.server.advice.Silence;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges a schema and its queries without a server: which table serves which query, what is
 * proposed for the rest, how large partitions grow, and what the rules of {@code advice} say. Used
 * once, by one thread.
 */
public final class ScriptAdvisor {
  private final ScriptReader reader;
  private final SchemaAdvisor advisor = new SchemaAdvisor(Silence.of("on", ""));
  private final TableProposer proposer;
  private final Map<String, List<String>> reads = new HashMap<>();
  private final Map<String, List<String>> writes = new HashMap<>();
  private final String schemaFile;

  private ScriptAdvisor(ScriptReader reader, String schemaFile) {
    this.reader = reader;
    this.schemaFile = schemaFile;
    proposer = new TableProposer(reader.schema().copy(), advisor);
  }

  /**
   * Judges.
   *
   * @param system the schema with the system keyspaces
   * @param functions evaluates the functions in the WHERE clauses of views
   * @param schema the definitions; may have queries too
   * @param queries others
   * @param log a server's log, or statements; null if there is none
   * @throws ScriptException if a definition is refused, or a script cannot be parsed
   */
  public static Report advise(
      Schema system,
      FunctionContext functions,
      Script schema,
      List<Script> queries,
      @Nullable Script log)
      throws ScriptException {
    ScriptReader reader = new ScriptReader(new ScriptSchema(system, null, functions));
    reader.read(schema);
    for (Script each : queries) {
      reader.read(each);
    }
    if (log != null) {
      reader.readLog(StatementLog.read(log.text()), log.name());
    }
    return new ScriptAdvisor(reader, schema.name()).report();
  }

  private Report report() {
    List<Report.Judged> judged = new ArrayList<>();
    Map<Query, TableProposer.Unserved> unserved = new LinkedHashMap<>();
    for (Query query : reader.queries()) {
      judged.add(judge(query, unserved));
    }
    Map<Query, TableProposer.Answer> answers = propose(List.copyOf(unserved.values()));
    proposer.noteReplaced(served(judged));
    judged.replaceAll(each -> withAnswer(each, answers.get(each.query())));
    List<Report.Table> tables = new ArrayList<>();
    reader.definitions().forEach((name, definition) -> tables.add(table(name, definition)));
    boolean hasQueries = !judged.isEmpty();
    return new Report(
        schemaFile,
        hasQueries,
        tables,
        judged,
        proposer.proposals().stream().map(TableProposer.Proposed::toReport).toList(),
        Findings.of(tables, judged, hasQueries));
  }

  private Report.Judged judge(Query query, Map<Query, TableProposer.Unserved> unserved) {
    Statement statement = query.statement();
    if (statement == null) {
      return new Report.Judged(query, "", new Verdict.Unread(query.problem()));
    }
    Schema schema = reader.schema().schema();
    SelectStatement select = query.select();
    try {
      StatementPlan plan = QueryPlanner.plan(statement, schema, query.keyspace());
      Set<String> names = new LinkedHashSet<>();
      plan.tables().forEach(each -> names.add(each.cqlName()));
      for (String each : names) {
        (select == null ? writes : reads)
            .computeIfAbsent(each, ignored -> new ArrayList<>())
            .add(query.place());
      }
      return new Report.Judged(
          query, String.join(", ", names), new Verdict.Served(QueryPlanner.notes(plan, select)));
    } catch (CqlException e) {
      TableSchema base = select == null ? null : table(select, query.keyspace());
      List<String> elsewhere = List.of();
      if (select != null && base != null) {
        elsewhere = elsewhere(query, select, base);
        QueryShape shape = QueryShape.of(select);
        if (elsewhere.isEmpty() && isKnown(shape, base)) {
          unserved.put(query, new TableProposer.Unserved(query, select, base, shape));
        }
      }
      return new Report.Judged(
          query,
          base == null ? "" : base.cqlName(),
          new Verdict.Refused(String.valueOf(e.getMessage()), elsewhere, "", "", ""));
    }
  }

  /** The queries that tables serve. */
  private List<TableProposer.Unserved> served(List<Report.Judged> judged) {
    List<TableProposer.Unserved> served = new ArrayList<>();
    for (Report.Judged each : judged) {
      SelectStatement select = each.query().select();
      if (select != null && each.verdict() instanceof Verdict.Served) {
        TableSchema base = table(select, each.query().keyspace());
        if (base != null) {
          served.add(new TableProposer.Unserved(each.query(), select, base, QueryShape.of(select)));
        }
      }
    }
    return served;
  }

  private @Nullable TableSchema table(SelectStatement select, @Nullable String keyspaceInUse) {
    String named = select.table().keyspace();
    String keyspace = named == null ? keyspaceInUse : named;
    return keyspace == null
        ? null
        : reader.schema().schema().table(keyspace, select.table().name());
  }

  private static boolean isKnown(QueryShape shape, TableSchema table) {
    Set<String> names = new LinkedHashSet<>(shape.keyed());
    names.addAll(shape.read());
    return names.stream().allMatch(each -> table.column(each) != null);
  }

  /** The query as other tables with the same columns serve it. */
  private List<String> elsewhere(Query query, SelectStatement select, TableSchema base) {
    KeyspaceSchema keyspace = reader.schema().schema().keyspace(base.keyspace());
    List<String> found = new ArrayList<>();
    if (keyspace == null) {
      return found;
    }
    boolean wildcard = QueryShape.of(select).all();
    for (TableSchema other : keyspace.tables()) {
      if (other.name().equals(base.name()) || !hasColumns(other, base, wildcard)) {
        continue;
      }
      String name =
          select.table().keyspace() == null ? CqlNames.quoted(other.name()) : other.cqlName();
      String text = QueryText.from(QueryText.withoutFiltering(query.text()), name);
      try {
        StatementPlan plan =
            QueryPlanner.plan(CqlParser.parse(text), reader.schema().schema(), base.keyspace());
        if (QueryPlanner.isByKey(plan)) {
          found.add(text);
          reads
              .computeIfAbsent(other.cqlName(), ignored -> new ArrayList<>())
              .add(query.place() + " (if it asks this table)");
        }
      } catch (CqlException | CqlSyntaxException e) {
        // this one does not serve it either
      }
    }
    return found;
  }

  /** Whether columns of the same name have the same type, and none is missing if all are read. */
  private static boolean hasColumns(TableSchema other, TableSchema base, boolean all) {
    int shared = 0;
    for (ColumnSchema column : base.visibleColumns()) {
      ColumnSchema same = other.column(column.name());
      if (same == null ? all : !same.type().equals(column.type())) {
        return false;
      }
      shared += same == null ? 0 : 1;
    }
    // a column or two of the same name do not make two tables of the same rows
    return shared >= base.partitionKey().size() + base.clusteringColumns().size();
  }

  private Map<Query, TableProposer.Answer> propose(List<TableProposer.Unserved> unserved) {
    List<TableProposer.Unserved> ordered = new ArrayList<>(unserved);
    // a table that finds more rows by its partition key serves queries for fewer of them too
    ordered.sort(
        Comparator.comparingInt((TableProposer.Unserved each) -> each.shape().equal().size())
            .thenComparing(each -> -each.shape().keyed().size()));
    Map<Query, TableProposer.Answer> answers = new HashMap<>();
    for (TableProposer.Unserved each : ordered) {
      ScriptReader.Definition definition = reader.definitions().get(each.base().toString());
      answers.put(
          each.query(),
          proposer.propose(
              each,
              needed(each, ordered),
              definition == null ? Stated.NOTHING : definition.stated()));
    }
    return answers;
  }

  /** The columns that a query reads, and others that its table would serve. */
  private static Set<String> needed(
      TableProposer.Unserved unserved, List<TableProposer.Unserved> all) {
    Set<String> needed = new LinkedHashSet<>();
    for (TableProposer.Unserved each : all) {
      if (each.base().equals(unserved.base())
          && each.shape().equal().containsAll(unserved.shape().equal())) {
        needed.addAll(each.shape().read());
        if (each.shape().all()) {
          each.base().visibleColumns().forEach(column -> needed.add(column.name()));
        }
      }
    }
    return needed;
  }

  private static Report.Judged withAnswer(
      Report.Judged judged, TableProposer.@Nullable Answer answer) {
    if (answer == null || !(judged.verdict() instanceof Verdict.Refused refused)) {
      return judged;
    }
    String proposal = answer.proposal() == null ? "" : answer.proposal().name();
    return new Report.Judged(
        judged.query(),
        judged.table(),
        new Verdict.Refused(refused.error(), List.of(), proposal, answer.instead(), answer.why()));
  }

  private Report.Table table(String name, ScriptReader.Definition definition) {
    TableSchema table = Objects.requireNonNull(reader.table(name));
    PartitionSize size = PartitionSize.of(table, definition.stated());
    String unsized = "";
    if (size == null) {
      unsized =
          table.clusteringColumns().isEmpty()
              ? "one row"
              : definition.stated().rates().isEmpty()
                  ? "no rate is stated"
                  : "no rate is stated per columns of its partition key";
    }
    Division division =
        size != null && size.isTooLarge() && table.view() == null
            ? Division.of(table, size)
            : Division.none();
    List<Advice> advice =
        advisor.advise(reader.schema().schema(), table, reader.schema().dataCenters());
    return new Report.Table(
        table.cqlName(),
        Draft.of(table).key(),
        definition.script().name(),
        definition.line(),
        reads.getOrDefault(table.cqlName(), List.of()),
        writes.getOrDefault(table.cqlName(), List.of()),
        size,
        unsized,
        size == null || division.isEmpty()
            ? ""
            : divided(table, size, definition.stated(), division),
        division.notes(),
        advice);
  }

  /** The definition with a bucket, in place of one that is too long. */
  private static String divided(
      TableSchema table, PartitionSize size, Stated stated, Division division) {
    Draft draft = Draft.of(table);
    for (ColumnSchema column : table.partitionKey()) {
      if (!size.rate().per().contains(column.name()) && PartitionSize.isPeriod(column, stated)) {
        draft.without(column.name());
      }
    }
    division.applyTo(draft);
    return draft.toLines();
  }
}
