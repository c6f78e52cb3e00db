package io.helenus.server.internode;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimRandomness;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Streams between simulated hosts, as TCP carries them: in order, in portions, delayed, and bounded
 * by a window. Hosts are IP addresses. A path from one host to another can be blocked, which holds
 * back what is on it until it is open again; streams can be reset; a process can be killed (the
 * others are told) and a host can lose power (nobody is told, until it is up again and something
 * arrives for a stream that it no longer knows). Everything follows from the seed and the order of
 * the calls. One thread.
 */
public final class SimulatedNetwork {
  private static final long CONNECT_TIMEOUT_NANOS = 2_000_000_000L;

  /** How many bytes the systems of both sides hold for a stream and direction. */
  private int windowBytes = 256 << 10;

  private int largestPortionBytes = 64 << 10;
  private long minDelayNanos = 50_000;
  private long maxDelayNanos = 500_000;

  private final long seed;
  private final Clock clock;
  private final Scheduler wire;
  private final Map<String, InetAddress> names = new HashMap<>();
  private final Map<InetAddress, SimulatedHost> hosts = new HashMap<>();
  private final Map<InetSocketAddress, Listener> listeners = new HashMap<>();
  private final Set<List<InetAddress>> blocked = new HashSet<>();
  private final Map<List<InetAddress>, Integer> streams = new LinkedHashMap<>();
  private final List<SimulatedStream> open = new ArrayList<>();

  /** Ends from which something waits for a path to open. */
  private final List<SimulatedStream> heldBack = new ArrayList<>();

  /**
   * A network without hosts.
   *
   * @param clock the time of the world, not the clock of a node
   * @param wire runs what happens between hosts; it outlives them
   */
  public SimulatedNetwork(long seed, Clock clock, Scheduler wire) {
    this.seed = seed;
    this.clock = clock;
    this.wire = wire;
  }

  /** Gives a host a name. */
  public void name(String name, InetAddress address) {
    names.put(name, address);
  }

  /** Sets the time that bytes are on their way, for what is sent from now on. */
  public void delay(long minNanos, long maxNanos) {
    minDelayNanos = minNanos;
    maxDelayNanos = maxNanos;
  }

  /** Sets the bytes that the systems hold for a stream, and the largest portion that arrives. */
  public void window(int bytes, int largestPortion) {
    windowBytes = bytes;
    largestPortionBytes = largestPortion;
  }

  /**
   * The network as a new process on a host sees it. A process that was there before must have been
   * stopped by {@link #kill} or {@link #powerOff}.
   *
   * @param loops the event loops of the process
   */
  public Network host(InetAddress address, List<? extends Scheduler> loops) {
    SimulatedHost host = new SimulatedHost(address, loops);
    if (hosts.putIfAbsent(address, host) != null) {
      throw new IllegalStateException("a process runs on " + address);
    }
    return host;
  }

  /** Ends the process on a host: those it had streams with see them reset. */
  public void kill(InetAddress address) {
    stop(address, true);
  }

  /** Stops a host without a sign to the others. */
  public void powerOff(InetAddress address) {
    stop(address, false);
  }

  private void stop(InetAddress address, boolean told) {
    SimulatedHost host = hosts.remove(address);
    if (host == null) {
      throw new IllegalStateException("no process runs on " + address);
    }
    host.alive = false;
    listeners.values().removeIf(each -> each.host == host);
    for (SimulatedStream each : List.copyOf(open)) {
      if (each.host() == host) {
        open.remove(each);
        each.die(told);
      }
    }
  }

  /** Holds back everything that is on its way from a host to another, and new connections. */
  public void block(InetAddress from, InetAddress to) {
    blocked.add(List.of(from, to));
  }

  /** Opens a path again: what was held back arrives. */
  public void open(InetAddress from, InetAddress to) {
    blocked.remove(List.of(from, to));
    for (SimulatedStream each : List.copyOf(heldBack)) {
      if (each.goes(from, to)) {
        heldBack.remove(each);
        each.resume();
      }
    }
  }

  /** Opens all paths. */
  public void openAll() {
    for (List<InetAddress> path : List.copyOf(blocked)) {
      open(path.get(0), path.get(1));
    }
  }

  /** Resets all streams between two hosts: what is on its way is lost. */
  public void reset(InetAddress one, InetAddress other) {
    for (SimulatedStream each : List.copyOf(open)) {
      if (each.goes(one, other)) {
        each.reset();
      }
    }
  }

