package io.helenus.server.simulation.cluster;

import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.simulation.Change;
import io.helenus.server.simulation.Model;
import io.helenus.server.simulation.Statements;
import io.helenus.server.simulation.Write;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One run of a cluster: clients of every node write and read at all levels, while nodes are killed,
 * paused, moved and cut off. What they are answered is judged by the {@link ClusterModel}; at the
 * end, once all faults are over, everything is read at ALL and then from each node.
 *
 * <p>A run is a list of steps. Each is a number that seeds all of its choices, so that the others
 * can be run again without it.
 */
final class ClusterRun implements ClusterRuns.Run {
  private static final long MILLI = 1_000_000L;

  /** The number of steps of a run. */
  static final int STEPS = Integer.getInteger("cluster.steps", 150);

  private static final int REQUESTS_LIMIT = 30;

  /** A request that began this long ago has ended. */
  private static final long DEADLINE_NANOS = 30_000 * MILLI;

  /**
   * What a run is about.
   *
   * @param hosts the number of nodes
   * @param replicas the replication factor
   * @param defines whether the nodes execute CQL, so that tables are created and changed
   */
  record Setup(int hosts, int replicas, boolean defines) {
    /** A node alone. */
    static Setup one(long seed) {
      return new Setup(1, 1, true);
    }

    /** Three replicas, one on each node. */
    static Setup three(long seed) {
      return new Setup(3, 3, true);
    }

    /** Five nodes, so that a coordinator is not always a replica. */
    static Setup five(long seed) {
      return new Setup(5, 3, true);
    }

    /** Three replicas: mostly three nodes, sometimes five, seldom seven. */
    static Setup several(long seed) {
      int dice = new SimRandomness(SimCluster.mix(seed, 0, 6)).below(100);
      return new Setup(dice < 78 ? 3 : dice < 93 ? 5 : 7, 3, true);
    }
  }

  private final Setup setup;
  private final SimCluster cluster;
  private final ClusterFaults faults;
  private final Counts counts = new Counts();
  private final ClusterModel model;
  private final ClusterClients clients;
  private final Definitions definitions;
  private final Truncations truncations;
  private final Statements statements = new Statements();
  private final boolean onlyWholeReads;
  private final SimRandomness beginning;

  /** A cluster that has not been started. */
  ClusterRun(long seed, Setup setup, NodeFactory factory, Consumer<String> trace) {
    this.setup = setup;
    SimRandomness choices = new SimRandomness(SimCluster.mix(seed, 0, 5));
    beginning = choices.split();
    SyncMode syncMode = SyncMode.values()[choices.below(3)];
    onlyWholeReads = choices.percent(30);
    cluster = new SimCluster(seed, setup.hosts, syncMode, factory, trace);
    faults = new ClusterFaults(cluster, syncMode, counts);
    model = new ClusterModel(setup.replicas);
    clients = new ClusterClients(cluster, model, faults, counts);
    definitions = new Definitions(cluster, clients, faults, counts);
    truncations = new Truncations(cluster, clients, model, faults, counts);
    counts.add("runs of " + setup.hosts);
    cluster.trace(
        setup.hosts
            + " nodes, "
            + syncMode
            + (onlyWholeReads ? ", only whole partitions are read" : ""));
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

  /** How many replicas must answer at a level, in a cluster with one data centre. */
  static int blockFor(ConsistencyLevel level, int replicas) {
    return switch (level) {
      case TWO -> 2;
      case THREE -> 3;
      case QUORUM, LOCAL_QUORUM, EACH_QUORUM, SERIAL, LOCAL_SERIAL ->
          ConsistencyLevel.quorum(replicas);
      case ALL -> replicas;
      case ANY, ONE, LOCAL_ONE, NODE_LOCAL -> 1;
    };
  }

  @Override
  public long run(List<Long> steps) {
    try {
      begin();
      for (long step : steps) {
        act(new SimRandomness(step));
      }
      finish();
    } catch (RuntimeException | AssertionError e) {
      throw ViolationError.of(e);
    }
    return cluster.time().hash();
  }

  @Override
  public Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>(cluster.counters());
    counts.all().forEach((name, count) -> all.merge(name, count, Long::sum));
    return all;
  }

  private void begin() {
    faults.heal();
    if (setup.defines) {
      definitions.createTables(setup.replicas, model.tables);
      // the voters have changed not long ago
      defineAtOnce(beginning, setup.hosts);
    }
  }

  private void act(SimRandomness choices) {
    int dice = choices.below(1_000);
    Model.Table table = model.tables.get(choices.below(Model.TABLES));
    if (dice < 400) {
      for (int i = choices.below(4); i >= 0; i--) {
        write(choices, table);
      }
    } else if (dice < 600) {
      read(choices, table);
    } else if (dice < 800) {
      cluster.time().runFor(choices.below(20_000) * 1_000L);
    } else if (dice < 880) {
      cluster.time().runFor(choices.below(2_000) * MILLI);
    } else if (dice < 900) {
      diverge(choices, table);
    } else if (dice < 935) {
      faults.begin(choices);
    } else if (dice < 950) {
      rewriteFiles(choices);
    } else if (dice < 965) {
      if (setup.defines) {
        define(choices);
      }
    } else if (dice < 970) {
      if (setup.defines) {
        truncations.begin(choices, table);
      }
    } else if (dice < 985) {
      faults.heal();
    } else if (dice < 992) {
      faults.calm();
      truncations.settle();
    } else {
      compareAll();
    }
    clients.limit(REQUESTS_LIMIT);
  }

