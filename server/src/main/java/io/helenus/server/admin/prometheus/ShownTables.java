package io.helenus.server.admin.prometheus;

import io.helenus.server.metrics.TableCounts;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decides which tables have series of their own, and sums the counts of all others, so that a node
 * with many tables gives bounded answers. No sum ever decreases, which Prometheus would take for a
 * restart: a table keeps its series until it is dropped, one among the others never gets its own,
 * and only tables that are defined later take the places of dropped ones. One thread.
 */
final class ShownTables {
  private final int limit;
  private final Map<Integer, TableCounts> shown = new HashMap<>();
  private int newest;
  private TableCounts dropped = TableCounts.none();

  ShownTables(int limit) {
    this.limit = limit;
  }

  /** Takes notice of the tables that exist, by storage id; ids of later tables are greater. */
  void update(NavigableMap<Integer, ?> existing) {
    for (Map.Entry<Integer, TableCounts> each : Map.copyOf(shown).entrySet()) {
      if (!existing.containsKey(each.getKey())) {
        shown.remove(each.getKey());
        dropped = dropped.plus(each.getValue());
      }
    }
    for (int id : existing.tailMap(newest, false).keySet()) {
      if (shown.size() < limit) {
        shown.put(id, TableCounts.none());
      }
      newest = id;
    }
  }

  /** The storage ids of the tables with series of their own. */
  Set<Integer> ids() {
    return new TreeMap<>(shown).keySet();
  }

  boolean isShown(int id) {
    return shown.containsKey(id);
  }

  /**
   * The counts of all other tables.
   *
   * @param all those of all tables
   * @param measured those of the tables with series of their own; unused ones are absent
   */
  TableCounts others(TableCounts all, Map<Integer, TableCounts> measured) {
    measured.forEach((id, counts) -> shown.replace(id, counts));
    return all.minus(sum(shown.values()).plus(dropped));
  }

  private static TableCounts sum(Collection<TableCounts> counts) {
    return counts.stream().reduce(TableCounts.none(), TableCounts::plus);
  }
}
