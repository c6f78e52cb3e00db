package io.helenus.server.consensus;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the ballots of a run of a node, each after the one before. One thread. */
public final class Ballots {
  private final UUID hostId;
  private final long life;
  private long lastMicros = Long.MIN_VALUE;

  /**
   * Ballots of a node.
   *
   * @param life which of the node's runs this is: never used before, and not by a copy of the node
   */
  public Ballots(UUID hostId, long life) {
    this.hostId = hostId;
    this.life = life;
  }

  /**
   * A ballot that was never used.
   *
   * @param nowMicros the wall clock, which may jump
   * @param above a ballot that it must come after; null for none
   */
  public Ballot next(long nowMicros, @Nullable Ballot above) {
    long micros = Math.max(nowMicros, lastMicros + 1);
    if (above != null) {
      micros = Math.max(micros, above.micros() + 1);
    }
    lastMicros = micros;
    return new Ballot(micros, hostId, life);
  }
}
