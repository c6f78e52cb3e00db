package io.helenus.server.simulation.cluster;

import io.helenus.server.internode.ByteStream;
import io.helenus.server.internode.Network;
import io.helenus.server.internode.StreamHandler;
import io.helenus.storage.env.sim.SimRandomness;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The network between the machines of a simulated cluster: streams that deliver bytes in order, in
 * any portions and after a while, and that stall, break or stay open on one side. A path may be cut
 * in one direction. Random choices are drawn for each path, so that what happens on one does not
 * shift the others. One thread.
 */
final class SimNetwork {
  /** How long a connection is tried to a machine that does not answer. */
  static final long CONNECT_NANOS = 2_000_000_000L;

  /** After how long a packet that opens a connection is sent again. */
  private static final long RETRANSMISSION_NANOS = 200_000_000L;

  private static final int[] WINDOWS = {1 << 10, 16 << 10, 64 << 10, 256 << 10};

  private record Listener(int host, HostLife life, Network.Acceptor acceptor, int[] next) {}

  private final SimTime time;
  private final SimPath[][] paths;
  private final boolean[] off;
  private final InetSocketAddress[] addresses;
  private final Map<InetSocketAddress, Listener> listeners = new LinkedHashMap<>();
  private final List<SimStream> streams = new ArrayList<>();
  private final MemorySegment arrived = Arena.ofAuto().allocate(SimStream.PORTION_LIMIT, 8);
  private int nextPort = 40_000;

  /** A network without machines that listen. */
  SimNetwork(SimTime time, long seed, int hosts) {
    this.time = time;
    paths = new SimPath[hosts][hosts];
    off = new boolean[hosts];
    addresses = new InetSocketAddress[hosts];
    for (int from = 0; from < hosts; from++) {
      for (int to = 0; to < hosts; to++) {
        paths[from][to] =
            new SimPath(time, new SimRandomness(SimCluster.mix(seed, 1_000L * from + to, 71)));
      }
    }
  }

  /** The path from a machine to another. */
  SimPath path(int from, int to) {
    return paths[from][to];
  }

  /** Gives a machine an address. */
  void address(int host, InetSocketAddress address) {
    addresses[host] = address;
  }

  /** The network as a process sees it. */
  Network of(int host, HostLife life) {
    return new Network() {
      @Override
      public void connect(int loop, InetSocketAddress address, StreamHandler handler) {
        SimNetwork.this.connect(host, life.loops().get(loop), address, handler);
      }

      @Override
      public Closeable listen(InetSocketAddress address, Acceptor acceptor) throws IOException {
        return SimNetwork.this.listen(host, life, address, acceptor);
      }

      @Override
      public InetAddress resolve(String name) throws UnknownHostException {
        throw new UnknownHostException(name + ": machines have no names here");
      }
    };
  }

  private Closeable listen(
      int host, HostLife life, InetSocketAddress address, Network.Acceptor acceptor)
      throws IOException {
    if (!address.getAddress().equals(addresses[host].getAddress())) {
      throw new IOException("Cannot assign requested address");
    }
    Listener listener = new Listener(host, life, acceptor, new int[1]);
    if (listeners.putIfAbsent(address, listener) != null) {
      throw new IOException("Address already in use");
    }
    return () -> listeners.remove(address, listener);
  }

  private int hostOf(InetSocketAddress address) {
    for (int host = 0; host < addresses.length; host++) {
      if (addresses[host].getAddress().equals(address.getAddress())) {
        return host;
      }
    }
    return -1;
  }

  // connecting

  /** A connection that is being opened: what arrives first decides. */
  private static final class Attempt {
    private boolean decided;
  }

  private void connect(
      int from, HostLife.Loop loop, InetSocketAddress address, StreamHandler handler) {
    Attempt attempt = new Attempt();
    time.after(CONNECT_NANOS, () -> fail(attempt, loop, handler, "connection timed out"));
    int to = hostOf(address);
    if (to >= 0) {
      time.after(
          paths[from][to].delayNanos(), () -> ask(attempt, from, to, loop, address, handler));
    }
  }

  private void fail(Attempt attempt, HostLife.Loop loop, StreamHandler handler, String reason) {
    if (!attempt.decided) {
      attempt.decided = true;
      loop.execute(() -> handler.closed(reason));
    }
  }

