package io.helenus.server.admin;

import io.helenus.server.metrics.RequestCounts;
import io.helenus.server.metrics.RequestKind;
import java.util.Map;
import java.util.TreeMap;

/** What replicas gave up because its deadline had passed, as Cassandra counts it. Stateless. */
public final class DroppedMessages {
  private DroppedMessages() {}

  /**
   * The counts by the names of Cassandra's messages. Plain writes are not among them: a write that
   * times out is still carried out. Increments of counters and conditional writes are not if they
   * have not begun.
   */
  public static Map<String, Long> of(Map<RequestKind, RequestCounts> requests) {
    Map<String, Long> dropped = new TreeMap<>();
    requests.forEach((kind, counts) -> dropped.put(message(kind), counts.dropped()));
    return dropped;
  }

  private static String message(RequestKind kind) {
    return switch (kind) {
      case READ -> "READ_REQ";
      case RANGE_SLICE -> "RANGE_REQ";
      case WRITE -> "COUNTER_MUTATION_REQ";
      case CAS_WRITE -> "PAXOS_PREPARE_REQ";
    };
  }
}
