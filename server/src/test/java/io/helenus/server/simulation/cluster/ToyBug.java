package io.helenus.server.simulation.cluster;

/** What a {@link ToyNode} does wrong. */
enum ToyBug {
  /** Nothing. */
  NONE,
  /** The coordinator counts its own acknowledgement twice. */
  COUNTS_TWICE,
  /** A replica acknowledges what is not synced. */
  NOT_SYNCED,
  /** A read is answered before its repairs are acknowledged, or even sent. */
  REPAIR_NOT_AWAITED,
  /** Replicas filter before the coordinator merges. */
  FILTERS_BEFORE_MERGE,
  /** The coordinator does not ask on when replicas have sent as many rows as were asked for. */
  SHORT_READ,
  /** What is refused as UNAVAILABLE was sent to some replicas before. */
  REFUSED_BUT_SENT,
  /** A reply that never comes leaves its request waiting forever. */
  NO_TIMEOUT
}
