package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaNames;
import io.helenus.server.schema.TableSchema;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is said about statements: about those that run once, when a caller has counted enough; about
 * those that are refused each time. One per node; any thread.
 */
public final class StatementAdvisor {
  /** The name of the rule about prepared SELECTs that scan and filter the table. */
  public static final String FILTERING = "filtering-in-prepared-statement";

  /** The name of the rule about batches. */
  public static final String BATCH = "batch-over-many-partitions";

  /** The name of the rule about SELECTs that are refused because no key serves them. */
  public static final String REFUSED = "refused-query";

  /** The execution of a prepared SELECT with ALLOW FILTERING at which it is spoken about. */
  public static final int FILTERING_EXECUTIONS = 1_000;

  /** The partitions that a batch may write to. */
  public static final int BATCH_PARTITIONS = 10;

  private static final int MOST_REMEMBERED = 10_000;

  private final Silence silence;
  private final boolean advisesOnFiltering;
  private final boolean advisesOnBatches;
  private final Set<Set<UUID>> batches = ConcurrentHashMap.newKeySet();

  /** Creates an advisor. */
  public StatementAdvisor(Silence silence) {
    this.silence = silence;
    advisesOnFiltering = silence.speaks(FILTERING);
    advisesOnBatches = silence.speaks(BATCH);
  }

  /** Whether {@link #ofFiltering} may say anything: if not, executions need not be counted. */
  public boolean advisesOnFiltering() {
    return advisesOnFiltering;
  }

  /** The names of all rules that judge statements. */
  public static List<String> ruleNames() {
    return List.of(FILTERING, BATCH, REFUSED);
  }

  /**
   * What is to be said about a prepared SELECT that filters the rows of all partitions and has run
   * {@link #FILTERING_EXECUTIONS} times.
   *
   * @param schema the schema that has the table
   * @param filtered the columns that rows are filtered by
   * @param equal those of them that a value is given for
   * @return null for nothing
   */
  public @Nullable Advice ofFiltering(
      Schema schema,
      TableSchema table,
      Collection<ColumnSchema> filtered,
      List<ColumnSchema> equal) {
    KeyspaceSchema keyspace = schema.keyspace(table.keyspace());
    if (keyspace == null || isSilent(FILTERING, table)) {
      return null;
    }
    String names = filtered.stream().map(ColumnSchema::name).collect(Collectors.joining(", "));
    String problem =
        "A prepared SELECT with ALLOW FILTERING on "
            + table.cqlName()
            + " has run "
            + String.format(Locale.ROOT, "%,d", FILTERING_EXECUTIONS)
            + " times. Each time it reads all rows of the table on all nodes, to return those that"
            + " match "
            + names
            + ": it takes as long as the table is large, and on a table of 10 GB these executions"
            + " read "
            + Growth.size(10e9 * FILTERING_EXECUTIONS)
            + ".";
    boolean isDraftable =
        !equal.isEmpty()
            && !table.isCounter()
            && equal.stream().noneMatch(each -> each.type().isMultiCell());
    return new Advice(
        FILTERING,
        table.cqlName(),
        problem,
        isDraftable ? SecondTable.by(keyspace, table, equal).toCql() : "");
  }

  /**
   * What is to be said about a batch, once for the same tables.
   *
   * @param partitions that it writes to
   * @return null for nothing
   */
  public @Nullable Advice ofBatch(Collection<TableSchema> tables, int partitions, boolean logged) {
    if (!advisesOnBatches
        || partitions <= BATCH_PARTITIONS
        || tables.isEmpty()
        || tables.stream().anyMatch(each -> isSilent(BATCH, each))
        || batches.size() >= MOST_REMEMBERED) {
      return null;
    }
    Set<UUID> ids = new HashSet<>();
    tables.forEach(each -> ids.add(each.id()));
    if (!batches.add(ids)) {
      return null;
    }
    String names = tables.stream().map(TableSchema::cqlName).collect(Collectors.joining(", "));
    String problem =
        "A batch wrote to "
            + partitions
            + " partitions of "
            + names
            + ". One coordinator sends them to the replicas of all of these partitions and waits"
            + " for the slowest"
            + (logged
                ? ", after it has written all of them to the batch log of two other nodes:"
                    + " each row is written twice"
                : "")
            + ". A batch over partitions does not make writes faster; "
            + partitions
            + " statements sent side by side, each to a replica of its own partition, do. Batches"
            + " are for the rows of one partition, and for the few tables that have copies of a"
            + " row.";
    return new Advice(BATCH, names, problem, "");
  }

  /** Whether something may be said beside the refusal of a SELECT from a table. */
  public boolean speaksOfRefusals(TableSchema table) {
    return !isSilent(REFUSED, table);
  }

  private boolean isSilent(String rule, TableSchema table) {
    return SchemaNames.isSystem(table.keyspace())
        || table.isVirtual()
        || silence.isSilent(table)
        || !silence.speaks(rule, table);
  }
}
