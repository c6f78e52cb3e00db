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
final class ClusterRun {
  private static final long MILLI = 1_000_000L;
  private static final int REQUESTS_LIMIT = 30;

  /** After this long in calm, every write has arrived at all replicas, or has been dropped. */
  private static final long ARRIVAL_NANOS = 3_000 * MILLI;

  /**
   * What a run is about.
   *
   * @param hosts the number of nodes
   * @param replicas the replication factor
   * @param defines whether the nodes execute CQL, so that tables are created and changed
   */
  record Setup(int hosts, int replicas, boolean defines) {}

  private final Setup setup;
  private final SimCluster cluster;
  private final ClusterFaults faults;
  private final Counts counts = new Counts();
  private final ClusterModel model;
  private final ClusterClients clients;
  private final Definitions definitions;
  private final Statements statements = new Statements();
  private final boolean onlyWholeReads;

  /** A cluster that has not been started. */
  ClusterRun(long seed, Setup setup, NodeFactory factory, Consumer<String> trace) {
    this.setup = setup;
    SimRandomness choices = new SimRandomness(SimCluster.mix(seed, 0, 5));
    SyncMode syncMode = SyncMode.values()[choices.below(3)];
    onlyWholeReads = choices.percent(30);
    cluster = new SimCluster(seed, setup.hosts, syncMode, factory, trace);
    faults = new ClusterFaults(cluster, syncMode, counts);
    model = new ClusterModel(setup.replicas);
    clients = new ClusterClients(cluster, model, faults, counts);
    definitions = new Definitions(cluster, clients, faults, counts);
    cluster.trace(syncMode + (onlyWholeReads ? ", only whole partitions are read" : ""));
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

  /** Runs the steps; returns the hash of all events. */
  long run(List<Long> steps) {
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

  /** How often things happened, in the nodes and around them. */
  Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>(cluster.counters());
    counts.all().forEach((name, count) -> all.merge(name, count, Long::sum));
    return all;
  }

  private void begin() {
    faults.heal();
    if (setup.defines) {
      definitions.createTables(setup.replicas, model.tables);
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
        definitions.change(choices);
      }
    } else if (dice < 970) {
      if (setup.defines) {
        truncate(choices, table);
      }
    } else if (dice < 985) {
      faults.heal();
    } else if (dice < 992) {
      faults.calm();
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
   * Truncates a table by any node; what comes of it must be known before anything else is sent.
   * Each replica drops what it has at that moment, as in Cassandra: a write that was answered by
   * others, and is still on its way to this one, stays. So none may be.
   */
  private void truncate(SimRandomness choices, Model.Table table) {
    if (setup.hosts > 1) {
      faults.calm();
    }
    clients.limit(0);
    if (setup.hosts > 1) {
      cluster.time().runFor(ARRIVAL_NANOS);
    }
    int host = clients.anyReady(choices);
    ClientRequest request = ClientRequest.of("TRUNCATE sim." + table.name);
    Answer answer = host < 0 ? null : clients.ask(host, request);
    boolean refused =
        answer instanceof Answer.Failure failure && failure.code() == Answer.UNAVAILABLE;
    if (host < 0 || refused) {
      return;
    }
    if (!(answer instanceof Answer.Done)) {
      faults.calm();
      answer = clients.ask(host, request);
      if (!(answer instanceof Answer.Done)) {
        throw new ViolationError(Violation.UNEXPECTED_ERROR, request + ": " + answer);
      }
    }
    counts.add("truncations");
    model.truncated(table);
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
    for (Model.Table table : model.tables) {
      clients.compareReplicas(table);
    }
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
}
