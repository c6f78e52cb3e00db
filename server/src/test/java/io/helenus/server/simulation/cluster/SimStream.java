package io.helenus.server.simulation.cluster;

import io.helenus.server.internode.ByteStream;
import io.helenus.server.internode.StreamHandler;
import io.helenus.storage.env.sim.SimRandomness;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One end of a stream between two processes. Bytes are pending until the operating system takes
 * them, which it does as long as no more than a window of them has not been read by the other side.
 * One thread.
 */
final class SimStream implements ByteStream {
  /** The most bytes of one portion. */
  static final int PORTION_LIMIT = 16 << 10;

  private final HostLife.Loop loop;
  private final InetSocketAddress remote;
  private final SimWire out;
  private final SimRandomness randomness;
  private final int window;
  private final MemorySegment arrived;
  private final StreamHandler handler;
  private @Nullable SimStream peer;

  private byte[] pending = new byte[1 << 10];
  private int pendingCount;
  private int unread;
  private boolean drainDue;

  private final ByteArrayOutputStream inbox = new ByteArrayOutputStream();
  private boolean readDue;
  private @Nullable String farewell;

  /** The application has closed it, or knows that it is closed. */
  private boolean closed;

  /** Bytes were sent to a machine that was off, and are sent again when it is back. */
  private boolean unanswered;

  /**
   * One end, not connected yet.
   *
   * @param out where what it sends goes
   * @param window how many bytes the operating systems of both sides hold
   * @param arrived takes the bytes of one portion
   */
  SimStream(
      HostLife.Loop loop,
      InetSocketAddress remote,
      SimWire out,
      SimRandomness randomness,
      int window,
      MemorySegment arrived,
      StreamHandler handler) {
    this.loop = loop;
    this.remote = remote;
    this.out = out;
    this.randomness = randomness;
    this.window = window;
    this.arrived = arrived;
    this.handler = handler;
  }

  void peer(SimStream other) {
    peer = other;
  }

  private SimStream peer() {
    SimStream other = peer;
    if (other == null) {
      throw new AssertionError("not connected");
    }
    return other;
  }

  HostLife life() {
    return loop.life();
  }

  /** Whether both ends are closed, or nobody is left who could know. */
  boolean isGone() {
    return isOver() && peer().isOver();
  }

  private boolean isOver() {
    return closed || life().isDead();
  }

  // the application's side, on its event loop

  /** Tells the application that the stream is open. */
  void open() {
    loop.execute(
        () -> {
          if (!closed) {
            handler.connected(this);
          }
        });
  }

  private void checkLoop() {
    if (!loop.isRunning()) {
      throw new AssertionError("a stream is used outside of its event loop");
    }
  }

  @Override
  public void write(MemorySegment bytes, long offset, int length) {
    checkLoop();
    if (closed) {
      return;
    }
    if (pendingCount + length > pending.length) {
      pending = Arrays.copyOf(pending, Math.max(pendingCount + length, 2 * pending.length));
    }
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, offset, pending, pendingCount, length);
    pendingCount += length;
  }

  @Override
  public void flush() {
    checkLoop();
    pump();
    drainDue |= pendingCount > 0;
  }

  @Override
  public long pendingBytes() {
    checkLoop();
    return pendingCount;
  }

  @Override
  public void close() {
    checkLoop();
    if (!closed) {
      endLocally("closed");
      out.send(() -> peer().ended("closed by the other side"));
    }
  }

  @Override
  public InetSocketAddress remote() {
    return remote;
  }

  private void read() {
    readDue = false;
    byte[] bytes = inbox.toByteArray();
    inbox.reset();
    int from = 0;
    while (from < bytes.length && !closed) {
      int most = Math.min(PORTION_LIMIT, bytes.length - from);
      int count = randomness.percent(70) ? most : 1 + randomness.below(most);
      MemorySegment.copy(bytes, from, arrived, ValueLayout.JAVA_BYTE, 0, count);
      handler.received(arrived, count);
      // whoever keeps the segment sees that it may not
      arrived.asSlice(0, count).fill((byte) 0xA5);
      from += count;
    }
    int taken = bytes.length;
    out.send(() -> peer().taken(taken));
    if (farewell != null) {
      endLocally(farewell);
    }
  }

  private void endLocally(String reason) {
    if (closed) {
      return;
    }
    closed = true;
    pendingCount = 0;
    drainDue = false;
    loop.execute(() -> handler.closed(reason));
  }

  // the operating system's side

  private void pump() {
    int count = Math.min(pendingCount, window - unread);
    if (closed || count <= 0) {
      return;
    }
    byte[] sent = Arrays.copyOf(pending, count);
    System.arraycopy(pending, count, pending, 0, pendingCount - count);
    pendingCount -= count;
    unread += count;
    out.send(() -> peer().arrived(sent));
    if (pendingCount == 0 && drainDue) {
      drainDue = false;
      loop.execute(
          () -> {
            if (!closed) {
              handler.drained();
            }
          });
    }
  }

  private void arrived(byte[] bytes) {
    if (life().isOff()) {
      peer().unanswered = true;
      return;
    }
    if (isOver()) {
      out.send(() -> peer().resetOne());
      return;
    }
    inbox.writeBytes(bytes);
    readSoon();
  }

  private void readSoon() {
    if (!readDue) {
      readDue = true;
      loop.execute(this::read);
    }
  }

  private void taken(int count) {
    unread -= count;
    if (!isOver()) {
      pump();
    }
  }

  /** The other side has closed, after everything that it had sent. */
  private void ended(String reason) {
    if (!isOver() && farewell == null) {
      farewell = reason;
      readSoon();
    }
  }

  /** The kernel closes the streams of a process that was killed. */
  void processDied() {
    out.send(() -> peer().ended("Connection reset by peer"));
  }

  /** Both sides notice that the stream is broken. */
  void reset() {
    out.lose();
    peer().out.lose();
    resetOne();
    peer().resetOne();
  }

  /** Only this side notices that the stream is broken. */
  void resetOne() {
    if (!isOver()) {
      endLocally("Connection reset by peer");
    }
  }

  /** The machine of a process without power is on again and does not know the stream. */
  void machineBooted() {
    if (peer().unanswered) {
      out.send(() -> peer().resetOne());
    }
  }

  /** Tells the application that the stream is open as soon as the other side's answer arrives. */
  void openWhenAnswered() {
    peer().out.send(this::open);
  }
}
