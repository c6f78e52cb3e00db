package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Replication;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** One table while rules judge it: what they may look at, and what they found. One thread. */
final class Review {
  private final KeyspaceSchema keyspace;
  private final TableSchema table;
  private final List<String> dataCenters;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * What was found.
   *
   * @param subject the column or index that it is about; empty for the table as a whole. An advice
   *     about the same subject by the same rule has been given before, even if figures changed
   */
  record Finding(String subject, Advice advice) {
    boolean isAgain(Finding other) {
      return subject.equals(other.subject) && advice.rule().equals(other.advice.rule());
    }
  }

  /**
   * Creates a review.
   *
   * @param keyspace the keyspace as it is with the table
   * @param dataCenters the names of those of the cluster
   */
  Review(KeyspaceSchema keyspace, TableSchema table, Collection<String> dataCenters) {
    this.keyspace = keyspace;
    this.table = table;
    this.dataCenters = List.copyOf(dataCenters);
  }

  TableSchema table() {
    return table;
  }

  KeyspaceSchema keyspace() {
    return keyspace;
  }

  int dataCenters() {
    return dataCenters.size();
  }

  List<String> dataCenterNames() {
    return dataCenters;
  }

  boolean isSimpleStrategy() {
    return keyspace.replication().className().equals(Replication.SIMPLE);
  }

  List<ColumnSchema> partitionKey() {
    return table.partitionKey();
  }

  List<ColumnSchema> clustering() {
    return table.clusteringColumns();
  }

  /** Whether the table is a view, whose key its base table has decided in part. */
  boolean isView() {
    return table.view() != null;
  }

  /** Whether expired data bounds the partitions. */
  boolean hasTimeToLive() {
    return table.options().defaultTimeToLiveSeconds() > 0;
  }

  /** Other tables of the keyspace, views left out. */
  List<TableSchema> neighbours() {
    return keyspace.tables().stream()
        .filter(each -> each.view() == null && !each.name().equals(table.name()))
        .toList();
  }

  /** Reports what was found about the table as a whole. */
  void found(Rule rule, String problem, String instead) {
    found(rule, "", problem, instead);
  }

  /** Reports what was found about a column or an index. */
  void found(Rule rule, String subject, String problem, String instead) {
    Advice advice = new Advice(rule.name(), table.cqlName(), problem, instead);
    findings.add(new Finding(subject, advice));
  }

  List<Finding> findings() {
    return List.copyOf(findings);
  }
}
