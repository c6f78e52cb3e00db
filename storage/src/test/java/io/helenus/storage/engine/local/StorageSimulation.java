package io.helenus.storage.engine.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.local.SimStorage.Outcome;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.testing.TestStorageOptions;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A random life of one node's storage: writes and deletions of every kind, reads that stay open,
 * flushes, compactions, truncations, tables that come and go, full disks, errors, crashes, other
 * numbers of shards. A life is a list of steps, each a number from which all its choices are drawn,
 * so that the rest can be run again without it.
 *
 * <p>Every mutation also writes a row with its own number into a second table, so that after a
 * crash it is known which of them are there; from those the model predicts everything else. What
 * was acknowledged must be there, with one exception: a power loss in periodic mode may take what
 * was acknowledged within the last sync period. Even then each shard's log survives up to some
 * record: of the mutations that one shard took since the last start, in the order in which it took
 * them, none is there behind one that is not.
 */
final class StorageSimulation {
  private static final int MARKS = 1;
  private static final int PARTITIONS = 12;
  private static final int CLUSTERINGS = 12;
  private static final int PATHS = 4;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long SYNC_SLACK_NANOS = SECOND_NANOS;

  /** A mutation and what is known about it. */
  private static final class Op {
    final int number;
    final int partition;
    final List<ModelTable.Action> actions;
    final Outcome outcome;
    final int shard;
    final int life;
    long answeredNanos = Long.MAX_VALUE;
    boolean inModel;
    boolean dataGone;

    Op(
        int number,
        int partition,
        List<ModelTable.Action> actions,
        Outcome outcome,
        int shard,
        int life) {
      this.shard = shard;
      this.life = life;
      this.number = number;
      this.partition = partition;
      this.actions = actions;
      this.outcome = outcome;
    }

    boolean isRefused() {
      return outcome.done && outcome.failure != null;
    }
  }

  /** A read in progress, during other actions. */
  private record OpenRead(
      ReadCursor cursor, TextSink sink, int partition, String expected, int openedAt) {}

  final SimStorage storage;
  private final Consumer<String> trace;
  private SimRandomness random;
  private final TestMutations mutations = new TestMutations();
  private final List<Op> ops = new ArrayList<>();
  private final List<Op> pending = new ArrayList<>();
  private final List<OpenRead> reads = new ArrayList<>();
  private ModelTable model = new ModelTable();
  private int dataTable = 2;
  private int action;
  private long stoppedNanos;
  private boolean diskFull;
  private boolean readErrors;
  private int lastReadErrorAction = -1;
  private int lifeThatEnded;
  int crashes;
  int checks;

  /**
   * Storage that has not been opened.
   *
   * @param seed decides the sync mode and the number of shards at first
   * @param trace gets a line for everything that happens
   */
  StorageSimulation(long seed, Consumer<String> trace) {
    this.trace = trace;
    random = new SimRandomness(seed * 7919 + 17);
    SyncMode mode = SyncMode.values()[random.below(3)];
    int shards = 1 << random.below(3);
    storage =
        new SimStorage(
            seed, TestStorageOptions.of(shards, mode).build(), SimStorage.tables(MARKS, dataTable));
  }

