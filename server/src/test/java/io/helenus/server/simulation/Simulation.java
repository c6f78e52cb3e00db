package io.helenus.server.simulation;

import io.helenus.server.client.Response;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a node: random statements on a few tables, batches, scans page by page, flushes,
 * compactions, failing and full disks, timeouts, crashes, restarts with another number of shards,
 * and repeated comparisons of all readable data with the {@link Model}.
 *
 * <p>A run is a list of steps. Each is a number that seeds all of its choices, so that the others
 * can be rerun without it. A request may fail only if the simulation has caused it, by a failing or
 * hanging disk.
 */
final class Simulation {
  private static final int[] SHARDS = {1, 2, 4};
  private static final int LAST_TABLE_ID = 400;
  private static final int LARGE_ROWS = 100;
  private static final int OVERSIZED_ROWS = 400;
  private static final int LARGE_ELEMENTS = 200;
  private static final int WRITE_TIMEOUT = 0x1100;

  /** A sync of the log may end this much later than its period. */
  private static final long SYNC_SLACK_NANOS = 20_000_000L;

  private static final long DISK_STALL_NANOS = 4_000_000_000L;

  /** The indexes of each table. */
  private static final int INDEXES = 2;

  static final long CALM_NANOS = 1_000_000_000L;

  final SimWorld world;
  private final SimFileSystem disk;
  private final FileSystem files;
  private final SyncMode syncMode;
  private final SimNode.Hooks hooks;
  private final Consumer<String> trace;
  final Model model = new Model();
  private final Statements statements = new Statements();
  final DiskFaults faults;
  private final ReadChecks reads;
  SimRandomness choices;
  SimNode node;
  private int life;
  private long startedNanos;
  long stalledUntilNanos = Long.MIN_VALUE;
  private long durableHorizonNanos = Long.MIN_VALUE;

