package io.helenus.server.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides which members are alive, by the accrual of suspicion (Hayashibara et al., "The φ Accrual
 * Failure Detector") as Cassandra computes it: φ is the time since a host was last heard, divided
 * by the mean of its latest arrival intervals, times 1/ln 10. A host is convicted once φ exceeds
 * the threshold, or at once when its last link breaks; it is restored when a link is open and it is
 * heard.
 *
 * <p>All traffic counts, so that intervals much shorter than that of heartbeats are common. They
 * count as the interval of heartbeats: otherwise a host would be convicted for the short silence
 * after a busy time.
 *
 * <p>Time that this node itself did not run must not convict everyone. So silence is measured by a
 * clock that advances with {@link #tick}, by at most two intervals each.
 *
 * <p>Pure; one thread. Times are in nanoseconds of a monotonic clock.
 */
public final class FailureDetector {
  /** The number of intervals whose mean counts, as in Cassandra. */
  static final int WINDOW = 1000;

  private static final double PHI_FACTOR = 1 / Math.log(10);

  /**
   * A host was convicted or restored.
   *
   * @param alive what it is from now on
   * @param reason why, as a text for the log
   */
  public record Change(UUID host, boolean alive, String reason) {}

  private final double threshold;
  private final long heartbeatNanos;
  private final Map<UUID, Host> hosts = new LinkedHashMap<>();
  private long tickedNanos;
  private long awakeNanos;

  /**
   * Creates a detector that knows no host.
   *
   * @param threshold {@code phi_convict_threshold}
   * @param heartbeatNanos the interval at which a live peer sends at least something, and at which
   *     {@link #tick} is called
   * @param now the time
   */
  public FailureDetector(double threshold, long heartbeatNanos, long now) {
    this.threshold = threshold;
    this.heartbeatNanos = heartbeatNanos;
    this.tickedNanos = now;
  }

  /** A link to a host is open: its handshake has ended. */
  public List<Change> connected(UUID host, long now) {
    hosts.computeIfAbsent(host, id -> new Host()).links++;
    return heard(host, now);
  }

  /**
   * Something has arrived from a host. It is enough to report the latest arrival once per tick of
   * an event loop.
   *
   * @param now when it arrived
   */
  public List<Change> heard(UUID host, long now) {
    Host known = hosts.get(host);
    if (known == null || known.links == 0) {
      // what a closed link had still buffered
      return List.of();
    }
    known.arrived(awake(now));
    if (known.alive) {
      return List.of();
    }
    known.alive = true;
    return List.of(new Change(host, true, "it is heard again"));
  }

  /** A link to a host has broken. The host is down unless another link to it is open. */
  public List<Change> broken(UUID host, String reason) {
    Host known = hosts.get(host);
    if (known == null || known.links == 0) {
      return List.of();
    }
    known.links--;
    if (known.links > 0 || !known.alive) {
      return List.of();
    }
    known.alive = false;
    return List.of(new Change(host, false, reason));
  }

  /** Time has passed: convicts who was silent for too long. */
  public List<Change> tick(long now) {
    awakeNanos = awake(now);
    tickedNanos = Math.max(tickedNanos, now);
    List<Change> changes = new ArrayList<>();
    hosts.forEach(
        (id, host) -> {
          if (host.alive && host.phi(awakeNanos) > threshold) {
            host.alive = false;
            changes.add(
                new Change(
                    id,
                    false,
                    "nothing was heard for " + (awakeNanos - host.heardNanos) / 1_000_000 + " ms"));
          }
        });
    return changes;
  }

  /** Whether a host is alive; false for one that was never connected. */
  public boolean isAlive(UUID host) {
    Host known = hosts.get(host);
    return known != null && known.alive;
  }

  /** How long a host has been silent, while this node ran; {@link Long#MAX_VALUE} without links. */
  public long silentNanos(UUID host, long now) {
    Host known = hosts.get(host);
    return known == null || known.links == 0 ? Long.MAX_VALUE : awake(now) - known.heardNanos;
  }

  /** The suspicion of each host that was ever connected, as {@code nodetool failuredetector}. */
  public Map<UUID, Double> phis(long now) {
    Map<UUID, Double> phis = new HashMap<>();
    hosts.forEach((id, host) -> phis.put(id, host.phi(awake(now))));
    return phis;
  }

  /** Forgets a host that is no member any more. */
  public void forget(UUID host) {
    hosts.remove(host);
  }

  private long awake(long now) {
    return awakeNanos + Math.clamp(now - tickedNanos, 0, 2 * heartbeatNanos);
  }

  private final class Host {
    private boolean alive;
    private int links;
    private long heardNanos;

    /** When the last interval that counts has ended. */
    private long countedNanos;

    private long @Nullable [] intervals;
    private int next;
    private int count;
    private long sum;

    void arrived(long at) {
      if (intervals == null) {
        // Cassandra begins with twice the interval, too
        intervals = new long[WINDOW];
        add(2 * heartbeatNanos);
        countedNanos = at;
      } else if (at - countedNanos >= heartbeatNanos / 2) {
        long interval = at - countedNanos;
        if (interval <= 2 * heartbeatNanos) {
          add(Math.max(interval, heartbeatNanos));
        }
        countedNanos = at;
      }
      heardNanos = Math.max(heardNanos, at);
    }

    private void add(long interval) {
      if (intervals == null) {
        return;
      }
      sum += interval - intervals[next];
      intervals[next] = interval;
      next = (next + 1) % WINDOW;
      count = Math.min(count + 1, WINDOW);
    }

    double phi(long now) {
      return count == 0 ? 0 : PHI_FACTOR * (now - heardNanos) / ((double) sum / count);
    }
  }
}