  /** The first packet of a connection arrives, or is lost and sent again. */
  private void ask(
      Attempt attempt,
      int from,
      int to,
      HostLife.Loop loop,
      InetSocketAddress address,
      StreamHandler handler) {
    if (attempt.decided || loop.life().isDead()) {
      return;
    }
    if (paths[from][to].isBlocked() || paths[to][from].isBlocked() || off[to]) {
      time.after(RETRANSMISSION_NANOS, () -> ask(attempt, from, to, loop, address, handler));
      return;
    }
    Listener listener = hostOf(address) == to ? listeners.get(address) : null;
    if (listener == null) {
      time.after(
          paths[to][from].delayNanos(), () -> fail(attempt, loop, handler, "Connection refused"));
      return;
    }
    attempt.decided = true;
    open(from, listener, loop, address, handler);
  }

  private void open(
      int from,
      Listener listener,
      HostLife.Loop loop,
      InetSocketAddress address,
      StreamHandler handler) {
    int to = listener.host;
    SimPath there = paths[from][to];
    SimPath back = paths[to][from];
    int window = WINDOWS[there.randomness().below(WINDOWS.length)];
    List<HostLife.Loop> loops = listener.life.loops();
    int index = listener.next[0]++ % loops.size();
    InetSocketAddress client = new InetSocketAddress(addresses[from].getAddress(), nextPort++);
    SimStream near =
        new SimStream(
            loop,
            address,
            new SimWire(time, there),
            there.randomness().split(),
            window,
            arrived,
            handler);
    LateHandler accepted = new LateHandler(() -> listener.acceptor.accepted(index));
    SimStream far =
        new SimStream(
            loops.get(index),
            client,
            new SimWire(time, back),
            back.randomness().split(),
            window,
            arrived,
            accepted);
    near.peer(far);
    far.peer(near);
    streams.removeIf(SimStream::isGone);
    streams.add(near);
    streams.add(far);
    far.open();
    near.openWhenAnswered();
  }

  // faults

  /** The kernel closes what a killed process had open; a machine without power says nothing. */
  void died(int host, HostLife life, boolean machineOff) {
    listeners.values().removeIf(each -> each.life == life);
    off[host] = machineOff;
    if (!machineOff) {
      streamsOf(life).forEach(SimStream::processDied);
    }
  }

  /** A machine is on again: it answers that it does not know the streams of its previous life. */
  void booted(int host, HostLife before) {
    off[host] = false;
    streamsOf(before).forEach(SimStream::machineBooted);
  }

  /** Breaks a stream of a process; returns false if it has none. */
  boolean breakStream(HostLife life, SimRandomness choices, boolean halfOpen) {
    List<SimStream> open = streamsOf(life);
    if (open.isEmpty()) {
      return false;
    }
    SimStream stream = open.get(choices.below(open.size()));
    if (halfOpen) {
      stream.resetOne();
    } else {
      stream.reset();
    }
    return true;
  }

  /** Breaks all streams of a process. */
  void breakStreams(HostLife life) {
    streamsOf(life).forEach(SimStream::reset);
  }

  private List<SimStream> streamsOf(HostLife life) {
    streams.removeIf(SimStream::isGone);
    return streams.stream().filter(stream -> stream.life() == life).toList();
  }

  /** The number of streams that are open on at least one side. */
  int openStreams() {
    streams.removeIf(SimStream::isGone);
    return streams.size() / 2;
  }

  /** The handler of a stream that is accepted once its process runs. */
  private static final class LateHandler implements StreamHandler {
    private final Supplier<StreamHandler> accept;
    private @Nullable StreamHandler handler;

    LateHandler(Supplier<StreamHandler> accept) {
      this.accept = accept;
    }

    private StreamHandler handler() {
      StreamHandler known = handler;
      if (known == null) {
        known = accept.get();
        handler = known;
      }
      return known;
    }

    @Override
    public void connected(ByteStream stream) {
      handler().connected(stream);
    }

    @Override
    public void received(MemorySegment bytes, int length) {
      handler().received(bytes, length);
    }

    @Override
    public void drained() {
      handler().drained();
    }

    @Override
    public void closed(String reason) {
      StreamHandler known = handler;
      if (known != null) {
        known.closed(reason);
      }
    }
  }
}