  private ConsistencyLevel level(SimRandomness choices) {
    int dice = choices.below(100);
    if (dice < 45) {
      return dice < 38 ? ConsistencyLevel.QUORUM : ConsistencyLevel.LOCAL_QUORUM;
    }
    if (dice < 80) {
      return dice < 75 ? ConsistencyLevel.ONE : ConsistencyLevel.LOCAL_ONE;
    }
    return setup.replicas < 2 || dice < 90 ? ConsistencyLevel.ALL : ConsistencyLevel.TWO;
  }

  private void write(SimRandomness choices, Model.Table table) {
    boolean batch = choices.percent(15);
    clients.write(
        choices,
        batch
            ? statements.batch(choices, model.tables, cluster.seconds(), false)
            : statements.single(choices, table, cluster.seconds()),
        level(choices));
  }

  private List<Integer> valuesOfV(SimRandomness choices, Model.Table table) {
    return model.partition(table, choices.below(Model.PARTITIONS)).valuesOfV();
  }

  private void read(SimRandomness choices, Model.Table table) {
    clients.read(
        choices,
        ReadShapes.draw(choices, table, valuesOfV(choices, table), onlyWholeReads),
        level(choices));
  }

  /**
   * One node misses writes to one partition, which is then read in several ways: the bytes that it
   * could not get are lost with its streams.
   */
  private void diverge(SimRandomness choices, Model.Table table) {
    if (setup.hosts == 1) {
      return;
    }
    counts.add("divergences");
    int host = choices.below(setup.hosts);
    int p = choices.below(Model.PARTITIONS);
    List<Change.Cells> before = new ArrayList<>();
    for (int i = choices.below(8); i > 0; i--) {
      Write write = statements.on(choices, table, p, cluster.seconds());
      write.parts.getFirst().changes().get(table.index).stream()
          .map(each -> each.change)
          .filter(Change.Cells.class::isInstance)
          .forEach(change -> before.add((Change.Cells) change));
      clients.write(choices, write, ConsistencyLevel.ALL);
    }
    List<Integer> values = model.partition(table, p).valuesOfV();
    cluster.time().runFor(choices.below(50) * MILLI);
    int millis = choices.below(3_000);
    faults.isolate(host, millis);
    for (int i = choices.below(6); i >= 0; i--) {
      clients.write(
          choices,
          diverging(choices, table, p, before),
          choices.percent(50) ? ConsistencyLevel.QUORUM : level(choices));
      cluster.time().runFor(choices.below(2_000) * 1_000L);
    }
    faults.breakStreams(host);
    cluster.time().runFor((millis + choices.below(1_000)) * MILLI);
    for (int i = choices.below(10); i >= 0; i--) {
      clients.read(
          choices,
          ReadShapes.ofDiverged(choices, table, p, values, onlyWholeReads),
          choices.percent(70) ? ConsistencyLevel.QUORUM : level(choices));
      cluster.time().runFor(choices.below(5_000) * 1_000L);
    }
  }

  private Write diverging(
      SimRandomness choices, Model.Table table, int p, List<Change.Cells> before) {
    long second = cluster.seconds();
    return switch (choices.below(3)) {
      case 0 -> statements.deletion(choices, table, p, second);
      case 1 ->
          before.isEmpty()
              ? statements.on(choices, table, p, second)
              : statements.overwrite(
                  choices, table, before.get(choices.below(before.size())), second);
      default -> statements.on(choices, table, p, second);
    };
  }

  /**
   * Some nodes change definitions at the same time. Perhaps all of them die meanwhile, and those
   * that are back first change more: what was decided before must be what they find.
   */
  private void define(SimRandomness choices) {
    defineAtOnce(choices, choices.below(3) + 1);
    if (choices.percent(40)) {
      cluster.time().runFor(choices.below(8_000) * 1_000L);
      faults.killAllOneForLonger(choices);
      cluster.time().runFor((1_000 + choices.below(2_000)) * MILLI);
      defineAtOnce(choices, choices.below(3) + 1);
    }
  }

  /** Changes meet each other, or the votes of each other. */
  private void defineAtOnce(SimRandomness choices, int count) {
    for (int i = 0; i < count; i++) {
      definitions.change(choices);
      cluster.time().runFor((choices.percent(50) ? 0 : choices.below(3_000)) * 1_000L);
    }
  }

  private void rewriteFiles(SimRandomness choices) {
    int host = choices.below(cluster.size());
    if (cluster.isReady(host) && cluster.member(host) instanceof SimMember member) {
      member.rewriteFiles(choices.percent(40));
    }
  }

  /** Reads everything at ALL, after which each node has it, too. */
  private void compareAll() {
    faults.calm();
    clients.limit(0);
    truncations.settle();
    for (Model.Table table : model.tables) {
      clients.compareReplicas(table);
    }
    requireAllReturned();
  }

  private void finish() {
    compareAll();
    if (setup.defines) {
      definitions.compareAll();
    }
    for (int host = 0; host < cluster.size(); host++) {
      cluster.stop(host);
    }
  }

  /** After the longest deadline, whatever was sent holds nothing any more. */
  private void requireAllReturned() {
    long end = cluster.time().nanos() + DEADLINE_NANOS;
    for (String held = held(); !held.isEmpty(); held = held()) {
      if (cluster.time().nanos() > end) {
        throw new ViolationError(Violation.LEAK, "long after the last request there are" + held);
      }
      cluster.time().runFor(100 * MILLI);
    }
  }

  private String held() {
    StringBuilder all = new StringBuilder();
    for (int host = 0; host < cluster.size(); host++) {
      SimMember member = cluster.member(host);
      for (Map.Entry<String, Long> each :
          member == null ? List.<Map.Entry<String, Long>>of() : member.held().entrySet()) {
        if (each.getValue() != 0) {
          all.append("\n  ")
              .append(each.getValue())
              .append(' ')
              .append(each.getKey())
              .append(" in node ")
              .append(host);
        }
      }
    }
    return all.toString();
  }
}
