package io.helenus.server.internode;

import io.helenus.server.internode.SimulatedNetwork.Portion;
import io.helenus.server.internode.SimulatedNetwork.SimulatedHost;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimRandomness;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One end of a simulated stream, with what is on its way from here. One thread. */
final class SimulatedStream implements ByteStream {
  private final SimulatedNetwork network;
  private final SimulatedHost host;
  private final Scheduler loop;
  private final StreamHandler handler;
  private final InetSocketAddress remote;
  private final SimRandomness random;
  private final ArrayDeque<Portion> underway = new ArrayDeque<>();
  private ByteWriter pending = new ByteWriter(64);
  private @Nullable SimulatedStream other;

  /** The part of the pending bytes that the system has taken, and the part that it may take. */
  private int takenBytes;

  private int flushedBytes;
  private int inFlightBytes;
  private long lastArrivalNanos;

  /** How many portions have arrived at a blocked path. */
  private int held;

  private boolean closed;
  private boolean reported;

  SimulatedStream(
      SimulatedNetwork network,
      SimulatedHost host,
      int loop,
      StreamHandler handler,
      InetSocketAddress remote,
      SimRandomness random) {
    this.network = network;
    this.host = host;
    this.loop = host.loop(loop);
    this.handler = handler;
    this.remote = remote;
    this.random = random;
  }

  void join(SimulatedStream end) {
    other = end;
  }

  private SimulatedStream other() {
    SimulatedStream end = other;
    if (end == null) {
      throw new IllegalStateException("a stream with one end");
    }
    return end;
  }

  SimulatedHost host() {
    return host;
  }

  boolean goes(InetAddress one, InetAddress another) {
    return host.address().equals(one) && other().host.address().equals(another);
  }

  void opened(long delayNanos) {
    lastArrivalNanos = network.clock().nanos();
    other().lastArrivalNanos = lastArrivalNanos + delayNanos;
    network
        .wire()
        .schedule(
            () ->
                onLoop(
                    () -> {
                      if (!closed) {
                        handler.connected(this);
                      }
                    }),
            delayNanos);
  }

  private void onLoop(Runnable task) {
    if (host.isAlive()) {
      loop.execute(
          () -> {
            if (host.isAlive()) {
              task.run();
            }
          });
    }
  }

  @Override
  public void write(MemorySegment bytes, long offset, int length) {
    if (!closed) {
      pending.putBytes(bytes, offset, length);
    }
  }

  @Override
  public void flush() {
    flushedBytes = pending.size();
    transmit();
  }

  /**
   * Hands to the system what fits in the window, unless it is so little that the portions would
   * become smaller and smaller.
   */
  private void transmit() {
    int window = network.windowBytes();
    if (inFlightBytes > window / 2) {
      return;
    }
    while (!closed && takenBytes < flushedBytes && inFlightBytes < window) {
      int room = Math.min(flushedBytes - takenBytes, window - inFlightBytes);
      int length = 1 + random.below(Math.min(room, network.largestPortionBytes()));
      ByteWriter portion = new ByteWriter(length);
      portion.putBytes(pending.segment(), takenBytes, length);
      takenBytes += length;
      inFlightBytes += length;
      send(new Portion(portion.segment(), length));
    }
    if (takenBytes == pending.size()) {
      pending = new ByteWriter(64);
      takenBytes = 0;
      flushedBytes = 0;
    }
  }

  private void send(Portion portion) {
    underway.add(portion);
    long now = network.clock().nanos();
    lastArrivalNanos = Math.max(lastArrivalNanos, now + network.delayNanos(random));
    network.wire().schedule(this::arrive, lastArrivalNanos - now);
  }

  private void arrive() {
    if (underway.isEmpty()) {
      return;
    }
    SimulatedStream end = other();
    if (held > 0 || network.isBlocked(host.address(), end.host.address())) {
      if (held++ == 0) {
        network.heldBack(this);
      }
      return;
    }
    Portion portion = underway.remove();
    if (end.closed) {
      // the other system does not know the stream, or is not there
      if (network.isUp(end.host.address())) {
        lose("reset by the other side");
      }
      return;
    }
    MemorySegment bytes = portion.bytes();
    if (bytes == null) {
      end.lose("closed by the other side");
      return;
    }
    end.onLoop(
        () -> {
          inFlightBytes -= portion.length();
          onLoop(this::taken);
          if (!end.closed) {
            end.handler.received(bytes, portion.length());
          }
        });
  }

  private void taken() {
    if (closed || pending.size() == 0) {
      return;
    }
    transmit();
    if (pending.size() == 0) {
      handler.drained();
    }
  }

  /** The path is open again. */
  void resume() {
    int count = held;
    held = 0;
    long now = network.clock().nanos();
    for (int i = 0; i < count; i++) {
      lastArrivalNanos = Math.max(lastArrivalNanos, now + network.delayNanos(random));
      network.wire().schedule(this::arrive, lastArrivalNanos - now);
    }
  }

  @Override
  public long pendingBytes() {
    return pending.size() - takenBytes;
  }

  @Override
  public void close() {
    if (!closed) {
      send(new Portion(null, 0));
      lose("closed");
    }
  }

  /** This end is closed, and learns it. */
  private void lose(String reason) {
    closed = true;
    network.ended(this);
    onLoop(
        () -> {
          if (!reported) {
            reported = true;
            handler.closed(reason);
          }
        });
  }

  /** What is on its way from here is lost, and this end learns it. */
  void reset() {
    underway.clear();
    other().underway.clear();
    lose("reset");
    other().lose("reset");
  }

  /** The process of this end is gone. */
  void die(boolean told) {
    closed = true;
    underway.clear();
    if (told) {
      send(new Portion(null, 0));
    }
  }

  @Override
  public InetSocketAddress remote() {
    return remote;
  }
}
