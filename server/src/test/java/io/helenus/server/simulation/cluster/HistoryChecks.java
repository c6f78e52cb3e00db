package io.helenus.server.simulation.cluster;

import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes take for decided, checked as soon as one says so: one entry in each slot, applied
 * in order and by every life of a node again, with the same state after it everywhere. One thread.
 */
final class HistoryChecks {
  /** An entry and the state after it, each as a hash of its bytes. */
  private record Decided(long entry, long state, String by) {}

  private final Map<Long, Decided> slots = new HashMap<>();
  private long last = -1;
  private @Nullable String cluster;
  private String clusterSaidBy = "";

  /** The reports of one process. */
  final class Reporter {
    private final int host;
    private final int life;
    private long applied = -1;

    private Reporter(int host, int life) {
      this.host = host;
      this.life = life;
    }

    /**
     * A process begins with a state that it has read from its files, or from a snapshot of another.
     *
     * @param state a hash of the whole state, which contains the schema version
     */
    void beganWith(long slot, long state) {
      Decided decided = slots.get(slot);
      if (decided != null && decided.state != state) {
        throw violation(slot, "begins with another state than " + decided.by);
      }
      if (slot < applied) {
        throw violation(slot, "goes back from " + applied);
      }
      applied = slot;
    }

    /**
     * A process has applied an entry.
     *
     * @param entry a hash of the bytes that were decided
     * @param state a hash of the whole state after it
     */
    void applied(long slot, long entry, long state) {
      if (applied >= 0 && slot != applied + 1) {
        throw violation(slot, "is applied after " + applied);
      }
      applied = slot;
      Decided mine = new Decided(entry, state, toString());
      Decided decided = slots.putIfAbsent(slot, mine);
      if (decided != null && decided.entry != entry) {
        throw violation(slot, "has another entry than " + decided.by);
      }
      if (decided != null && decided.state != state) {
        throw violation(slot, "leads to another state than " + decided.by);
      }
      last = Math.max(last, slot);
    }

    /** A process is a member of a cluster, or has just founded it: all others join the same. */
    void memberOf(String clusterId) {
      if (cluster == null) {
        cluster = clusterId;
        clusterSaidBy = toString();
      } else if (!cluster.equals(clusterId)) {
        throw new ViolationError(
            Violation.DIVERGED_HISTORY,
            this + " is of cluster " + clusterId + ", but " + clusterSaidBy + " of " + cluster);
      }
    }

    /** The last slot that this process has applied; -1 if it has reported none. */
    long applied() {
      return applied;
    }

    private ViolationError violation(long slot, String what) {
      return new ViolationError(
          Violation.DIVERGED_HISTORY, "slot " + slot + " of " + this + " " + what);
    }

    @Override
    public String toString() {
      return "node " + host + " in life " + life;
    }
  }

  /** For a process that starts. */
  Reporter of(int host, int life) {
    return new Reporter(host, life);
  }

  /** The last slot that any process has applied; -1 for none. */
  long last() {
    return last;
  }
}
