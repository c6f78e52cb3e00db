package io.helenus.server.metrics;

import java.util.EnumMap;
import java.util.Map;

/** Counts the requests of clients by kind; never forgets any. One thread. */
final class Requests {
  private static final int KINDS = RequestKind.values().length;

  private final LatencyCounts[] latencies = new LatencyCounts[KINDS];
  private final long[] timeouts = new long[KINDS];
  private final long[] unavailables = new long[KINDS];
  private final long[] failures = new long[KINDS];
  private final long[] dropped = new long[KINDS];

  Requests() {
    for (int i = 0; i < KINDS; i++) {
      latencies[i] = new LatencyCounts(LatencyCounts.Resolution.FINE);
    }
  }

  void ended(RequestKind kind, long nanos) {
    latencies[kind.ordinal()].add(nanos, 1);
  }

  void timedOut(RequestKind kind) {
    timeouts[kind.ordinal()]++;
  }

  void unavailable(RequestKind kind) {
    unavailables[kind.ordinal()]++;
  }

  void failed(RequestKind kind) {
    failures[kind.ordinal()]++;
  }

  void dropped(RequestKind kind) {
    dropped[kind.ordinal()]++;
  }

  Map<RequestKind, RequestCounts> counts() {
    Map<RequestKind, RequestCounts> counts = new EnumMap<>(RequestKind.class);
    for (RequestKind kind : RequestKind.values()) {
      int i = kind.ordinal();
      counts.put(
          kind,
          new RequestCounts(
              latencies[i].copy(), timeouts[i], unavailables[i], failures[i], dropped[i]));
    }
    return counts;
  }
}