  /** The steps that a seed stands for. */
  static List<Long> steps(long seed, int count) {
    SimRandomness random = new SimRandomness(seed * 31 + 7);
    List<Long> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      steps.add(random.nextLong());
    }
    return steps;
  }

  /** Lives through the steps; returns the hash of events. */
  long run(List<Long> steps) {
    try {
      storage.open();
      trace("open, " + storage.options.syncMode() + ", shards: " + storage.options.shards());
      for (long step : steps) {
        random = new SimRandomness(step);
        storage.world.reseed(~step);
        live();
        action++;
      }
      end();
    } catch (IOException | RuntimeException | AssertionError e) {
      throw ViolationError.of(e);
    }
    storage.world.note(storage.files.operations());
    return storage.world.hash();
  }

  private void live() throws IOException {
    try {
      act();
      if (!storage.fatal.isEmpty()) {
        crash();
      }
    } catch (SimulatedCrash crash) {
      crash();
    }
  }

  private void end() throws IOException {
    try {
      healFaults();
      settle();
      checkAll();
    } catch (SimulatedCrash crash) {
      crash();
    }
  }

  private void trace(String what) {
    trace.accept(action + " " + what);
  }

  private void act() {
    int dice = random.below(1000);
    if (dice < 560) {
      write();
    } else if (dice < 700) {
      startRead();
    } else if (dice < 800) {
      for (int i = random.below(30); i >= 0; i--) {
        boolean ran = storage.world.step();
        assert ran || storage.world.steps() >= 0;
      }
    } else if (dice < 860) {
      storage.world.runFor(random.below(300) * 1_000_000L);
    } else if (dice < 890) {
      trace("flush");
      storage.storage().flush(0, new Outcome());
    } else if (dice < 905) {
      trace("compact");
      storage.storage().compact(0, new Outcome());
    } else if (dice < 912) {
      letGracePass();
    } else if (dice < 920) {
      truncate();
    } else if (dice < 924) {
      recreate();
    } else if (dice < 950) {
      changeFaults();
    } else if (dice < 960) {
      storage.files.crashAfter(1 + random.below(120));
    } else if (dice < 966) {
      throw new SimulatedCrash("a random moment");
    } else if (dice < 975) {
      settle();
      checkAll();
    }
    if (random.percent(70)) {
      storage.endTicks();
    }
    takeAnswers();
    advanceReads();
  }

  // writes

  private void write() {
    int partition = random.below(PARTITIONS);
    List<ModelTable.Action> actions = new ArrayList<>();
    for (int i = 1 + random.below(3); i > 0; i--) {
      actions.add(randomAction());
    }
    write(partition, actions);
  }

  private void write(int partition, List<ModelTable.Action> actions) {
    int number = ops.size();
    long now = storage.nowSeconds();
    mutations.begin(partition).table(dataTable, actions, now);
    TreeMap<Integer, @Nullable Integer> mark = new TreeMap<>();
    mark.put(1, number);
    ModelTable.Put row =
        new ModelTable.Put(false, number, true, timestamp(), 0, ModelTable.NEVER, mark);
    ByteWriter bytes = mutations.table(MARKS, List.of(row), now).end();
    Outcome outcome = new Outcome();
    int shard = new ShardMap(storage.options.shards()).shardOf(TestKeys.token(partition));
    Op op = new Op(number, partition, actions, outcome, shard, crashes);
    trace("write " + number + " to partition " + partition + ": " + actions);
    ops.add(op);
    pending.add(op);
    storage.engine(partition).apply(bytes.segment(), 0, bytes.size(), outcome);
  }

  private long timestamp() {
    long jitter = random.percent(20) ? random.below(2_000_000) : 0;
    return storage.world.clock().wallMicros() - jitter;
  }

  private ModelTable.Action randomAction() {
    int dice = random.below(100);
    int clustering = random.below(CLUSTERINGS);
    if (dice < 4) {
      return new ModelTable.DeletePartition(timestamp());
    } else if (dice < 12) {
      return new ModelTable.DeleteRange(
          clustering, clustering + random.below(CLUSTERINGS - clustering), timestamp());
    } else if (dice < 22) {
      return new ModelTable.DeleteRow(clustering, timestamp());
    }
    boolean isStatic = dice < 30;
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    if (isStatic) {
      cells.put(ModelTable.STATIC_COLUMN, value());
    } else {
      for (int column = 1; column <= 3; column++) {
        if (random.percent(60)) {
          cells.put(column, value());
        }
      }
    }
    ModelTable.Elements elements =
        isStatic || random.percent(60) ? ModelTable.Elements.UNTOUCHED : elements();
    boolean insert = !isStatic && (random.percent(60) || cells.isEmpty());
    boolean live =
        cells.values().stream().noneMatch(java.util.Objects::isNull)
            && elements.cells().values().stream().noneMatch(java.util.Objects::isNull);
    int ttl = live && random.percent(20) ? 1 + random.below(150) : 0;
    // ties are for plain values and tombstones only
    long timestamp = ttl > 0 ? storage.world.clock().wallMicros() : timestamp();
    long expiry = ttl > 0 ? storage.nowSeconds() + ttl : ModelTable.NEVER;
    return new ModelTable.Put(
        isStatic, clustering, insert, timestamp, ttl, expiry, cells, elements);
  }

  /** A random overwrite or change of elements of the multi-cell column. */
  private ModelTable.Elements elements() {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    for (int path = 0; path < PATHS; path++) {
      if (random.percent(40)) {
        cells.put(path, value());
      }
    }
    return new ModelTable.Elements(random.percent(40), cells);
  }

  private @Nullable Integer value() {
    return random.percent(20) ? null : Integer.valueOf(random.below(1_000_000));
  }

  private void takeAnswers() {
    for (Iterator<Op> i = pending.iterator(); i.hasNext(); ) {
      Op op = i.next();
      if (op.outcome.done) {
        trace("  " + op.number + (op.outcome.failure == null ? " written" : " refused"));
        i.remove();
        op.answeredNanos = storage.world.clock().nanos();
        if (op.outcome.failure == null) {
          addToModel(op);
        }
      }
    }
  }

  private void addToModel(Op op) {
    op.inModel = true;
    if (!op.dataGone) {
      op.actions.forEach(done -> model.apply(op.partition, done));
    }
  }

  private boolean isPending(int partition) {
    return pending.stream().anyMatch(op -> op.partition == partition);
  }

  // reads

  private void startRead() {
    int partition = random.below(PARTITIONS);
    if (reads.size() >= 3 || isPending(partition)) {
      return;
    }
    int from = random.percent(50) ? Integer.MIN_VALUE : random.below(CLUSTERINGS);
    int to =
        from == Integer.MIN_VALUE ? Integer.MAX_VALUE : from + random.below(CLUSTERINGS - from);
    boolean reversed = random.percent(30);
    ReadRequest request =
        SimStorage.request(dataTable, partition, from, to, reversed, storage.nowSeconds());
    String expected = model.show(partition, storage.nowSeconds(), from, to, reversed);
    ReadCursor cursor = storage.engine(partition).read(request);
    TextSink sink = new TextSink(request.nowSeconds());
    reads.add(new OpenRead(cursor, sink, partition, expected, action));
  }

  private void advanceReads() {
    for (Iterator<OpenRead> i = reads.iterator(); i.hasNext(); ) {
      OpenRead read = i.next();
      if (random.percent(50)) {
        continue;
      }
      try {
        ReadCursor.Status status = read.cursor.advance(read.sink);
        if (status == ReadCursor.Status.WAITING) {
          read.cursor.whenReady(() -> storage.world.note(read.partition));
          continue;
        }
        if (status == ReadCursor.Status.YIELD) {
          continue;
        }
        check(
            read.expected, read.sink.partition(read.partition), "read of action " + read.openedAt);
      } catch (StorageException e) {
        if (!readErrors && read.openedAt > lastReadErrorAction) {
          throw new ViolationError(Violation.UNREADABLE, e.getMessage(), e);
        }
      }
      read.cursor.close();
      i.remove();
    }
  }

  private void check(String expected, String actual, String what) {
    checks++;
    storage.world.note(actual);
    if (!expected.equals(actual)) {
      throw new ViolationError(
          name(expected, actual),
          what + ", action " + action + ":\nexpected\n" + expected + "but was\n" + actual);
    }
  }

  /** What a difference is called: by lines that are missing, too many or different. */
  private static Violation name(String expected, String actual) {
    List<String> cells = new ArrayList<>(List.of(actual.split("\\s+")));
    for (String cell : expected.split("\\s+")) {
      if (!cells.remove(cell)) {
        return Violation.LOST_WRITE;
      }
    }
    return cells.isEmpty() ? Violation.WRONG_ROW : Violation.RESURRECTED;
  }

  // what is done to all of it

  /** Runs until every write is acknowledged or refused. */
  private void settle() {
    for (int i = 0; i < 200 && !pending.isEmpty(); i++) {
      storage.endTicks();
      storage.world.runFor(50_000_000L);
      takeAnswers();
      if (!storage.fatal.isEmpty()) {
        throw new SimulatedCrash("a fatal failure");
      }
    }
    if (!pending.isEmpty()) {
      throw new ViolationError(
          Violation.NO_ANSWER, "action " + action + ": unanswered: " + pending.size());
    }
  }

  private void letGracePass() {
    settle();
    storage.world.runFor((SimStorage.GRACE_SECONDS + 50L) * SECOND_NANOS);
  }

  /** Writes a row durably that later shows whether a truncation took effect. */
  private void writeWitness() {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    cells.put(1, action);
    long now = storage.world.clock().wallMicros();
    write(PARTITIONS, List.of(new ModelTable.Put(false, 1, true, now, 0, ModelTable.NEVER, cells)));
    settle();
    storage.world.runFor(2 * SYNC_SLACK_NANOS);
  }

  private void truncate() {
    settle();
    trace("truncate");
    writeWitness();
    Outcome outcome = new Outcome();
    List<Op> before = List.copyOf(ops);
    try {
      storage.storage().truncate(dataTable, outcome);
      storage.world.runUntil(() -> outcome.done || !storage.fatal.isEmpty());
    } catch (SimulatedCrash crash) {
      uncertainTruncation = before;
      throw crash;
    }
    if (!outcome.done) {
      uncertainTruncation = before;
      throw new SimulatedCrash("a truncation that failed fatally");
    }
    if (outcome.failure == null) {
      forgetData(before);
    }
  }

  private @Nullable List<Op> uncertainTruncation;

  private void forgetData(List<Op> gone) {
    gone.forEach(op -> op.dataGone = true);
    rebuildModel();
  }

  private void rebuildModel() {
    model = new ModelTable();
    for (Op op : ops) {
      if (op.inModel && !op.dataGone) {
        op.actions.forEach(done -> model.apply(op.partition, done));
      }
    }
  }

  private void recreate() {
    settle();
    trace("drop and create the table");
    dataTable++;
    storage.tables = SimStorage.tables(MARKS, dataTable);
    forgetData(List.copyOf(ops));
    Outcome outcome = new Outcome();
    storage.storage().tablesChanged(storage.tables, outcome);
    storage.world.runUntil(() -> outcome.done || !storage.fatal.isEmpty());
  }

  private void changeFaults() {
    if (diskFull || readErrors || storage.files.capacity() != Long.MAX_VALUE) {
      healFaults();
      return;
    }
    int dice = random.below(100);
    trace("disk fault " + (dice < 45 ? "full" : dice < 90 ? "read" : "sync"));
    if (dice < 45) {
      diskFull = true;
      storage.files.capacity(storage.files.usedBytes() + random.below(20_000));
    } else if (dice < 90) {
      readErrors = true;
      fail(Operation.READ, "sstables/", 50);
    } else {
      fail(Operation.SYNC, "", 20);
    }
  }

  private void fail(Operation failing, String pathStart, int percent) {
    SimRandomness dice = random.split();
    storage.files.faults(
        (operation, path) -> {
          if (operation == failing && path.startsWith(pathStart) && dice.percent(percent)) {
            throw new IOException(path + ": input/output error");
          }
        });
  }

  private void healFaults() {
    if (readErrors) {
      // failed loads may be reported later
      lastReadErrorAction = action + 100;
    }
    diskFull = false;
    readErrors = false;
    storage.files.capacity(Long.MAX_VALUE);
    storage.files.faults(SimFileSystem.Faults.NONE);
  }

  // crashes

  private void crash() throws IOException {
    lifeThatEnded = crashes++;
    healFaults();
    reads.clear();
    stoppedNanos = storage.lastNanos();
    storage.fatal.clear();
    takeAnswers();
    boolean powerLoss = random.percent(50);
    while (true) {
      storage.world.note(powerLoss ? 1 : 2);
      trace(powerLoss ? "power loss" : "kill");
      try {
        LocalStorage opened = reopen(powerLoss);
        resolve(powerLoss);
        assert opened != null;
        return;
      } catch (SimulatedCrash again) {
        powerLoss |= random.percent(50);
        crashes++;
      }
    }
  }

  private LocalStorage reopen(boolean powerLoss) throws IOException {
    storage.prepareCrash(powerLoss, 1 << random.below(3));
    if (random.percent(30)) {
      storage.files.crashAfter(1 + random.below(60));
    }
    try {
      LocalStorage opened = storage.open();
      storage.endTicks();
      return opened;
    } catch (IOException | StorageException e) {
      throw new ViolationError(Violation.NOT_STARTED, e.getMessage(), e);
    }
  }

  /** Determines which uncertain mutations survived, and checks that all certain ones did. */
  private void resolve(boolean powerLoss) {
    Set<Integer> present = new HashSet<>();
    TextSink marks = storage.scan(MARKS);
    marks
        .partitions
        .values()
        .forEach(
            text ->
                text.toString()
                    .lines()
                    .forEach(
                        line ->
                            present.add(Integer.parseInt(line.substring(0, line.indexOf(' '))))));
    boolean mayForget = powerLoss && storage.options.syncMode() == SyncMode.PERIODIC;
    long certainBefore = stoppedNanos - 100_000_000L - SYNC_SLACK_NANOS;
    Map<Integer, Op> missing = new HashMap<>();
    for (Op op : ops) {
      boolean there = present.contains(op.number);
      if (op.isRefused() && there) {
        throw new ViolationError(Violation.REFUSED_WRITE_APPLIED, "mutation " + op.number);
      }
      if (powerLoss && op.life == lifeThatEnded && !op.isRefused()) {
        checkPrefix(op, there, missing);
      }
      boolean certain = op.inModel && !(mayForget && op.answeredNanos > certainBefore);
      if (certain && !there) {
        throw new ViolationError(
            Violation.LOST_WRITE,
            "action "
                + action
                + ": mutation "
                + op.number
                + " was acknowledged but is lost, "
                + storage.options.syncMode()
                + (powerLoss ? " after a power loss" : " after a kill"));
      }
      op.inModel = there;
      if (!op.outcome.done) {
        // it was not acknowledged, but must stay visible from now on
        op.outcome.done = true;
        op.answeredNanos = storage.world.clock().nanos();
      }
    }
    pending.clear();
    rebuildModel();
    List<Op> truncated = uncertainTruncation;
    if (truncated != null) {
      uncertainTruncation = null;
      if (!showAll().equals(modelText())) {
        forgetData(truncated);
      }
    }
    checkAll();
  }

  /** No record of a log survives one before it. */
  private static void checkPrefix(Op op, boolean there, Map<Integer, Op> missing) {
    Op before = missing.get(op.shard);
    if (there && before != null) {
      throw new ViolationError(
          Violation.HOLE_IN_LOG,
          "shard " + op.shard + ": " + op.number + " is there, " + before.number + " is not");
    }
    if (!there) {
      missing.putIfAbsent(op.shard, op);
    }
  }

  private String modelText() {
    StringBuilder text = new StringBuilder();
    for (int partition : model.partitionKeys()) {
      String shown = showModel(partition);
      if (!shown.isEmpty()) {
        text.append(partition).append(":\n").append(shown);
      }
    }
    return text.toString();
  }

  private String showModel(int partition) {
    return model.show(partition, storage.nowSeconds(), Integer.MIN_VALUE, Integer.MAX_VALUE, false);
  }

  private String showAll() {
    StringBuilder text = new StringBuilder();
    storage
        .scan(dataTable)
        .partitions
        .forEach((partition, shown) -> text.append(partition).append(":\n").append(shown));
    return text.toString();
  }

  /** Compares the whole table, by a scan and partition by partition. */
  private void checkAll() {
    if (readErrors) {
      return;
    }
    String scanned = showAll();
    check(modelText(), scanned, "scan");
    int partition = random.below(PARTITIONS);
    String read = storage.read(dataTable, partition);
    check(showModel(partition), read, "read of " + partition);
  }
}
