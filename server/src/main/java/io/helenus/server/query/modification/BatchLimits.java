package io.helenus.server.query.modification;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.advice.Advice;
import io.helenus.server.advice.StatementAdvisor;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.statement.DefinitionLog;
import io.helenus.server.query.statement.RequestLimits;
import io.helenus.server.query.statement.RunContext;
import io.helenus.server.schema.TableSchema;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Refuses batches that are too large and warns about risky ones. Any thread. */
final class BatchLimits {
  private final RequestLimits limits;
  private final StatementAdvisor advisor;

  BatchLimits(RequestLimits limits, StatementAdvisor advisor) {
    this.limits = limits;
    this.advisor = advisor;
  }

  /** Warns about a logged batch whose entry in the batch log may expire before its replay. */
  static void warnOfZeroGcGrace(List<BatchStatement> statements, RunContext context) {
    Set<TableSchema> tables = new LinkedHashSet<>();
    for (BatchStatement statement : statements) {
      TableSchema table = statement.plan().table();
      if (table.options().gcGraceSeconds() == 0) {
        tables.add(table);
      }
    }
    if (!tables.isEmpty()) {
      context
          .exchange()
          .warn(
              "Executing a LOGGED BATCH on table"
                  + named(tables)
                  + ", configured with a gc_grace_seconds of 0. The gc_grace_seconds is used to TTL"
                  + " batchlog entries, so setting gc_grace_seconds too low on tables involved in"
                  + " an atomic batch might cause batchlog entries to expire before being"
                  + " replayed.");
    }
  }

  /**
   * Checks a batch of several mutations.
   *
   * @param bytes the size of the mutations as Cassandra counts it
   * @param tables the tables that the mutations write to
   * @throws CqlException INVALID if they are too large
   */
  void check(
      int partitions, int bytes, boolean logged, Set<TableSchema> tables, RunContext context) {
    if (bytes > limits.batchFailBytes()) {
      throw CqlException.invalid("Batch too large");
    }
    if (bytes > limits.batchWarnBytes()) {
      context
          .exchange()
          .warn(
              "Batch for "
                  + names(tables)
                  + " is of size "
                  + bytes
                  + ", exceeding specified threshold of "
                  + limits.batchWarnBytes()
                  + " by "
                  + (bytes - limits.batchWarnBytes())
                  + ".");
    }
    if (!logged && partitions > limits.unloggedPartitionsWarnCount()) {
      context
          .exchange()
          .warn(
              "Unlogged batch covering "
                  + partitions
                  + " partitions detected against table"
                  + named(tables)
                  + ". You should use a logged batch for atomicity, or asynchronous writes for"
                  + " performance.");
    }
    Advice advice = advisor.ofBatch(tables, partitions, logged);
    if (advice != null) {
      context.exchange().warn(advice.text());
      DefinitionLog.advised(advice.text());
    }
  }

  private static String named(Collection<TableSchema> tables) {
    return (tables.size() == 1 ? " " : "s ") + names(tables);
  }

  /** The names in the order of a hash set of strings, which is Cassandra's. */
  private static Set<String> names(Collection<TableSchema> tables) {
    Set<String> names = new HashSet<>();
    for (TableSchema table : tables) {
      names.add(CqlNames.quoted(table.keyspace()) + "." + CqlNames.quoted(table.name()));
    }
    return names;
  }
}
