package io.helenus.server.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What monitoring systems read: counts since the node started, of one shard or the sum of several.
 * Nothing in it decays. Must not be modified.
 *
 * @param requests the requests of clients by kind
 * @param tables the work on the tables that were asked for, by storage id; unused ones are absent
 * @param allTables the work on all tables with files, including those dropped since
 * @param views the writes to materialized views
 */
public record NodeCounts(
    Map<RequestKind, RequestCounts> requests,
    Map<Integer, TableCounts> tables,
    TableCounts allTables,
    ViewCounts views) {
  /** Nothing counted. */
  public static NodeCounts none() {
    Map<RequestKind, RequestCounts> requests = new EnumMap<>(RequestKind.class);
    for (RequestKind kind : RequestKind.values()) {
      requests.put(kind, RequestCounts.none());
    }
    return new NodeCounts(requests, Map.of(), TableCounts.none(), ViewCounts.none());
  }

  /** The sum of two shards. */
  public NodeCounts plus(NodeCounts other) {
    Map<RequestKind, RequestCounts> allRequests = new EnumMap<>(requests);
    other.requests.forEach((kind, each) -> allRequests.merge(kind, each, RequestCounts::plus));
    Map<Integer, TableCounts> each = new TreeMap<>(tables);
    other.tables.forEach((id, counts) -> each.merge(id, counts, TableCounts::plus));
    return new NodeCounts(
        allRequests, each, allTables.plus(other.allTables), views.plus(other.views));
  }
}
