package io.helenus.server.simulation.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts which cases the reads of a {@link DivergedRun} were. */
final class DivergedCases {
  private final Counts counts = new Counts();

  Map<String, Long> counts() {
    return counts.all();
  }

  void writes() {
    counts.add("writes");
  }

  /** Each node, asked alone, was compared with all. */
  void comparedReplicas() {
    counts.add("comparisons of replicas");
  }

  /**
   * A read was right.
   *
   * @param alone what each replica would have answered alone, if they were asked
   * @param answer the rows
   * @param dataReads how often one replica was asked for data
   */
  void read(
      DivergedSelects.Drawn select,
      List<List<List<String>>> alone,
      List<List<String>> answer,
      int dataReads) {
    counts.add("reads");
    if (select.limits()
        && select.ofPartition()
        && !select.usesIndex()
        && select.pageSize() < 0
        && dataReads > 1) {
      counts.add("short reads");
    }
    if (alone.isEmpty()) {
      return;
    }
    if (alone.stream().anyMatch(each -> !each.equals(answer))) {
      counts.add("reads of different replicas");
    }
    if (select.limits() || select.keyColumns() == 0) {
      return;
    }
    if (!select.selectsAll()) {
      if (answer.stream().anyMatch(row -> isAlive(select, row) && isMissing(row, alone))) {
        counts.add("rows of unselected cells");
      }
    } else if (select.filters()) {
      String by = select.usesIndex() ? " of an index" : " of a filter";
      if (alone.stream().anyMatch(each -> !without(each, answer).isEmpty())) {
        counts.add("stale matches" + by);
      }
      if (answer.stream().anyMatch(row -> isMissing(row, alone))) {
        counts.add("missed matches" + by);
      }
    } else if (isDeletedOnce(select.keyColumns(), alone, answer)) {
      counts.add("rows deleted on one replica");
    }
  }

  /** Whether a row has no value in any selected column that is not of the key. */
  private static boolean isAlive(DivergedSelects.Drawn select, List<String> row) {
    return row.subList(select.keyColumns(), row.size()).stream().allMatch(String::isEmpty);
  }

  private static boolean isMissing(List<String> row, List<List<List<String>>> alone) {
    return alone.stream().anyMatch(rows -> !rows.contains(row));
  }

  /** Whether all replicas but one have a row that all together do not have. */
  private static boolean isDeletedOnce(
      int keyColumns, List<List<List<String>>> alone, List<List<String>> answer) {
    Map<List<String>, Integer> having = new HashMap<>();
    for (List<List<String>> rows : alone) {
      rows.forEach(row -> having.merge(row.subList(0, keyColumns), 1, Integer::sum));
    }
    answer.forEach(row -> having.remove(row.subList(0, keyColumns)));
    return having.containsValue(alone.size() - 1);
  }

  private static List<List<String>> without(List<List<String>> rows, List<List<String>> others) {
    Set<List<String>> known = new HashSet<>(others);
    List<List<String>> left = new ArrayList<>(rows);
    left.removeIf(known::contains);
    return left;
  }
}
