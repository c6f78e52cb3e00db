package io.helenus.server.guardrails;

import io.helenus.server.error.CqlException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Cassandra's guardrail {@code replica_disk_usage}: warns about writes, or rejects them, while the
 * disk is beyond a threshold of {@link Limit#DATA_DISK_USAGE_PERCENTAGE}. A monitor measures the
 * disk in the background; a check only reads the result. Any thread.
 */
public final class DiskUsage {
  /** How full the disk is. */
  public enum State {
    /** Below the thresholds. */
    SPACIOUS,
    /** Beyond the warn threshold. */
    STUFFED,
    /** Beyond the fail threshold. */
    FULL
  }

  private static final String NAME = "replica_disk_usage";

  private volatile State state = State.SPACIOUS;
  private final AtomicBoolean warns = new AtomicBoolean();

  DiskUsage() {}

  /** Sets the state that was measured. */
  public void set(State measured) {
    state = measured;
  }

  /** Lets the next write to a stuffed disk get a warning; only one does, as in Cassandra. */
  public void warnOnce() {
    warns.set(true);
  }

  /**
   * Checks a write.
   *
   * @throws CqlException if the disk is full
   */
  public void check(Consumer<String> warnings) {
    switch (state) {
      case SPACIOUS -> {}
      case STUFFED -> {
        if (warns.compareAndSet(true, false)) {
          warnings.accept(
              Guardrails.text(NAME, "Replica disk usage exceeds warning threshold", ""));
        }
      }
      case FULL ->
          throw CqlException.guardrail(
              Guardrails.text(
                  NAME, "Write request failed because disk usage exceeds failure threshold", ""));
    }
  }
}
