package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimFileSystem.Operation;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.local.SimStorage.Outcome;
import io.helenus.storage.local.WriteHistory.Write;
import io.helenus.storage.testing.TestStorageOptions;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A random run of one node's storage: writes and deletions of every kind, reads that stay open,
 * flushes, compactions, truncations, dropped and recreated tables and indexes, full disks, I/O
 * errors, crashes, and restarts with another number of shards. A run is a list of steps, each a
 * number that seeds all of its choices, so that the others can be rerun without it.
 *
 * <p>Every mutation also writes a row with its own number into a second table. After a crash these
 * rows tell which mutations survived; from them the {@link WriteHistory} predicts all contents.
 */
final class StorageSimulation {
  private static final int MARKS = 1;
  private static final int PARTITIONS = 12;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** A wait after which even periodic mode has synced every acknowledged write. */
  private static final long SYNCED_NANOS = 2 * SECOND_NANOS;

  /** A read that stays open while other steps run. */
  private record OpenRead(
      ReadCursor cursor, TextSink sink, int partition, String expected, int openedAt) {}

  final SimStorage storage;
  private final Consumer<String> trace;
  private SimRandomness random;
  private final TestMutations mutations = new TestMutations();
  private final WriteHistory history;
  private final List<OpenRead> reads = new ArrayList<>();
  final IndexChecks indexes;
  private int dataTable = 2;
  private int action;
  private long stoppedNanos;
  private @Nullable List<Write> uncertainTruncation;
  private boolean diskFull;
  private boolean readErrors;
  private int lastReadErrorAction = -1;
  int crashes;
  int checks;

  /**
   * Storage that has not been opened.
   *
   * @param seed determines the sync mode and the initial number of shards
   * @param trace receives one line per event
   */
  StorageSimulation(long seed, Consumer<String> trace) {
    this.trace = trace;
    random = new SimRandomness(seed * 7919 + 17);
    SyncMode mode = SyncMode.values()[random.below(3)];
    int shards = 1 << random.below(3);
    storage =
        new SimStorage(
            seed, TestStorageOptions.of(shards, mode).build(), SimStorage.tables(MARKS, dataTable));
    history = new WriteHistory(storage, this::trace);
    indexes = new IndexChecks(storage);
  }

