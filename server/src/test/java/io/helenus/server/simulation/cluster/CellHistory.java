package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.CellModel.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was written to one cell, or to the liveness of a row, and how many replicas are
 * known to have it. What is on as many replicas as a read cannot miss is the least that it shows;
 * anything newer that was sent may show as well.
 */
final class CellHistory {
  /** A write or a deletion; the latter without value. */
  private static final class Entry {
    private final Written written;
    private final Mutation mutation;
    private final Knowledge seen = new Knowledge();

    Entry(Written written, Mutation mutation) {
      this.written = written;
      this.mutation = mutation;
    }

    int known(long nanos) {
      return Math.max(mutation.known.at(nanos), seen.at(nanos));
    }

    @Nullable Integer value(long second) {
      return written.isLive(second) ? written.value() : null;
    }
  }

  /**
   * The point of view of a read.
   *
   * @param replicas how many replicas it asks
   * @param of how many there are
   * @param sentNanos when it was sent
   * @param second what decides about expiry
   * @param together mutations of which it has seen a part, and so must have seen all of
   */
  record View(int replicas, int of, long sentNanos, long second, Set<Mutation> together) {
    private boolean cannotMiss(Entry entry) {
      return entry.known(sentNanos) + replicas > of || together.contains(entry.mutation);
    }
  }

  private final List<Entry> entries = new ArrayList<>();

  void add(Written written, Mutation mutation) {
    entries.add(new Entry(written, mutation));
  }

  private @Nullable Entry least(View view) {
    Entry least = null;
    for (Entry entry : entries) {
      if (!entry.mutation.refused
          && view.cannotMiss(entry)
          && (least == null || entry.written.beats(least.written))) {
        least = entry;
      }
    }
    return least;
  }

  /** The value if nothing shows that may be missed; null for none. */
  @Nullable Integer leastValue(View view) {
    Entry least = least(view);
    return least == null ? null : least.value(view.second);
  }

  private List<Entry> newer(@Nullable Entry least) {
    List<Entry> newer = new ArrayList<>();
    for (Entry entry : entries) {
      if (!entry.mutation.refused && (least == null || entry.written.beats(least.written))) {
        newer.add(entry);
      }
    }
    return newer;
  }

  /** Whether a read may show a value. */
  boolean admits(View view, @Nullable Integer value) {
    Entry least = least(view);
    return Objects.equals(value, least == null ? null : least.value(view.second))
        || newer(least).stream().anyMatch(each -> Objects.equals(value, each.value(view.second)));
  }

  /** Whether a read may show anything but a value. */
  boolean admitsOther(View view, @Nullable Integer value) {
    Entry least = least(view);
    return !Objects.equals(value, least == null ? null : least.value(view.second))
        || newer(least).stream().anyMatch(each -> !Objects.equals(value, each.value(view.second)));
  }

  /** A read has shown a value: the oldest entry that explains it is now on the replicas asked. */
  void seen(View view, @Nullable Integer value, long nanos) {
    Entry least = least(view);
    if (Objects.equals(value, least == null ? null : least.value(view.second))) {
      if (least != null) {
        least.seen.atLeast(view.replicas, nanos);
      }
      return;
    }
    Entry oldest = null;
    for (Entry entry : newer(least)) {
      if (Objects.equals(value, entry.value(view.second))
          && (oldest == null || oldest.written.beats(entry.written))) {
        oldest = entry;
      }
    }
    if (oldest != null) {
      oldest.seen.atLeast(view.replicas, nanos);
    }
  }

  /** The only mutation that explains a value that a read has shown; null for none or several. */
  @Nullable Mutation source(int value) {
    Mutation source = null;
    for (Entry entry : entries) {
      Integer written = entry.written.value();
      if (written != null && written == value) {
        if (source != null && source != entry.mutation) {
          return null;
        }
        source = entry.mutation;
      }
    }
    return source;
  }

  /** Whether a value was ever sent. */
  boolean everHeld(int value) {
    return entries.stream().anyMatch(entry -> Objects.equals(value, entry.written.value()));
  }

  /** Whether a refused mutation is what a read has shown. */
  boolean isRefused(int value) {
    Mutation source = source(value);
    return source != null && source.refused;
  }

  /** The history for a report. */
  String describe(View view) {
    StringBuilder text = new StringBuilder();
    for (Entry entry : entries) {
      text.append("\n    ")
          .append(entry.written.value())
          .append(" at ")
          .append(entry.written.timestamp())
          .append(entry.written.ttl() > 0 ? ", expires " + entry.written.expiry() : "")
          .append(", on ")
          .append(entry.known(view.sentNanos))
          .append(entry.mutation.refused ? ", refused" : "")
          .append(": ")
          .append(entry.mutation);
    }
    return text.toString();
  }
}
