package io.helenus.server.ring;

import org.jspecify.annotations.Nullable;

/** Consistency levels with their codes (native protocol v5, section 3). */
public enum ConsistencyLevel {
  /** A write to any node; a hint counts. */
  ANY(0x00),
  /** One replica. */
  ONE(0x01),
  /** Two replicas. */
  TWO(0x02),
  /** Three replicas. */
  THREE(0x03),
  /** More than half of all replicas. */
  QUORUM(0x04),
  /** Every replica. */
  ALL(0x05),
  /** More than half of the replicas in the coordinator's datacenter. */
  LOCAL_QUORUM(0x06),
  /** More than half of the replicas in each datacenter. */
  EACH_QUORUM(0x07),
  /** For conditional updates: more than half of all replicas. */
  SERIAL(0x08),
  /** For conditional updates: more than half of the replicas in the coordinator's datacenter. */
  LOCAL_SERIAL(0x09),
  /** One replica in the coordinator's datacenter. */
  LOCAL_ONE(0x0A),
  /** The coordinator itself; not available to clients. */
  NODE_LOCAL(0x0B);

  private static final ConsistencyLevel[] BY_CODE = values();

  private final int code;

  ConsistencyLevel(int code) {
    this.code = code;
  }

  /** The protocol's code. */
  public int code() {
    return code;
  }

  /** The level with this code; null if there is none. */
  public static @Nullable ConsistencyLevel ofCode(int code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }

  /** Whether this is for conditional updates only. */
  public boolean isSerial() {
    return this == SERIAL || this == LOCAL_SERIAL;
  }

  /** Whether only replicas of the coordinator's datacenter count. */
  public boolean isDatacenterLocal() {
    return this == LOCAL_ONE || this == LOCAL_QUORUM || this == LOCAL_SERIAL;
  }

  /** The number of replicas that must respond before the client gets an answer. */
  public int blockFor(ReplicationStrategy strategy, String localDatacenter) {
    return switch (this) {
      case ANY, ONE, LOCAL_ONE, NODE_LOCAL -> 1;
      case TWO -> 2;
      case THREE -> 3;
      case QUORUM, SERIAL -> quorum(strategy.replicationFactor());
      case ALL -> strategy.replicationFactor();
      case LOCAL_QUORUM, LOCAL_SERIAL -> localQuorum(strategy, localDatacenter);
      case EACH_QUORUM -> eachQuorum(strategy);
    };
  }

  /** More than half. */
  public static int quorum(int replicas) {
    return replicas / 2 + 1;
  }

  private static int localQuorum(ReplicationStrategy strategy, String datacenter) {
    return strategy instanceof ReplicationStrategy.NetworkTopology topology
        ? quorum(topology.replicationFactor(datacenter))
        : quorum(strategy.replicationFactor());
  }

  private static int eachQuorum(ReplicationStrategy strategy) {
    if (!(strategy instanceof ReplicationStrategy.NetworkTopology topology)) {
      return quorum(strategy.replicationFactor());
    }
    int sum = 0;
    for (ReplicationFactor factor : topology.factors().values()) {
      sum += quorum(factor.replicas());
    }
    return sum;
  }
}
