package io.helenus.server.internode;

import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.Scheduler.Timer;
import io.helenus.storage.memory.ShareExhaustedException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One stream from its opening to its end: first a handshake, then frames, and silence is the end of
 * it. On the shard's thread.
 */
final class Connection implements StreamHandler {
  /** The side of the link that a connection serves. */
  interface Owner {
    /** The stream is open. */
    void opened();

    /** The first envelope; the owner calls {@link Connection#identified} or ends the connection. */
    void handshake(MemorySegment bytes, long offset, int length) throws MalformedBytesException;

    /** A frame has arrived. */
    void heard(long epoch);

    /** The messages of the frame, if there are any. */
    void messages(MemorySegment bytes, long offset, int length, long waitedNanos)
        throws MalformedBytesException;

    /** The output leaves now; the owner may add to it. */
    void flushing();

    /** The connection has ended. Last, and once. */
    void ended(String reason);
  }

  private static final int FRAME_SLACK_BYTES = 256 << 10;
  private static final int FRAME_HEADER_BYTES =
      FrameWriter.HEADER_BYTES - FrameWriter.ENVELOPE_BYTES;
  private static final long TIMESTAMP_LEAD_MICROS = 60_000_000;

  private final Shard shard;
  private final LinkEnvironment environment;
  private final LinkCounters counters;
  private final OutputQueue queue;
  private final Owner owner;
  private final EnvelopeReader reader;
  private final FrameWriter output;
  private final EnvelopeReader.Sink sink = this::body;
  private final DelayEstimate delay = new DelayEstimate();
  private @Nullable Timer handshakeTimer;
  private @Nullable ByteStream stream;
  private boolean identified;
  private boolean reading;
  private boolean ended;
  private boolean queued;
  private boolean sent;
  private long heardNanos;

  Connection(
      Shard shard,
      LinkEnvironment environment,
      LinkCounters counters,
      OutputQueue queue,
      Owner owner) {
    this.shard = shard;
    this.environment = environment;
    this.counters = counters;
    this.queue = queue;
    this.owner = owner;
    reader = new EnvelopeReader(environment.memory(), Handshake.LIMIT_BYTES);
    output = new FrameWriter(environment, environment.memory(), counters);
  }

  /** Ends the connection if it is not identified in time, counted from now. */
  void limitHandshake() {
    handshakeTimer =
        shard.schedule(
            () -> {
              if (!identified) {
                end("no handshake in time");
              }
            },
            environment.settings().handshakeNanos());
  }

  @Override
  public void connected(ByteStream opened) {
    shard.tick();
    if (ended) {
      opened.close();
      return;
    }
    stream = opened;
    run(owner::opened);
  }

  @Override
  public void received(MemorySegment bytes, int length) {
    shard.tick();
    if (ended) {
      return;
    }
    counters.bytesIn += length;
    // a large message over a slow path is not silence
    heardNanos = shard.nanos();
    reading = true;
    try {
      reader.read(bytes, length, sink);
    } catch (MalformedBytesException e) {
      end(String.valueOf(e.getMessage()));
    } catch (ShareExhaustedException e) {
      end("no memory for what arrives: " + e.getMessage());
    } catch (Throwable e) {
      failed(e);
    }
    reading = false;
    if (ended) {
      reader.release();
    }
  }

  /** A lack of native memory ends the connection only; what else escapes is a bug. */
  private void failed(Throwable e) {
    if (e instanceof OutOfMemoryError error && FatalErrors.isNative(error)) {
      end("no memory for what arrives: " + e.getMessage());
      return;
    }
    shard.fatal().halt(e);
    throw new IllegalStateException("the node was not halted", e);
  }

  private void run(Runnable task) {
    shard.fatal().guard(task);
  }

  private boolean body(MemorySegment bytes, long offset, int length)
      throws MalformedBytesException {
    if (identified) {
      frame(bytes, offset, length);
    } else {
      owner.handshake(bytes, offset, length);
    }
    return !ended;
  }

  private void frame(MemorySegment bytes, long offset, int length) throws MalformedBytesException {
    if (length < FRAME_HEADER_BYTES) {
      throw new MalformedBytesException("a frame is too short");
    }
    counters.framesIn++;
    long waitedMicros = delay.waitedMicros(Bytes.getLong(bytes, offset), shard.readClock() / 1_000);
    long latest = environment.clock().wallMicros() + TIMESTAMP_LEAD_MICROS;
    environment.timestampHeard().accept(Math.min(latest, Bytes.getLong(bytes, offset + 8)));
    owner.heard(Bytes.getLong(bytes, offset + 16));
    if (length > FRAME_HEADER_BYTES && !ended) {
      owner.messages(
          bytes, offset + FRAME_HEADER_BYTES, length - FRAME_HEADER_BYTES, 1_000 * waitedMicros);
    }
  }

  @Override
  public void drained() {
    ByteStream open = stream;
    if (open != null && !ended) {
      run(() -> output.resume(open));
    }
  }

  @Override
  public void closed(String reason) {
    shard.tick();
    run(() -> end(reason));
  }

  /** Sends a handshake or an answer, at once. */
  void sendHandshake(ByteWriter body) {
    ByteStream open = stream;
    if (open != null && !ended) {
      output.handshake(body);
      output.sendTo(open);
    }
  }

  /** Both sides know each other; frames follow. */
  void identified() {
    identified = true;
    heardNanos = shard.nanos();
    reader.limit(environment.self().get().maxMessageBytes() + FRAME_SLACK_BYTES);
    cancelTimer();
  }

  private void cancelTimer() {
    Timer timer = handshakeTimer;
    if (timer != null) {
      timer.cancel();
      handshakeTimer = null;
    }
  }

  boolean isIdentified() {
    return identified;
  }

  boolean isEnded() {
    return ended;
  }

  /** The messages that leave at the end of the tick; see {@link #outputPending}. */
  FrameWriter output() {
    return output;
  }

  /** To be called when something was added to the output. */
  void outputPending() {
    if (!queued) {
      queued = true;
      queue.add(this);
      shard.tick();
    }
  }

  /** What was added to the output and not taken by the system. */
  long pendingBytes() {
    ByteStream open = stream;
    return output.size() + (open == null ? 0 : open.pendingBytes());
  }

  /** Sends the output. */
  void flush() {
    queued = false;
    ByteStream open = stream;
    if (open != null && !ended && identified) {
      sent = true;
      owner.flushing();
      output.sendTo(open);
    }
  }

  /**
   * Sends a heartbeat if nothing was sent since the last call, and ends the connection if nothing
   * has arrived for too long.
   *
   * @param excused whether this shard itself did not run for a while
   */
  void check(boolean excused) {
    if (!identified || ended) {
      return;
    }
    long now = shard.nanos();
    if (excused) {
      heardNanos = now;
    }
    long silence = environment.settings().silenceNanos();
    if (now - heardNanos > silence) {
      end("nothing was heard for " + silence / 1_000_000 + " ms");
      return;
    }
    ByteStream open = stream;
    if (!sent && output.size() == 0 && open != null) {
      output.heartbeat();
      output.sendTo(open);
    }
    sent = false;
  }

  /** Closes the stream; does nothing if that was done before. */
  void end(String reason) {
    if (ended) {
      return;
    }
    ended = true;
    cancelTimer();
    ByteStream open = stream;
    if (open != null) {
      open.close();
    }
    output.release();
    if (!reading) {
      reader.release();
    }
    owner.ended(reason);
  }
}