  /**
   * A node with empty files.
   *
   * @param seed determines the sync mode and the initial number of shards
   * @param trace receives one line per event
   */
  Simulation(long seed, SimNode.Hooks hooks, Consumer<String> trace) {
    this.hooks = hooks;
    this.trace = trace;
    this.world = new SimWorld(seed);
    this.choices = new SimRandomness(seed ^ 0x5DEECE66DL);
    this.disk = new SimFileSystem(choices.split());
    this.files = hooks.files(disk);
    this.syncMode = SyncMode.values()[choices.below(3)];
    this.faults = new DiskFaults(disk);
    this.node = start();
    this.reads = new ReadChecks(this);
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
      require(
          "CREATE KEYSPACE sim WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 1}");
      model.tables.forEach(this::create);
      for (long step : steps) {
        choices = new SimRandomness(step);
        world.reseed(~step);
        act();
        if (node.fatal != null) {
          crash(choices.percent(50));
        }
      }
      finish();
    } catch (RuntimeException | AssertionError e) {
      throw ViolationError.of(e);
    }
    return world.hash();
  }

  private void act() {
    int dice = choices.below(1_000);
    if (dice < 440) {
      write(dice);
    } else if (dice < 520) {
      batch(dice < 485);
    } else if (dice < 524) {
      large(OVERSIZED_ROWS);
    } else if (dice < 530) {
      largeMap();
    } else if (dice < 555) {
      trace("flush");
      node.flush();
    } else if (dice < 590) {
      trace("compact");
      compact();
    } else if (dice < 620) {
      define();
    } else if (dice < 635) {
      truncate(model.tables.get(choices.below(Model.TABLES)));
    } else if (dice < 665) {
      reads.scan();
    } else if (dice < 680) {
      reads.abortScan();
    } else if (dice < 720) {
      changeFaults();
    } else if (dice < 735) {
      stallDisk();
    } else if (dice < 775) {
      passTime();
    } else if (dice < 860) {
      runSteps(choices.below(40));
    } else if (dice < 950) {
      reads.compareAll();
    } else if (dice < 970) {
      crashSoon(false);
    } else if (dice < 990) {
      crashSoon(true);
    } else {
      stopAndStart();
    }
  }

  private SimNode start() {
    int shards = SHARDS[choices.below(SHARDS.length)];
    life++;
    trace("start " + life + ", " + syncMode + ", shards: " + shards);
    SimNode started = new SimNode(world, files, shards, syncMode, hooks);
    startedNanos = world.clock().nanos();
    return started;
  }

  void trace(String what) {
    trace.accept(seconds() + " " + what);
  }

  long seconds() {
    return world.clock().wallMicros() / 1_000_000;
  }

  // requests

  Runnable send(SimNode.Query query, Consumer<Response> whenAnswered) {
    trace(query.cql());
    return node.query(choices.below(node.shards()), query, whenAnswered);
  }

  /** Null if the node stopped before responding. */
  @Nullable Response ask(SimNode.Query query) {
    Response[] answer = new Response[1];
    Runnable unused = send(query, response -> answer[0] = response);
    assert unused != null;
    node.await(() -> answer[0] != null);
    return answer[0];
  }

  void require(String cql) {
    if (!(ask(SimNode.Query.of(cql)) instanceof Response answer)
        || answer instanceof Response.Failure) {
      throw new ViolationError(Violation.UNEXPECTED_ERROR, cql + ": no result");
    }
  }

  /** Whether the simulation has caused failures since a given time. */
  private boolean isDisturbed(long sinceNanos) {
    return node.fatal != null
        || faults.areActive()
        || faults.lastActiveNanos >= sinceNanos - CALM_NANOS
        || stalledUntilNanos >= sinceNanos - CALM_NANOS;
  }

  // writes

  private void write(int dice) {
    Model.Table table = model.tables.get(dice % Model.TABLES);
    if (table.exists) {
      submit(statements.single(choices, table, seconds()), false);
    }
  }

  private void batch(boolean spanning) {
    if (model.tables.stream().allMatch(table -> table.exists)) {
      submit(statements.batch(choices, model.tables, seconds(), spanning), false);
    }
  }

  /**
   * A batch of many rows: a few of these fill a log segment, and more than half a segment is
   * rejected.
   */
  private void large(int rows) {
    Model.Table table = model.tables.getFirst();
    if (table.exists) {
      submit(statements.large(choices, table, seconds(), rows), rows == OVERSIZED_ROWS);
    }
  }

  private void largeMap() {
    Model.Table table = model.tables.getLast();
    // with the changes of its views it would be too large for a segment
    if (table.exists && !table.hasViews) {
      submit(statements.largeMap(choices, table, seconds(), LARGE_ELEMENTS), false);
    }
  }

  private void submit(Write write, boolean mayBeRefused) {
    if (model.pending.size() >= 10) {
      settle();
    }
    write.life = life;
    write.submittedNanos = world.clock().nanos();
    model.submitted(write);
    SimNode asked = node;
    Runnable unused =
        send(
            new SimNode.Query(write.cql, write.seconds, -1, null),
            response -> {
              if (asked == node && model.pending.contains(write)) {
                answered(write, response, mayBeRefused);
              }
            });
    assert unused != null;
  }

  private void answered(Write write, Response response, boolean mayBeRefused) {
    if (!(response instanceof Response.Failure failure)) {
      model.acknowledged(write, world.clock().nanos(), seconds(), syncMode == SyncMode.PERIODIC);
      return;
    }
    trace("  " + failure.message());
    model.failed(seconds());
    if (!mayBeRefused && !isDisturbed(write.submittedNanos)) {
      throw new ViolationError(Violation.UNEXPECTED_ERROR, write.cql + ": " + failure.message());
    }
    boolean unknown = failure.code() == WRITE_TIMEOUT || faults.isLogFailing();
    if (unknown || write.spansPartitions() || model.changesViews(write)) {
      model.timedOut(write);
    } else {
      model.refused(write);
    }
  }

  /** Waits for the responses to all writes. */
  void settle() {
    node.await(model.pending::isEmpty);
    if (node.fatal != null) {
      crash(choices.percent(50));
    }
  }

  /** Ends all faults and waits until their effects are over. */
  void calm() {
    faults.heal(world.clock().nanos());
    if (stalledUntilNanos > world.clock().nanos()) {
      world.runFor(stalledUntilNanos - world.clock().nanos());
    }
    settle();
    if (isDisturbed(world.clock().nanos())) {
      world.runFor(CALM_NANOS + 1);
    }
    settle();
  }

  // definitions

  private void define() {
    calm();
    Model.Table table = model.tables.get(choices.below(Model.TABLES));
    if (!table.exists) {
      create(table);
    } else if (table.hasViews) {
      reads.views.drop(table);
    } else if (table == model.tables.getLast() && table.hasW && choices.percent(50)) {
      reads.views.create(table);
    } else if (choices.below(3) == 0) {
      require("DROP TABLE sim." + table.name);
      model.dropped(table);
      table.exists = false;
    } else if (table.hasW) {
      // never before an earlier drop: the later statement would win and bring back old data
      long timestamp = Math.max(table.droppedAt, Statements.newest(seconds()));
      require("ALTER TABLE sim." + table.name + " DROP w USING TIMESTAMP " + timestamp);
      table.hasW = false;
      table.droppedAt = timestamp;
    } else {
      require("ALTER TABLE sim." + table.name + " ADD w int");
      table.hasW = true;
    }
  }

  private void create(Model.Table table) {
    String collection = table.sets ? "set<int>" : "map<int, int>";
    require(
        "CREATE TABLE sim."
            + table.name
            + " (p int, c int, d int, s int static, sm "
            + collection
            + " static, v int, w int, m "
            + collection
            + ", PRIMARY KEY (p, c, d)) WITH"
            + " CLUSTERING ORDER BY (c ASC, d DESC) AND "
            + table.options());
    require("CREATE INDEX ON sim." + table.name + " (v)");
    require("CREATE INDEX ON sim." + table.name + " (s) USING 'sai'");
    table.exists = true;
    table.hasW = true;
    table.droppedAt = Long.MIN_VALUE;
    if (table == model.tables.getLast()) {
      reads.views.create(table);
    }
  }

  void truncate(Model.Table table) {
    if (table.exists) {
      calm();
      require("TRUNCATE sim." + table.name);
      model.truncated(table);
    }
  }

  void compact() {
    var unused = node.compact();
    assert unused != null;
  }

  // faults and time

  private void changeFaults() {
    if (faults.areActive()) {
      calm();
      reads.compareAll();
    } else {
      trace(faults.begin(choices));
      for (int i = choices.below(8); i > 0; i--) {
        write(i);
        large(faults.isFull() ? LARGE_ROWS : 1);
      }
      if (choices.percent(70)) {
        node.flush();
        compact();
      }
      runSteps(choices.below(60));
    }
  }

  private void stallDisk() {
    long nanos = choices.below(2) == 0 ? DISK_STALL_NANOS : DISK_STALL_NANOS / 20;
    advanceHorizon();
    trace("the disk hangs for " + nanos / 1_000_000 + " ms");
    node.stallDisk(nanos);
    stalledUntilNanos = world.clock().nanos() + nanos;
  }

  private void passTime() {
    settle();
    long millis = choices.percent(50) ? choices.below(60) : choices.below(30_000);
    trace(millis + " ms pass");
    world.runFor(millis * 1_000_000L);
  }

  void runSteps(int steps) {
    for (int i = 0; i < steps && node.fatal == null && world.step(); i++) {
      // chosen by the seed
    }
  }

  /** Advances the durable horizon as far as the node guarantees. */
  private void advanceHorizon() {
    long now = world.clock().nanos();
    long promised = now - SimNode.SYNC_PERIOD_NANOS - SYNC_SLACK_NANOS;
    if (!isDisturbed(promised) && startedNanos < promised) {
      durableHorizonNanos = promised;
    }
    model.durableBefore(durableHorizonNanos);
  }

  // restarts

  private void crashSoon(boolean powerLoss) {
    runSteps(choices.below(60));
    crash(powerLoss);
  }

  void crash(boolean powerLoss) {
    if (node.fatal != null && !isDisturbed(world.clock().nanos())) {
      throw new ViolationError(Violation.NODE_STOPPED, String.valueOf(node.fatal), node.fatal);
    }
    advanceHorizon();
    trace(powerLoss ? "power loss" : "kill");
    world.forgetTasks();
    endDisturbance();
    if (powerLoss) {
      disk.losePower();
    } else {
      disk.killProcess();
    }
    boolean mayForget = powerLoss && syncMode == SyncMode.PERIODIC;
    restart(mayForget);
    if (mayForget) {
      createViewsAgain();
    }
    reads.compareAll();
  }

  /** What was lost may have been lost in tables and not in their views, or the other way round. */
  private void createViewsAgain() {
    for (Model.Table table : model.tables) {
      if (table.hasViews) {
        reads.views.drop(table);
        reads.views.create(table);
      }
    }
  }

  /** Restarts the node and determines which uncertain writes were applied. */
  private void restart(boolean mayForget) {
    ShardMap map = new ShardMap(node.shards());
    int lifeBefore = life;
    node = start();
    List<Model.Seen> seen = new ArrayList<>();
    for (Model.Table table : model.tables) {
      if (table.exists) {
        seen.add(reads.read(table));
      }
    }
    boolean decided =
        model.restarted(
            seen,
            mayForget,
            lifeBefore,
            p -> map.shardOf(Murmur3.token(ByteBuffer.allocate(4).putInt(p).array())),
            world.clock().nanos(),
            seconds());
    if (!decided) {
      model.tables.forEach(this::truncate);
    }
  }

  private void endDisturbance() {
    faults.heal(Long.MIN_VALUE);
    stalledUntilNanos = Long.MIN_VALUE;
  }

  void stopAndStart() {
    calm();
    trace("stop");
    node.stop();
    if (node.fatal != null) {
      throw new ViolationError(Violation.NODE_STOPPED, String.valueOf(node.fatal), node.fatal);
    }
    restart(false);
  }

  /** Final check: all data matches the model, and there are no unreferenced files. */
  private void finish() {
    calm();
    reads.compareAll();
    calm();
    var compacted = node.compact();
    node.await(compacted::isDone);
    world.runFor(CALM_NANOS);
    model.tables.stream().filter(table -> table.hasViews).forEach(reads.views::drop);
    world.runFor(CALM_NANOS);
    FileChecks.requireNoOthers(disk.paths(), node.liveFiles(LAST_TABLE_ID), INDEXES);
    node.stop();
  }
}
