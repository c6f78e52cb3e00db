package io.helenus.server.advice;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Applies all rules to tables. Immutable; any thread. */
public final class SchemaAdvisor {
  private static final SimpleStrategyInSeveralDataCenters SIMPLE_STRATEGY =
      new SimpleStrategyInSeveralDataCenters();

  /** In the order in which their advice is given. */
  private static final List<Rule> RULES =
      List.of(
          new LowCardinalityPartitionKey(),
          new DatePartitionKey(),
          new TimeSeriesWithoutBucket(),
          new OverPartitionedKey(),
          new UnderPartitionedKey(),
          new TimestampWithoutTieBreaker(),
          new AscendingOrder(),
          new UnreachableRangeColumn(),
          new GrowingCollection(),
          new Queue(),
          new CounterRetries(),
          new IndexOnFewValues(),
          new IndexOnUniqueValues(),
          new IndexOnUpdatedColumn(),
          new ViewOrIndexInsteadOfTable(),
          new TtlWithoutTimeWindows(),
          SIMPLE_STRATEGY,
          new LargeBlob());

  private final Silence silence;

  /** Creates an advisor. */
  public SchemaAdvisor(Silence silence) {
    this.silence = silence;
  }

  /** The names of all rules that judge tables. */
  public static List<String> ruleNames() {
    return RULES.stream().map(Rule::name).toList();
  }

  /**
   * What is to be said about a table.
   *
   * @param schema the schema that has the table
   * @param dataCenters how many there are, if their names are not known
   */
  public List<Advice> advise(Schema schema, TableSchema table, int dataCenters) {
    List<String> names = IntStream.rangeClosed(1, dataCenters).mapToObj(i -> "dc" + i).toList();
    return advice(findings(schema, table, names));
  }

  /**
   * What is to be said about a table that was created or altered, or has got an index: not what was
   * to be said about it before.
   *
   * @param before the schema before the change
   * @param after the schema that has the table
   * @param dataCenters the names of those of the cluster
   */
  public List<Advice> adviseOnChange(
      Schema before, Schema after, TableSchema table, Collection<String> dataCenters) {
    List<Review.Finding> found = findings(after, table, dataCenters);
    TableSchema former = before.table(table.keyspace(), table.name());
    if (found.isEmpty() || former == null || !former.id().equals(table.id())) {
      return advice(found);
    }
    List<Review.Finding> known = findings(before, former, dataCenters);
    return advice(found.stream().filter(each -> known.stream().noneMatch(each::isAgain)).toList());
  }

  /** What is to be said about a keyspace that was created or altered, before it has tables. */
  public List<Advice> adviseOnKeyspace(
      Schema schema, KeyspaceSchema keyspace, Collection<String> dataCenters) {
    if (!keyspace.tables().isEmpty()
        || isOfSystem(keyspace)
        || !silence.speaks(SIMPLE_STRATEGY.name(), keyspace)) {
      return List.of();
    }
    Advice advice = SIMPLE_STRATEGY.about(keyspace, known(schema, dataCenters));
    return advice == null ? List.of() : List.of(advice);
  }

  private List<Review.Finding> findings(
      Schema schema, TableSchema table, Collection<String> dataCenters) {
    KeyspaceSchema keyspace = schema.keyspace(table.keyspace());
    if (keyspace == null || isOfSystem(keyspace) || silence.isSilent(table)) {
      return List.of();
    }
    Review review = new Review(keyspace, table, known(schema, dataCenters));
    for (Rule rule : RULES) {
      if (silence.speaks(rule.name(), table)) {
        rule.judge(review);
      }
    }
    return review.findings();
  }

  private static boolean isOfSystem(KeyspaceSchema keyspace) {
    return keyspace.isVirtual() || SchemaNames.isSystem(keyspace.name());
  }

  /** The data centres of the cluster, or those that other keyspaces name if these are more. */
  private static Collection<String> known(Schema schema, Collection<String> dataCenters) {
    Set<String> named = new TreeSet<>();
    for (KeyspaceSchema each : schema.keyspaces()) {
      Replication replication = each.replication();
      if (!isOfSystem(each) && replication.className().equals(Replication.NETWORK_TOPOLOGY)) {
        named.addAll(replication.options().keySet());
      }
    }
    named.remove(Replication.FACTOR);
    return named.size() > dataCenters.size() ? named : new TreeSet<>(dataCenters);
  }

  private static List<Advice> advice(List<Review.Finding> findings) {
    return findings.stream().map(Review.Finding::advice).toList();
  }
}
