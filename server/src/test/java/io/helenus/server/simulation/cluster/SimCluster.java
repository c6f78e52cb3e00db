package io.helenus.server.simulation.cluster;

import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimulatedCrash;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Machines that run the processes of a {@link NodeFactory}, each with a disk, a clock and an
 * address, in one thread. Processes are started, stopped, killed and paused, machines lose their
 * power and their address. All random bits of a process follow from the seed, the machine and the
 * life, so that a run without some of its steps differs only where it must.
 */
final class SimCluster {
  private static final int PORT = 7000;
  private static final int[] SHARDS = {1, 2, 4};
  private static final int DRIFT_PPM_LIMIT = 200;
  private static final int OFFSET_MICROS_LIMIT = 50_000;
  private static final long STOP_NANOS = 60_000_000_000L;

  /** A machine. */
  private static final class Host {
    private final int index;
    private final SimFileSystem disk;
    private final HostClock clock;
    private InetSocketAddress address;
    private int addresses;
    private int lives;
    private @Nullable HostLife life;
    private @Nullable SimMember member;
    private HistoryChecks.@Nullable Reporter reporter;
    private boolean stopping;
    private List<InetSocketAddress> seeds = List.of();

    Host(int index, SimFileSystem disk, HostClock clock, InetSocketAddress address) {
      this.index = index;
      this.disk = disk;
      this.clock = clock;
      this.address = address;
    }
  }

  private final long seed;
  private final NodeFactory factory;
  private final SyncMode syncMode;
  private final Consumer<String> trace;
  private final SimTime time = new SimTime();
  private final SimNetwork network;
  private final HistoryChecks history = new HistoryChecks();
  private final List<Host> hosts = new ArrayList<>();
  private final Map<String, Long> counters = new TreeMap<>();

  /**
   * Machines with empty disks, all of them off.
   *
   * @param trace receives one line for each event that matters
   */
  SimCluster(long seed, int size, SyncMode syncMode, NodeFactory factory, Consumer<String> trace) {
    this.seed = seed;
    this.syncMode = syncMode;
    this.factory = factory;
    this.trace = trace;
    network = new SimNetwork(time, seed, size);
    for (int i = 0; i < size; i++) {
      SimRandomness random = new SimRandomness(mix(seed, i, 11));
      long bootedNanos = random.nextLong() >>> 16;
      HostClock clock =
          new HostClock(
              time,
              bootedNanos,
              random.below(2 * DRIFT_PPM_LIMIT) - DRIFT_PPM_LIMIT,
              random.below(2 * OFFSET_MICROS_LIMIT) - OFFSET_MICROS_LIMIT);
      Host host = new Host(i, new SimFileSystem(random.split()), clock, address(i, 1));
      host.addresses = 1;
      hosts.add(host);
      network.address(i, host.address);
    }
  }

  /** A seed for one purpose. */
  static long mix(long seed, long which, long purpose) {
    return new SimRandomness(
            new SimRandomness(seed * 0x9E3779B97F4A7C15L + which).nextLong() ^ purpose * 0xD1B5L)
        .nextLong();
  }

