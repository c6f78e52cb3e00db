package io.helenus.server.simulation;

import io.helenus.server.simulation.PartitionModel.Mismatch;
import io.helenus.server.simulation.Write.Part;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The possible contents of the tables. For each partition it keeps all states that are still
 * possible; reads rule some of them out, and if none remains, a guarantee was violated.
 *
 * <p>Admissible after a crash:
 *
 * <ul>
 *   <li>An acknowledged write is present; a rejected one is not.
 *   <li>A write without a response, or with a timeout as its response, is present completely or not
 *       at all, and stays so; until the node restarts, a timed out write may still appear.
 *   <li>After a power loss in periodic mode the following holds instead for writes that were not
 *       acknowledged before the durable horizon, the last moment whose writes the node must have
 *       synced. Each shard's log survives up to some record: if a write is present, so is every
 *       write of the same shard and the same run of the node that had been answered before it was
 *       sent. A mutation, that is, the effect of a statement on one partition of all tables, is
 *       never torn. A logged batch over several partitions may lose some of its mutations, because
 *       its entry of the batch log can be lost as well, and one whose entry survived is applied
 *       again: its mutations may be there behind the end of the log.
 * </ul>
 *
 * <p>{@link CellModel} defines what may show once the grace period of a deletion has passed.
 */
final class Model {
  static final int TABLES = 2;
  static final int PARTITIONS = 6;
  static final int GC_GRACE_SECONDS = 20;

  private static final int STATES_LIMIT = 64;
  private static final int FREE_LIMIT = 12;

  /** The changes in one partition, by table. */
  record State(List<Set<Applied>> tables) {
    static final State EMPTY = new State(List.of(Set.of(), Set.of()));

    State with(Part part) {
      List<Set<Applied>> changed = new ArrayList<>();
      for (int table = 0; table < TABLES; table++) {
        Set<Applied> all = new LinkedHashSet<>(tables.get(table));
        all.addAll(part.changes().get(table));
        changed.add(all);
      }
      return new State(changed);
    }

    State without(List<Part> parts) {
      List<Set<Applied>> changed = new ArrayList<>();
      for (int table = 0; table < TABLES; table++) {
        Set<Applied> rest = new LinkedHashSet<>(tables.get(table));
        for (Part part : parts) {
          part.changes().get(table).forEach(rest::remove);
        }
        changed.add(rest);
      }
      return new State(changed);
    }

    /** Removes the rows before a value of c, and the static value of a partition without rows. */
    State from(int fromC) {
      List<Set<Applied>> rest = new ArrayList<>();
      for (Set<Applied> all : tables) {
        Set<Applied> kept = new LinkedHashSet<>(all);
        kept.removeIf(each -> each.change instanceof Change.Cells cells && cells.c() < fromC);
        rest.add(kept);
      }
      return new State(rest);
    }

    State without(int table) {
      List<Set<Applied>> changed = new ArrayList<>(tables);
      changed.set(table, Set.of());
      return new State(changed);
    }
  }

  /** A table's definition. */
  static final class Table {
    final int index;
    final String name;
    boolean exists;
    boolean hasW;
    long droppedAt = Long.MIN_VALUE;

    Table(int index) {
      this.index = index;
      this.name = "t" + index;
    }
  }

  /**
   * The rows of a table as they were read between two seconds, by partition.
   *
   * @param slice whether only some rows were asked for, which shows no static value without a row
   */
  record Seen(
      Table table, List<List<Row>> partitions, long firstSecond, long lastSecond, boolean slice) {
    /** The rows of each partition the other way round. */
    Seen reversedSlice() {
      return new Seen(
          table, partitions.stream().map(List::reversed).toList(), firstSecond, lastSecond, true);
    }
  }

  final List<Table> tables = new ArrayList<>();
  private final List<List<State>> possible = new ArrayList<>();

  /** In flight. */
  final Set<Write> pending = new LinkedHashSet<>();

  /** Timed out or failed in part: may still appear. */
  final Set<Write> unknown = new LinkedHashSet<>();

  /** Rejected: must not appear. */
  private final Set<Write> refused = new LinkedHashSet<>();

  /** May be durable or only in the memory of the operating system: periodic mode only. */
  private final Set<Write> unsynced = new LinkedHashSet<>();

