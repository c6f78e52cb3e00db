package io.helenus.storage.local;

import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * All mutations of a simulation, and the table contents that follow from them. After a crash it
 * checks that no mutation was lost that had to survive.
 *
 * <p>Every acknowledged mutation must survive, with one exception: a power loss in periodic mode
 * may discard mutations acknowledged within the last sync period. Even then each shard's log
 * survives up to some record: among the mutations that a shard accepted since the last start, in
 * that order, none survives after a lost one.
 */
final class WriteHistory {
  private static final long SYNC_PERIOD_NANOS = 100_000_000L;
  private static final long SYNC_SLACK_NANOS = 1_000_000_000L;

  /** A mutation and its known state. */
  static final class Write {
    final int number;
    final int partition;
    final List<ModelTable.Action> actions;
    final Outcome outcome;
    final int shard;

    /** The run of the process that took it; each crash begins the next. */
    final int run;

    private long answeredNanos = Long.MAX_VALUE;
    private boolean inModel;

    /** Whether the table has since been truncated or dropped. */
    private boolean dataGone;

    private Write(
        int number,
        int partition,
        List<ModelTable.Action> actions,
        Outcome outcome,
        int shard,
        int run) {
      this.shard = shard;
      this.run = run;
      this.number = number;
      this.partition = partition;
      this.actions = actions;
      this.outcome = outcome;
    }

    boolean isRefused() {
      return outcome.done && outcome.failure != null;
    }
  }

  private final SimStorage storage;
  private final Consumer<String> trace;
  private final List<Write> writes = new ArrayList<>();
  private final List<Write> pending = new ArrayList<>();
  private ModelTable model = new ModelTable();

  /**
   * An empty history.
   *
   * @param trace receives a line per response
   */
  WriteHistory(SimStorage storage, Consumer<String> trace) {
    this.storage = storage;
    this.trace = trace;
  }

  /** The number of the next mutation. */
  int nextNumber() {
    return writes.size();
  }

  /** Adds the next mutation, which is about to be applied. */
  Write add(int partition, List<ModelTable.Action> actions, int run) {
    int shard = new ShardMap(storage.options.shards()).shardOf(TestKeys.token(partition));
    Write write = new Write(writes.size(), partition, actions, new Outcome(), shard, run);
    writes.add(write);
    pending.add(write);
    return write;
  }

  /** The mutations so far. */
  List<Write> all() {
    return List.copyOf(writes);
  }

  /** How many mutations are unanswered. */
  int pending() {
    return pending.size();
  }

  /** Records the responses that have arrived since the last call. */
  void takeAnswers() {
    for (Iterator<Write> i = pending.iterator(); i.hasNext(); ) {
      Write write = i.next();
      if (write.outcome.done) {
        trace.accept(
            "  " + write.number + (write.outcome.failure == null ? " written" : " refused"));
        i.remove();
        write.answeredNanos = storage.world.clock().nanos();
        if (write.outcome.failure == null) {
          addToModel(write);
        }
      }
    }
  }

  private void addToModel(Write write) {
    write.inModel = true;
    if (!write.dataGone) {
      write.actions.forEach(done -> model.apply(write.partition, done));
    }
  }

  /** Whether a write to a partition is unanswered. */
  boolean isPending(int partition) {
    return pending.stream().anyMatch(write -> write.partition == partition);
  }

  /** Removes the rows of a truncated or dropped table from the model. */
  void forgetData(List<Write> gone) {
    gone.forEach(write -> write.dataGone = true);
    rebuildModel();
  }

  private void rebuildModel() {
    model = new ModelTable();
    for (Write write : writes) {
      if (write.inModel && !write.dataGone) {
        write.actions.forEach(done -> model.apply(write.partition, done));
      }
    }
  }

  /**
   * Settles after a crash which uncertain mutations survived, and checks that all certain ones did.
   *
   * @param present the numbers of the mutations that were found
   * @param endedRun the run of the process that the crash ended
   * @param stoppedNanos when it ended
   * @param moment the moment in the simulation, for failure messages
   */
  void recovered(
      Set<Integer> present, boolean powerLoss, int endedRun, long stoppedNanos, String moment) {
    boolean mayForget = powerLoss && storage.options.syncMode() == SyncMode.PERIODIC;
    long certainBefore = stoppedNanos - SYNC_PERIOD_NANOS - SYNC_SLACK_NANOS;
    Map<Integer, Write> missing = new HashMap<>();
    for (Write write : writes) {
      boolean there = present.contains(write.number);
      if (write.isRefused() && there) {
        throw new ViolationError(Violation.REFUSED_WRITE_APPLIED, "mutation " + write.number);
      }
      if (powerLoss && write.run == endedRun && !write.isRefused()) {
        checkPrefix(write, there, missing);
      }
      boolean certain = write.inModel && !(mayForget && write.answeredNanos > certainBefore);
      if (certain && !there) {
        throw new ViolationError(
            Violation.LOST_WRITE,
            moment
                + ": mutation "
                + write.number
                + " was acknowledged but is lost, "
                + storage.options.syncMode()
                + (powerLoss ? " after a power loss" : " after a kill"));
      }
      write.inModel = there;
      if (!write.outcome.done) {
        // never acknowledged, but what it did must not change from now on
        write.outcome.done = true;
        write.answeredNanos = storage.world.clock().nanos();
      }
    }
    pending.clear();
    rebuildModel();
  }

  /** Within a log, no record may survive a lost earlier one. */
  private static void checkPrefix(Write write, boolean there, Map<Integer, Write> missing) {
    Write before = missing.get(write.shard);
    if (there && before != null) {
      throw new ViolationError(
          Violation.HOLE_IN_LOG,
          "shard " + write.shard + ": " + write.number + " is there, " + before.number + " is not");
    }
    if (!there) {
      missing.putIfAbsent(write.shard, write);
    }
  }

  /** The whole table as the model expects it. */
  String modelText() {
    StringBuilder text = new StringBuilder();
    for (int partition : model.partitionKeys()) {
      String shown = showModel(partition);
      if (!shown.isEmpty()) {
        text.append(partition).append(":\n").append(shown);
      }
    }
    return text.toString();
  }

  /** A partition as the model expects it. */
  String showModel(int partition) {
    return model.show(partition, storage.nowSeconds(), Integer.MIN_VALUE, Integer.MAX_VALUE, false);
  }

  /** A slice of a partition as the model expects it. */
  String showModel(int partition, int from, int to, boolean reversed) {
    return model.show(partition, storage.nowSeconds(), from, to, reversed);
  }
}
