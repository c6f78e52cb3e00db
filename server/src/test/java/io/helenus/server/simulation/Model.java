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
public final class Model {
  /** The number of tables. */
  public static final int TABLES = 2;

  /** The number of partitions that statements use. */
  public static final int PARTITIONS = 6;

  static final int GC_GRACE_SECONDS = 20;

  private static final int STATES_LIMIT = 64;

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
  public static final class Table {
    /** Its place among the tables. */
    public final int index;

    /** Its name in the keyspace. */
    public final String name;

    /** Whether m and sm are sets, whose elements the model takes for maps of each to itself. */
    public final boolean sets;

    boolean exists;

    /** Whether it has column w. */
    public boolean hasW;

    long droppedAt = Long.MIN_VALUE;
    boolean hasViews;

    /** Whether the views have been equal to the table and no write has failed since. */
    boolean viewsAgree;

    /**
     * Whether a write since they were created was older than the grace period: it is in the table
     * and not in the views once a deletion that covers it has been purged.
     */
    boolean viewsLate;

    /** The last failed write since the views have been equal to the table. */
    private long failedSecond = Long.MAX_VALUE;

    /** A table that does not exist yet. */
    public Table(int index) {
      this.index = index;
      this.name = "t" + index;
      this.sets = index % 2 == 1;
    }

    /** Above a threshold of 4, small files are not merged early, and reads meet several. */
    String options() {
      return "gc_grace_seconds = "
          + GC_GRACE_SECONDS
          + " AND compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': "
          + (sets ? 6 : 4)
          + "}";
    }
  }

  /** A write failed: views may differ from their tables until it is completed. */
  void failed(long second) {
    for (Table table : tables) {
      table.viewsAgree = false;
      table.failedSecond = Math.min(table.failedSecond, second);
    }
  }

  /** The views of a table have been equal to it. */
  static void viewsAgree(Table table) {
    table.viewsAgree = true;
    table.failedSecond = Long.MAX_VALUE;
  }

  /**
   * Whether the views of a table may differ from it for good: because a write came too late, or
   * because one that failed was not completed within the grace period, after which the batch log
   * gives up.
   */
  static boolean mayDifferForGood(Table table, long second) {
    return table.viewsLate
        || table.failedSecond != Long.MAX_VALUE && second - table.failedSecond >= GC_GRACE_SECONDS;
  }

  /** Notes which views a write is too late for. */
  private void noteLate(Write write) {
    long oldest = (write.seconds - GC_GRACE_SECONDS) * 1_000_000;
    for (Table table : tables) {
      table.viewsLate |= write.isOlder(table.index, oldest);
    }
  }

  /** Whether a write changes views, and may be done in part if it fails. */
  boolean changesViews(Write write) {
    return tables.stream().anyMatch(table -> table.hasViews && write.changes(table.index));
  }

  /**
   * The rows of a table as they were read between two seconds, by partition.
   *
   * @param slice whether only some rows were asked for, which shows no static value without a row
   * @param onlyKey the only element of the maps that was asked for; null for all
   */
  record Seen(
      Table table,
      List<List<Row>> partitions,
      long firstSecond,
      long lastSecond,
      boolean slice,
      @Nullable Integer onlyKey) {
    /** The rows of each partition the other way round. */
    Seen reversed() {
      return with(partitions.stream().map(List::reversed).toList(), slice, onlyKey);
    }

    /** Marks this as the answer to a slice. */
    Seen ofSlice() {
      return with(partitions, true, onlyKey);
    }

    /** Marks this as the answer to a query for one element of each map. */
    Seen ofElement(int key) {
      return with(partitions, slice, key);
    }

    private Seen with(List<List<Row>> rows, boolean isSlice, @Nullable Integer key) {
      return new Seen(table, rows, firstSecond, lastSecond, isSlice, key);
    }
  }

  final List<Table> tables = new ArrayList<>();
  final List<List<State>> possible = new ArrayList<>();

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
    noteLate(write);
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

  static List<State> withOrWithout(List<State> states, Part part) {
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
        .compare(
            seen.partitions.get(p), seen.firstSecond, seen.lastSecond, seen.slice, seen.onlyKey);
  }

  static List<State> agreeing(List<State> states, int p, List<Seen> seen) {
    List<State> left = new ArrayList<>();
    for (State state : states) {
      if (seen.stream().allMatch(each -> compare(state, p, each) == null)) {
        left.add(state);
      }
    }
    return left;
  }

  /** Reports the violation relative to the closest state. */
  ViolationError closest(List<State> states, int p, List<Seen> seen, String what) {
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
        new CrashResolution(this, uncertain, seen, second).resolve(lost, life, shardOf);
      }
    } catch (CrashResolution.UndecidedException e) {
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
}