  Model() {
    for (int table = 0; table < TABLES; table++) {
      tables.add(new Table(table));
    }
    for (int p = 0; p < PARTITIONS; p++) {
      possible.add(List.of(State.EMPTY));
    }
  }

  void submitted(Write write) {
    pending.add(write);
  }

  void acknowledged(Write write, long nanos, long second, boolean mayBeUnsynced) {
    pending.remove(write);
    write.answeredNanos = nanos;
    write.arrivedBy(second);
    for (Part part : write.parts) {
      change(part.p(), state -> state.with(part));
    }
    if (mayBeUnsynced) {
      unsynced.add(write);
    }
  }

  void refused(Write write) {
    pending.remove(write);
    refused.add(write);
  }

  void timedOut(Write write) {
    pending.remove(write);
    unknown.add(write);
  }

  /** Removes the rows of a table durably. */
  void dropped(Table table) {
    emptied(table);
    unknown.forEach(write -> write.forget(table.index));
  }

  /**
   * The same if the table remains. A write that timed out may still appear in it, whether it had
   * been applied to the others before or not.
   */
  void truncated(Table table) {
    emptied(table);
    for (Write write : List.copyOf(unknown)) {
      unknown.add(write.split(table.index));
    }
  }

  private void emptied(Table table) {
    for (int p = 0; p < PARTITIONS; p++) {
      change(p, state -> state.without(table.index));
    }
    unsynced.forEach(write -> write.forget(table.index));
  }

  private void change(int p, java.util.function.UnaryOperator<State> effect) {
    Set<State> changed = new LinkedHashSet<>();
    possible.get(p).forEach(state -> changed.add(effect.apply(state)));
    possible.set(p, List.copyOf(changed));
  }

  /** Whether there are too many possibilities to continue without emptying the tables. */
  boolean isBlurred() {
    return possible.stream().anyMatch(states -> states.size() > STATES_LIMIT);
  }

  /** Writes acknowledged before this moment are synced. */
  void durableBefore(long nanos) {
    unsynced.removeIf(write -> write.answeredNanos < nanos);
  }

  // comparisons

  /** Rules out the states that contradict the observed rows of a table. */
  void narrow(Seen seen) {
    for (int p = 0; p < PARTITIONS; p++) {
      List<State> candidates = possible.get(p);
      for (Write write : unknown) {
        for (Part part : write.parts) {
          candidates = part.p() == p ? withOrWithout(candidates, part) : candidates;
        }
      }
      List<State> left = agreeing(candidates, p, List.of(seen));
      if (left.isEmpty()) {
        throw closest(candidates, p, List.of(seen), "partition " + p);
      }
      possible.set(p, left);
    }
  }

  /** Compares the rows of one partition from a value of c on, as far as the model is certain. */
  void compareSlice(Seen seen, int p, int fromC) {
    List<State> candidates = possible.get(p);
    for (Write write : unknown) {
      for (Part part : write.parts) {
        candidates = part.p() == p ? withOrWithout(candidates, part) : candidates;
      }
    }
    List<State> sliced = candidates.stream().map(state -> state.from(fromC)).toList();
    if (agreeing(sliced, p, List.of(seen)).isEmpty()) {
      throw closest(sliced, p, List.of(seen), "slice of partition " + p + " from " + fromC);
    }
  }

  private static List<State> withOrWithout(List<State> states, Part part) {
    Set<State> both = new LinkedHashSet<>(states);
    for (State state : states) {
      both.add(state.with(part));
    }
    return List.copyOf(both);
  }

  private static PartitionModel model(State state, int p, Table table) {
    return new PartitionModel(
        p, List.copyOf(state.tables.get(table.index)), table.hasW, table.droppedAt);
  }

  private static @Nullable Mismatch compare(State state, int p, Seen seen) {
    return model(state, p, seen.table)
        .compare(seen.partitions.get(p), seen.firstSecond, seen.lastSecond, seen.slice);
  }

  private static List<State> agreeing(List<State> states, int p, List<Seen> seen) {
    List<State> left = new ArrayList<>();
    for (State state : states) {
      if (seen.stream().allMatch(each -> compare(state, p, each) == null)) {
        left.add(state);
      }
    }
    return left;
  }

