package io.helenus.server.modelling;

import io.helenus.server.advice.Advice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is advised about a schema and queries. Immutable.
 *
 * @param schema the name of the file with the schema
 * @param hasQueries whether there were queries, without which nothing is said about what they miss
 * @param tables in the order of their definitions
 * @param queries in their order
 * @param proposals tables that would serve the queries that none serves
 * @param findings all of that again as a list of what is wrong, for a review
 */
public record Report(
    String schema,
    boolean hasQueries,
    List<Table> tables,
    List<Judged> queries,
    List<Proposal> proposals,
    List<Finding> findings) {
  /** Copies the lists. */
  public Report {
    tables = List.copyOf(tables);
    queries = List.copyOf(queries);
    proposals = List.copyOf(proposals);
    findings = List.copyOf(findings);
  }

  /** Whether a finding is more than a remark. */
  public boolean hasWarnings() {
    return findings.stream().anyMatch(each -> each.level() == Level.WARNING);
  }

  /** How much a finding matters. */
  public enum Level {
    /** Worth knowing. */
    NOTE,
    /** To be changed, or silenced. */
    WARNING
  }

  /**
   * What is wrong in a place.
   *
   * @param rule the short name of a rule, or {@code unserved-query}, {@code unread-table}, {@code
   *     large-partition}
   * @param message in whole sentences
   * @param instead what to write instead; may be empty
   */
  public record Finding(
      String rule, Level level, String file, int line, String message, String instead) {}

  /**
   * A table or view of the schema.
   *
   * @param name with its keyspace, as in CQL
   * @param key the primary key, as in CQL
   * @param reads the places of the queries that read it
   * @param writes the places of the statements that write it
   * @param size what its partitions grow to; null if that is not known
   * @param unsized why it is not known
   * @param divided the definition with a bucket, if partitions grow too large without; may be empty
   * @param notes how the buckets are used
   * @param advice what the rules say
   */
  public record Table(
      String name,
      String key,
      String file,
      int line,
      List<String> reads,
      List<String> writes,
      @Nullable PartitionSize size,
      String unsized,
      String divided,
      List<String> notes,
      List<Advice> advice) {
    /** Copies the lists. */
    public Table {
      reads = List.copyOf(reads);
      writes = List.copyOf(writes);
      notes = List.copyOf(notes);
      advice = List.copyOf(advice);
    }
  }

  /**
   * A query and what became of it.
   *
   * @param table the name of its table, with its keyspace; empty if there is none
   */
  public record Judged(Query query, String table, Verdict verdict) {}

  /**
   * A proposed table.
   *
   * @param name with its keyspace, as in CQL
   * @param definition the statement, with a line for each column
   * @param queries the places of the queries that it serves
   * @param size what its partitions grow to; null if that is not known
   * @param notes what else is to be known
   */
  public record Proposal(
      String name,
      String definition,
      List<String> queries,
      @Nullable PartitionSize size,
      List<String> notes) {
    /** Copies the lists. */
    public Proposal {
      queries = List.copyOf(queries);
      notes = List.copyOf(notes);
    }
  }
}
