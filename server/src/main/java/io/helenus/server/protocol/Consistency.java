package io.helenus.server.protocol;

import io.helenus.server.error.CqlException;
import org.jspecify.annotations.Nullable;

/** How many replicas must answer (native protocol v5, section 3, [consistency]). */
public enum Consistency {
  /** Any node, a hint counts. */
  ANY(0),
  /** One replica. */
  ONE(1),
  /** Two replicas. */
  TWO(2),
  /** Three replicas. */
  THREE(3),
  /** More than half of all replicas. */
  QUORUM(4),
  /** All replicas. */
  ALL(5),
  /** More than half of the local datacenter's replicas. */
  LOCAL_QUORUM(6),
  /** More than half of the replicas in each datacenter. */
  EACH_QUORUM(7),
  /** Linearizable over all datacenters. */
  SERIAL(8),
  /** Linearizable within the local datacenter. */
  LOCAL_SERIAL(9),
  /** One replica of the local datacenter. */
  LOCAL_ONE(10),
  /** This node alone; not for clients. */
  NODE_LOCAL(11);

  private static final @Nullable Consistency[] BY_CODE = byCode();

  private final int code;

  Consistency(int code) {
    this.code = code;
  }

  private static @Nullable Consistency[] byCode() {
    @Nullable Consistency[] table = new Consistency[12];
    for (Consistency level : values()) {
      table[level.code] = level;
    }
    return table;
  }

  /** The number that stands for it on the wire. */
  public int code() {
    return code;
  }

  /** Whether it is one of the two levels of conditional writes. */
  public boolean isSerial() {
    return this == SERIAL || this == LOCAL_SERIAL;
  }

  /** The level of a number; a protocol error when there is none. */
  public static Consistency ofCode(int code) {
    Consistency level = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    if (level == null) {
      throw CqlException.protocol("Unknown code " + code + " for a consistency level");
    }
    return level;
  }
}