  /** Reports the violation relative to the closest state. */
  private ViolationError closest(List<State> states, int p, List<Seen> seen, String what) {
    Mismatch best = null;
    for (State state : states) {
      for (Seen each : seen) {
        Mismatch mismatch = compare(state, p, each);
        if (mismatch != null && (best == null || mismatch.count() < best.count())) {
          best = mismatch;
        }
      }
    }
    for (Write write : refused) {
      for (Part part : write.parts) {
        if (part.p() == p && !agreeing(withOrWithout(states, part), p, seen).isEmpty()) {
          return new ViolationError(Violation.REFUSED_WRITE_APPLIED, what + ": " + write.cql);
        }
      }
    }
    if (best == null) {
      return new ViolationError(Violation.WRONG_ROW, what + ": the tables contradict each other");
    }
    return new ViolationError(best.violation(), what + ": " + best.text());
  }

  // crashes

  /** There are too many combinations of uncertain writes to try them all. */
  private static final class UndecidedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Determines from the data after a crash which uncertain writes were applied; returns false if
   * there are too many to tell, and the tables have to be emptied.
   *
   * @param lost whether unsynced writes may be gone
   * @param life the run of the node that has ended
   * @param shardOf the shards it had, by partition
   */
  boolean restarted(
      List<Seen> seen, boolean lost, int life, IntUnaryOperator shardOf, long nanos, long second) {
    Set<Write> uncertain = new LinkedHashSet<>(pending);
    uncertain.addAll(unknown);
    if (lost) {
      uncertain.addAll(unsynced);
    }
    boolean decided = true;
    try {
      if (!uncertain.isEmpty()) {
        new Resolution(uncertain, seen, second).resolve(lost, life, shardOf);
      }
    } catch (UndecidedException e) {
      decided = false;
    }
    for (Write write : uncertain) {
      if (!unsynced.contains(write) || write.spansPartitions()) {
        write.arrivedBy(second);
      }
      write.answeredNanos = Math.min(write.answeredNanos, nanos);
    }
    if (lost) {
      unsynced.clear();
    } else {
      unsynced.addAll(uncertain);
    }
    pending.clear();
    unknown.clear();
    return decided;
  }

  /** The search for the uncertain writes that were applied. */
  private final class Resolution {
    private final Set<Write> uncertain;
    private final List<Seen> seen;
    private final long second;
    private final List<List<Part>> parts = new ArrayList<>();
    private final List<List<State>> bases = new ArrayList<>();
    private final List<Set<State>> found = new ArrayList<>();

    Resolution(Set<Write> uncertain, List<Seen> seen, long second) {
      this.uncertain = uncertain;
      this.seen = seen;
      this.second = second;
      for (int p = 0; p < PARTITIONS; p++) {
        List<Part> own = new ArrayList<>();
        for (Write write : uncertain) {
          for (Part part : write.parts) {
            if (part.p() == p) {
              own.add(part);
            }
          }
        }
        parts.add(own);
        Set<State> base = new LinkedHashSet<>();
        possible.get(p).forEach(state -> base.add(state.without(own)));
        bases.add(List.copyOf(base));
        found.add(new LinkedHashSet<>());
      }
    }

    void resolve(boolean lost, int life, IntUnaryOperator shardOf) {
      if (lost) {
        resolveLogs(life, shardOf);
      } else {
        resolveBatches();
      }
      for (int p = 0; p < PARTITIONS; p++) {
        possible.set(p, List.copyOf(found.get(p)));
      }
    }

    /**
     * All subsets of the uncertain writes, batches as a whole unless they are no longer replayed.
     */
    private void resolveBatches() {
      List<Write> batches =
          uncertain.stream()
              .filter(write -> write.spansPartitions() && second < write.replayedUntil())
              .toList();
      if (batches.size() > FREE_LIMIT) {
        throw new UndecidedException();
      }
      boolean any = false;
      for (int mask = 0; mask < 1 << batches.size(); mask++) {
        List<Write> in = new ArrayList<>();
        for (int i = 0; i < batches.size(); i++) {
          if ((mask & 1 << i) != 0) {
            in.add(batches.get(i));
          }
        }
        any |=
            explain(
                allPartitions(),
                part -> batches.contains(part.write()) ? in.contains(part.write()) : null);
      }
      if (!any) {
        throw violation(Violation.TORN_MUTATION, allPartitions());
      }
    }