  /** The number of ends of streams that are open. */
  public int openEnds() {
    return open.size();
  }

  boolean isBlocked(InetAddress from, InetAddress to) {
    return blocked.contains(List.of(from, to));
  }

  /** Whether a process runs at an address now. */
  boolean isUp(InetAddress address) {
    return hosts.containsKey(address);
  }

  Clock clock() {
    return clock;
  }

  Scheduler wire() {
    return wire;
  }

  int windowBytes() {
    return windowBytes;
  }

  int largestPortionBytes() {
    return largestPortionBytes;
  }

  long delayNanos(SimRandomness random) {
    return minDelayNanos + random.below((int) (maxDelayNanos - minDelayNanos) + 1);
  }

  void heldBack(SimulatedStream stream) {
    heldBack.add(stream);
  }

  void ended(SimulatedStream stream) {
    open.remove(stream);
  }

  /** A source of its own for each stream, so that one more of them changes nothing for others. */
  private SimRandomness randomness(InetAddress from, InetAddress to) {
    int number = streams.merge(List.of(from, to), 1, Integer::sum);
    long mixed = seed * 31 + from.hashCode();
    mixed = mixed * 0x9E3779B97F4A7C15L + to.hashCode();
    return new SimRandomness(mixed * 0xBF58476D1CE4E5B9L + number);
  }

  private record Listener(SimulatedHost host, Network.Acceptor acceptor) {}

  /** A process on a host. */
  final class SimulatedHost implements Network {
    private final InetAddress address;
    private final List<? extends Scheduler> loops;
    private boolean alive = true;
    private int nextLoop;
    private int nextPort = 40_000;

    SimulatedHost(InetAddress address, List<? extends Scheduler> loops) {
      this.address = address;
      this.loops = loops;
    }

    InetAddress address() {
      return address;
    }

    Scheduler loop(int index) {
      return loops.get(index);
    }

    boolean isAlive() {
      return alive;
    }

    @Override
    public void connect(int loop, InetSocketAddress to, StreamHandler handler) {
      SimRandomness random = randomness(address, to.getAddress());
      wire.schedule(() -> arrive(loop, to, handler, random), delayNanos(random));
    }

    @Override
    public InetAddress resolve(String host) throws UnknownHostException {
      InetAddress known = names.get(host);
      if (known == null) {
        throw new UnknownHostException(host);
      }
      return known;
    }

    private void arrive(
        int loop, InetSocketAddress to, StreamHandler handler, SimRandomness random) {
      InetAddress target = to.getAddress();
      long back = delayNanos(random);
      boolean lost = isBlocked(address, target) || isBlocked(target, address);
      Listener listener = listeners.get(to);
      if (lost || !isUp(target)) {
        fail(loop, handler, "no answer from " + to, CONNECT_TIMEOUT_NANOS);
      } else if (listener == null) {
        fail(loop, handler, "connection refused by " + to, back);
      } else if (alive) {
        join(loop, to, handler, listener, random);
      }
    }

    private void fail(int loop, StreamHandler handler, String reason, long delay) {
      wire.schedule(
          () -> {
            if (alive) {
              loops.get(loop).execute(() -> handler.closed(reason));
            }
          },
          delay);
    }

    private void join(
        int loop,
        InetSocketAddress to,
        StreamHandler handler,
        Listener listener,
        SimRandomness random) {
      SimulatedHost other = listener.host;
      int otherLoop = other.nextLoop++ % other.loops.size();
      InetSocketAddress local = new InetSocketAddress(address, nextPort++);
      StreamHandler otherHandler = listener.acceptor.accepted(otherLoop);
      SimulatedNetwork net = SimulatedNetwork.this;
      SimulatedStream mine = new SimulatedStream(net, this, loop, handler, to, random);
      SimulatedStream theirs =
          new SimulatedStream(net, other, otherLoop, otherHandler, local, random.split());
      mine.join(theirs);
      theirs.join(mine);
      open.add(mine);
      open.add(theirs);
      theirs.opened(0);
      mine.opened(delayNanos(random));
    }

    @Override
    public Closeable listen(InetSocketAddress on, Acceptor acceptor) throws IOException {
      Listener listener = new Listener(this, acceptor);
      if (listeners.putIfAbsent(on, listener) != null) {
        throw new IOException("cannot listen on " + on + ": the port is in use");
      }
      return () -> listeners.remove(on, listener);
    }
  }

  /** What is on its way in a stream; null bytes are its end. */
  record Portion(@Nullable MemorySegment bytes, int length) {}
}
