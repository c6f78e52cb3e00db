package io.helenus.server.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values that one cell, or the liveness of one row, may show, derived from its complete history
 * of writes.
 *
 * <p>If the grace period of a deletion had passed when an older write arrived, the deletion may
 * have been purged by then, and the write may or may not show. Everything that such a deletion
 * covered may have been purged with it. A write that arrived before the grace period had passed
 * never shows: compaction must keep the deletion as long as anything it covers exists elsewhere.
 */
public final class CellModel {
  /** One write; a null value is a deletion. */
  public record Written(
      long timestamp, int ttl, long expiry, @Nullable Integer value, long seconds, long arrived) {
    /** Newest, then deletion, then expiring, then the later expiry, then the larger value. */
    public boolean beats(Written other) {
      if (timestamp != other.timestamp) {
        return timestamp > other.timestamp;
      }
      if ((value == null) != (other.value == null)) {
        return value == null;
      }
      if ((ttl > 0) != (other.ttl > 0)) {
        return ttl > 0;
      }
      if (ttl > 0 && expiry != other.expiry) {
        return expiry > other.expiry;
      }
      if (ttl != other.ttl) {
        return ttl < other.ttl;
      }
      return value != null
          && other.value != null
          && Integer.compareUnsigned(value, other.value) > 0;
    }

    /** Whether it shows at a second, if nothing beats it. */
    public boolean isLive(long now) {
      return value != null && (ttl == 0 || now < expiry);
    }

    boolean mayBePurgedAt(long second) {
      return (value == null || ttl > 0 && second >= expiry)
          && second >= seconds + Model.GC_GRACE_SECONDS;
    }
  }

  private record Deletion(long timestamp, long seconds) {
    boolean mayBePurgedAt(long second) {
      return second >= seconds + Model.GC_GRACE_SECONDS;
    }
  }

  private final long droppedAt;
  private final List<Written> written = new ArrayList<>();
  private final List<Deletion> deletions = new ArrayList<>();

  CellModel(long droppedAt) {
    this.droppedAt = droppedAt;
  }

  void write(Applied applied, @Nullable Integer value, int ttl) {
    Change change = applied.change;
    written.add(
        new Written(
            change.timestamp(),
            ttl,
            change.seconds() + ttl,
            value,
            change.seconds(),
            applied.arrivedBySeconds));
  }

  void delete(Change deletion) {
    deletions.add(new Deletion(deletion.timestamp(), deletion.seconds()));
  }

  /** The value if nothing has been purged; null for none. */
  @Nullable Integer usual(long now) {
    Written winner = null;
    for (Written each : written) {
      winner = winner == null || each.beats(winner) ? each : winner;
    }
    if (winner == null || winner.timestamp <= droppedAt || !winner.isLive(now)) {
      return null;
    }
    for (Deletion deletion : deletions) {
      if (deletion.timestamp >= winner.timestamp) {
        return null;
      }
    }
    return winner.value;
  }

  /** All values that it may show between two seconds. */
  Set<@Nullable Integer> admissible(long first, long last) {
    Set<@Nullable Integer> values = new HashSet<>();
    values.add(usual(first));
    if (last > first) {
      for (long second = first + 1; second <= last; second++) {
        values.add(usual(second));
      }
    }
    for (Written each : written) {
      if (each.timestamp > droppedAt && each.isLive(first) && mayWin(each)) {
        values.add(each.value);
      }
    }
    return values;
  }

  /** Whether everything that hides a write may have been purged before it arrived. */
  private boolean mayWin(Written write) {
    long purged = Long.MIN_VALUE;
    for (Deletion deletion : deletions) {
      if (deletion.mayBePurgedAt(write.arrived)) {
        purged = Math.max(purged, deletion.timestamp);
      }
    }
    for (Written other : written) {
      if (other.mayBePurgedAt(write.arrived)) {
        purged = Math.max(purged, other.timestamp);
      }
    }
    for (Deletion deletion : deletions) {
      if (deletion.timestamp >= write.timestamp && deletion.timestamp > purged) {
        return false;
      }
    }
    for (Written other : written) {
      if (other != write && other.beats(write) && other.timestamp > purged) {
        return false;
      }
    }
    return true;
  }

  /** Whether a value was ever written here. */
  boolean everHeld(int value) {
    for (Written each : written) {
      if (each.value != null && each.value == value) {
        return true;
      }
    }
    return false;
  }
}