    /** For each shard, a log that ends somewhere. */
    private void resolveLogs(int life, IntUnaryOperator shardOf) {
      for (int shard = 0; shard <= maxShard(shardOf); shard++) {
        List<Integer> own = new ArrayList<>();
        for (int p = 0; p < PARTITIONS; p++) {
          if (shardOf.applyAsInt(p) == shard) {
            own.add(p);
          }
        }
        boolean any = explain(own, part -> isOrdered(part, life) ? Boolean.FALSE : null);
        for (int p : own) {
          for (Part last : parts.get(p)) {
            if (isOrdered(last, life)) {
              long sent = last.write().submittedNanos;
              any |=
                  explain(
                      own,
                      part -> {
                        if (!isOrdered(part, life)) {
                          return null;
                        }
                        Write write = part.write();
                        return write.submittedNanos > sent
                            ? Boolean.FALSE
                            : part == last || write.answeredNanos <= sent ? Boolean.TRUE : null;
                      });
            }
          }
        }
        if (!any) {
          throw violation(Violation.HOLE_IN_LOG, own);
        }
      }
    }

    private int maxShard(IntUnaryOperator shardOf) {
      int max = 0;
      for (int p = 0; p < PARTITIONS; p++) {
        max = Math.max(max, shardOf.applyAsInt(p));
      }
      return max;
    }

    private boolean isOrdered(Part part, int life) {
      return !part.write().spansPartitions() && part.write().life == life;
    }

    /** Whether a part is present; null if unknown. */
    private interface Inclusion {
      @Nullable Boolean of(Part part);
    }

    /** Adds the states that explain some partitions; false if one of them has none. */
    private boolean explain(List<Integer> partitions, Inclusion inclusion) {
      List<List<State>> explained = new ArrayList<>();
      for (int p : partitions) {
        List<State> states = candidates(p, inclusion);
        List<State> left = agreeing(states, p, seen);
        if (left.isEmpty()) {
          return false;
        }
        explained.add(left);
      }
      for (int i = 0; i < partitions.size(); i++) {
        found.get(partitions.get(i)).addAll(explained.get(i));
      }
      return true;
    }

    private List<State> candidates(int p, Inclusion inclusion) {
      List<State> states = bases.get(p);
      int free = 0;
      for (Part part : parts.get(p)) {
        Boolean in = inclusion.of(part);
        if (in == null) {
          if (++free > FREE_LIMIT) {
            throw new UndecidedException();
          }
          states = withOrWithout(states, part);
        } else if (in) {
          states = states.stream().map(state -> state.with(part)).toList();
        }
      }
      return states;
    }

    /**
     * Reports the violation: the suspected one, if the data is consistent without the suspected
     * rule.
     */
    private ViolationError violation(Violation suspected, List<Integer> partitions) {
      if (explain(partitions, part -> null)) {
        return new ViolationError(
            suspected, "of " + uncertain.stream().map(write -> write.cql).toList());
      }
      for (int p : partitions) {
        if (agreeing(candidates(p, part -> null), p, seen).isEmpty()) {
          if (!agreeing(tornByTable(p), p, seen).isEmpty()) {
            return new ViolationError(Violation.TORN_MUTATION, "in partition " + p);
          }
          return closest(candidates(p, part -> null), p, seen, "after a crash, partition " + p);
        }
      }
      throw new AssertionError("a partition without explanation has one");
    }

    private List<State> tornByTable(int p) {
      List<State> states = bases.get(p);
      for (Part part : parts.get(p)) {
        for (int table = 0; table < TABLES; table++) {
          List<List<Applied>> one = new ArrayList<>(List.of(List.of(), List.of()));
          one.set(table, part.changes().get(table));
          states = withOrWithout(states, new Part(part.write(), p, one));
        }
      }
      return states;
    }
  }

  private static List<Integer> allPartitions() {
    List<Integer> all = new ArrayList<>();
    for (int p = 0; p < PARTITIONS; p++) {
      all.add(p);
    }
    return all;
  }
}