  private static InetSocketAddress address(int host, int which) {
    try {
      byte[] bytes = {10, (byte) which, 0, (byte) (host + 1)};
      return new InetSocketAddress(InetAddress.getByAddress(bytes), PORT);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  SimTime time() {
    return time;
  }

  SimNetwork network() {
    return network;
  }

  HistoryChecks history() {
    return history;
  }

  int size() {
    return hosts.size();
  }

  /** Writes a line to the trace. */
  void trace(String what) {
    trace.accept(String.format("%.6f %s", time.nanos() / 1e9, what));
  }

  /** The second that clients take for now. */
  long seconds() {
    return Math.floorDiv(HostClock.trueMicros(time), 1_000_000L);
  }

  // processes

  /** Whether a process runs, paused or not. */
  boolean isRunning(int host) {
    return hosts.get(host).life != null;
  }

  boolean isPaused(int host) {
    return hosts.get(host).life instanceof HostLife life && life.isPaused();
  }

  /** Whether a process runs and takes requests. */
  boolean isReady(int host) {
    Host machine = hosts.get(host);
    return machine.member instanceof SimMember member && !machine.stopping && member.isReady();
  }

  /** The process of a machine; null if there is none. */
  @Nullable SimMember member(int host) {
    return hosts.get(host).member;
  }

  HostClock clock(int host) {
    return hosts.get(host).clock;
  }

  /** Which process runs on a machine, or ran last; from 1. */
  int life(int host) {
    return hosts.get(host).lives;
  }

  /** Whether a machine has moved since a process was started with the addresses of all. */
  boolean hasOldSeeds(int host) {
    return !hosts.get(host).seeds.equals(addresses());
  }

  /** The number of event loops of the process of a machine. */
  int loops(int host) {
    return required(hosts.get(host).life).loops().size();
  }

  /** The last slot that the process of a machine has applied; -1 if it has reported none. */
  long applied(int host) {
    return hosts.get(host).reporter instanceof HistoryChecks.Reporter known ? known.applied() : -1;
  }

  private static <T> T required(@Nullable T value) {
    if (value == null) {
      throw new AssertionError("the process does not run");
    }
    return value;
  }

  private List<InetSocketAddress> addresses() {
    return hosts.stream().map(each -> each.address).toList();
  }

  /** Starts the process of a machine, on the files of the one before. */
  void start(int index) {
    Host host = hosts.get(index);
    if (host.life != null) {
      return;
    }
    host.lives++;
    SimRandomness random = new SimRandomness(mix(seed, index, 1_000L + host.lives));
    int shards = SHARDS[random.below(SHARDS.length)];
    String name = "node " + index + " in life " + host.lives;
    HostLife life =
        new HostLife(time, host.clock, random.split(), name, shards, () -> kill(index, false));
    host.life = life;
    host.stopping = false;
    host.seeds = addresses();
    HistoryChecks.Reporter reporter = history.of(index, host.lives);
    host.reporter = reporter;
    trace("start " + name + " at " + host.address + ", shards: " + shards);
    NodeEnvironment environment =
        new NodeEnvironment(
            index,
            host.lives,
            host.address,
            this::addresses,
            host.disk,
            syncMode,
            host.clock,
            random.split(),
            life.loops(),
            life.pool(),
            life.pool(),
            network.of(index, life),
            new Halts(name),
            reporter);
    try {
      host.member = factory.start(environment);
    } catch (SimulatedCrash crash) {
      kill(index, false);
    } catch (IOException | RuntimeException e) {
      throw new ViolationError(Violation.NOT_STARTED, name + ": " + e, e);
    }
  }

  /** Kills a process, and cuts the power of its machine if asked to. */
  void kill(int index, boolean losePower) {
    Host host = hosts.get(index);
    HostLife life = host.life;
    if (life == null) {
      return;
    }
    trace((losePower ? "power loss of " : "kill ") + life);
    ended(host, life, losePower);
    if (losePower) {
      host.disk.losePower();
    } else {
      host.disk.killProcess();
    }
  }

  private void ended(Host host, HostLife life, boolean losePower) {
    SimMember member = host.member;
    if (member != null) {
      member.counters().forEach((name, count) -> counters.merge(name, count, Long::sum));
    }
    life.die(losePower);
    network.died(host.index, life, losePower);
    host.life = null;
    host.member = null;
    if (losePower) {
      time.after(
          300_000_000L,
          () -> {
            life.machineBooted();
            network.booted(host.index, life);
          });
    }
  }

  /** Kills a process in the middle of an operation on its disk: the n-th from now on. */
  void killAtOperation(int index, int operation) {
    trace("kill node " + index + " at operation " + operation + " on its disk");
    hosts.get(index).disk.crashAfter(operation);
  }

  /** Suspends a process for a while; its connections stay open. */
  void pause(int index, long nanos) {
    HostLife life = required(hosts.get(index).life);
    trace("pause " + life + " for " + nanos / 1_000_000 + " ms");
    life.pause();
    time.after(nanos, life::resume);
  }

  /** Lets a paused process go on. */
  void resume(int index) {
    if (hosts.get(index).life instanceof HostLife life) {
      life.resume();
    }
  }

  /** Lets everything that waits for the disk of a machine wait longer. */
  void stallDisk(int index, long nanos) {
    HostLife life = required(hosts.get(index).life);
    trace("the disk of " + life + " hangs for " + nanos / 1_000_000 + " ms");
    life.stallPools(nanos);
  }

  /** Breaks a stream of a machine's process; returns false if it has none. */
  boolean breakStream(int index, SimRandomness choices, boolean halfOpen) {
    return hosts.get(index).life instanceof HostLife life
        && network.breakStream(life, choices, halfOpen);
  }

  /** Breaks all streams of a machine's process. */
  void breakStreams(int index) {
    if (hosts.get(index).life instanceof HostLife life) {
      network.breakStreams(life);
    }
  }

  /** Stops a process cleanly and waits for its end, unless it is killed meanwhile. */
  void stop(int index) {
    Host host = hosts.get(index);
    HostLife life = required(host.life);
    SimMember member = host.member;
    trace("stop " + life);
    host.stopping = true;
    if (member != null) {
      CompletableFuture<Void> stopped = member.stop();
      await(() -> stopped.isDone() || life.isDead(), STOP_NANOS, "the end of " + life);
      if (life.isDead()) {
        return;
      }
      stopped.join();
      ended(host, life, false);
      member.close();
    }
    host.disk.killProcess();
  }

  /** Gives a machine whose process does not run another address. */
  void move(int index) {
    Host host = hosts.get(index);
    if (host.life != null) {
      throw new AssertionError("the process runs");
    }
    host.addresses = host.addresses % 100 + 1;
    host.address = address(index, host.addresses);
    network.address(index, host.address);
  }

  /** How often things happened in all lives of all processes, by name. */
  Map<String, Long> counters() {
    Map<String, Long> all = new TreeMap<>(counters);
    for (Host host : hosts) {
      if (host.member instanceof SimMember member) {
        member.counters().forEach((name, count) -> all.merge(name, count, Long::sum));
      }
    }
    return all;
  }

  // time

  /** Runs until a condition holds; fails if it does not within this time. */
  void await(BooleanSupplier condition, long nanos, String what) {
    long end = time.nanos() + nanos;
    while (!condition.getAsBoolean()) {
      if (time.nanos() > end || !time.step()) {
        throw new ViolationError(
            Violation.NO_ANSWER, what + " is not reached within " + nanos / 1_000_000 + " ms");
      }
    }
  }

  /** Whatever stops a process by itself is found by the simulation. */
  private record Halts(String name) implements FatalErrors {
    @Override
    public void halt(Throwable cause) {
      if (cause instanceof Error error) {
        throw error;
      }
      throw new ViolationError(Violation.NODE_STOPPED, name + ": " + cause, cause);
    }

    @Override
    public Exception contain(Throwable failure) {
      if (failure instanceof Error error) {
        throw error;
      }
      return (Exception) failure;
    }
  }
}