  /** The steps of a seed. */
  static List<Long> steps(long seed, int count) {
    SimRandomness random = new SimRandomness(seed * 31 + 7);
    List<Long> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      steps.add(random.nextLong());
    }
    return steps;
  }

  /** Runs the steps; returns the hash of all events. */
  long run(List<Long> steps) {
    try {
      storage.open();
      trace("open, " + storage.options.syncMode() + ", shards: " + storage.options.shards());
      for (long step : steps) {
        random = new SimRandomness(step);
        storage.world.reseed(~step);
        step();
        action++;
      }
      finish();
    } catch (IOException | RuntimeException | AssertionError e) {
      throw ViolationError.of(e);
    }
    storage.world.note(storage.files.operations());
    return storage.world.hash();
  }

  private void step() throws IOException {
    try {
      act();
      if (!storage.fatal.isEmpty()) {
        crash();
      }
    } catch (SimulatedCrash crash) {
      crash();
    }
  }

  private void finish() throws IOException {
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
    } else if (dice < 930) {
      changeIndexes();
    } else if (dice < 953) {
      changeFaults();
    } else if (dice < 962) {
      storage.files.crashAfter(1 + random.below(120));
    } else if (dice < 966) {
      throw new SimulatedCrash("at a random moment");
    } else if (dice < 975) {
      settle();
      checkAll();
    }
    if (random.percent(70)) {
      storage.endTicks();
    }
    history.takeAnswers();
    advanceReads();
  }

  // writes

  private void write() {
    int partition = random.below(PARTITIONS);
    write(partition, new RandomActions(storage, random).mutation());
  }

  private void write(int partition, List<ModelTable.Action> actions) {
    int number = history.nextNumber();
    long now = storage.nowSeconds();
    mutations.begin(partition).table(dataTable, actions, now);
    TreeMap<Integer, @Nullable Integer> mark = new TreeMap<>();
    mark.put(1, number);
    long timestamp = new RandomActions(storage, random).timestamp();
    ModelTable.Put row =
        new ModelTable.Put(false, number, true, timestamp, 0, ModelTable.NEVER, mark);
    ByteWriter bytes = mutations.table(MARKS, List.of(row), now).end();
    trace("write " + number + " to partition " + partition + ": " + actions);
    Write write = history.add(partition, actions, crashes);
    storage.engine(partition).apply(bytes.segment(), 0, bytes.size(), write.outcome);
  }

  // reads

  private void startRead() {
    int partition = random.below(PARTITIONS);
    if (reads.size() >= 3 || history.isPending(partition)) {
      return;
    }
    int from = random.percent(50) ? Integer.MIN_VALUE : random.below(RandomActions.CLUSTERINGS);
    int to =
        from == Integer.MIN_VALUE
            ? Integer.MAX_VALUE
            : from + random.below(RandomActions.CLUSTERINGS - from);
    boolean reversed = random.percent(30);
    ReadRequest request =
        SimStorage.request(dataTable, partition, from, to, reversed, storage.nowSeconds());
    String expected = history.showModel(partition, from, to, reversed);
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

  /** Classifies a difference: something is missing, is there in addition, or is out of place. */
  private static Violation name(String expected, String actual) {
    List<String> cells = new ArrayList<>(List.of(actual.split("\\s+")));
    for (String cell : expected.split("\\s+")) {
      if (!cells.remove(cell)) {
        return Violation.LOST_WRITE;
      }
    }
    return cells.isEmpty() ? Violation.WRONG_ROW : Violation.RESURRECTED;
  }

  /**
   * Waits for the responses to all writes. While files cannot be read, no flush ends, and writes
   * may wait for memory until they can be read again.
   */
  private void settle() {
    awaitAnswers();
    if (history.pending() > 0 && readErrors) {
      healFaults();
      awaitAnswers();
    }
    if (history.pending() > 0) {
      throw new ViolationError(
          Violation.NO_ANSWER, "action " + action + ": unanswered: " + history.pending());
    }
  }

  private void awaitAnswers() {
    for (int i = 0; i < 200 && history.pending() > 0; i++) {
      storage.endTicks();
      storage.world.runFor(50_000_000L);
      history.takeAnswers();
      if (!storage.fatal.isEmpty()) {
        throw new SimulatedCrash("fatal error");
      }
    }
  }

  private void letGracePass() {
    settle();
    storage.world.runFor((SimStorage.GRACE_SECONDS + 50L) * SECOND_NANOS);
  }

  /** Durably writes a row whose absence shows that a truncation took effect. */
  private void writeWitness() {
    TreeMap<Integer, @Nullable Integer> cells = new TreeMap<>();
    cells.put(1, action);
    long now = storage.world.clock().wallMicros();
    write(PARTITIONS, List.of(new ModelTable.Put(false, 1, true, now, 0, ModelTable.NEVER, cells)));
    settle();
    storage.world.runFor(SYNCED_NANOS);
  }

  private void truncate() {
    settle();
    trace("truncate");
    writeWitness();
    Outcome outcome = new Outcome();
    List<Write> before = history.all();
    try {
      storage.storage().truncate(dataTable, outcome);
      storage.world.runUntil(() -> outcome.done || !storage.fatal.isEmpty());
    } catch (SimulatedCrash crash) {
      uncertainTruncation = before;
      throw crash;
    }
    if (!outcome.done) {
      uncertainTruncation = before;
      throw new SimulatedCrash("fatal error in a truncation");
    }
    if (outcome.failure == null) {
      history.forgetData(before);
    }
  }

  private void recreate() {
    settle();
    trace("drop and create the table");
    dataTable++;
    history.forgetData(history.all());
    changeTables();
  }

  private void changeIndexes() {
    indexes.change(random);
    trace("change indexes: " + indexes.indexes());
    changeTables();
  }

  private void changeTables() {
    storage.tables =
        new Tables(
            1,
            List.of(SimStorage.table(MARKS), SimStorage.table(dataTable, indexes.indexes())),
            dataTable);
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
      // failed loads may still be reported by reads of later steps
      lastReadErrorAction = action + 100;
    }
    diskFull = false;
    readErrors = false;
    storage.files.capacity(Long.MAX_VALUE);
    storage.files.faults(SimFileSystem.Faults.NONE);
  }

  // crashes

  private void crash() throws IOException {
    int endedRun = crashes++;
    healFaults();
    reads.clear();
    stoppedNanos = storage.lastNanos();
    storage.fatal.clear();
    history.takeAnswers();
    boolean powerLoss = random.percent(50);
    while (true) {
      storage.world.note(powerLoss ? 1 : 2);
      trace(powerLoss ? "power loss" : "kill");
      try {
        LocalStorage opened = reopen(powerLoss);
        resolve(powerLoss, endedRun);
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

  /** Finds the mutations that survived, and compares everything with what follows from them. */
  private void resolve(boolean powerLoss, int endedRun) {
    String moment = "action " + action;
    history.recovered(presentMarks(), powerLoss, endedRun, stoppedNanos, moment);
    List<Write> truncated = uncertainTruncation;
    if (truncated != null) {
      uncertainTruncation = null;
      if (!showAll().equals(history.modelText())) {
        history.forgetData(truncated);
      }
    }
    checkAll();
  }

  private Set<Integer> presentMarks() {
    Set<Integer> present = new HashSet<>();
    for (StringBuilder rows : storage.scan(MARKS).partitions.values()) {
      rows.toString()
          .lines()
          .forEach(line -> present.add(Integer.parseInt(line.substring(0, line.indexOf(' ')))));
    }
    return present;
  }

  private String showAll() {
    StringBuilder text = new StringBuilder();
    storage
        .scan(dataTable)
        .partitions
        .forEach((partition, shown) -> text.append(partition).append(":\n").append(shown));
    return text.toString();
  }

  /** Compares the whole table by a scan, and one partition by a read. */
  private void checkAll() {
    if (readErrors) {
      return;
    }
    String scanned = showAll();
    check(history.modelText(), scanned, "scan");
    int partition = random.below(PARTITIONS);
    String read = storage.read(dataTable, partition);
    check(history.showModel(partition), read, "read of " + partition);
    indexes.check(dataTable, random);
  }
}
