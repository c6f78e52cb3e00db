package io.helenus.server.protocol;

import io.helenus.server.error.CqlError;
import io.helenus.storage.bytes.ByteChunks;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of a {@link Conversation}, reused for successive requests. Used on the event loop
 * only.
 */
final class PooledExchange implements Exchange {
  private final Workspace workspace;
  private @Nullable Conversation conversation;
  private int version;
  private int streamId;
  private boolean tracingRequested;
  private int requestBytes;
  private boolean holdsEvents;
  private boolean traced;
  private long tracingIdHigh;
  private long tracingIdLow;
  private @Nullable List<String> warnings;
  private @Nullable Runnable cancellation;
  private long uses;

  /** The neighbours in the list of the conversation's requests in flight. */
  private @Nullable PooledExchange previous;

  private @Nullable PooledExchange next;

  PooledExchange(Workspace workspace) {
    this.workspace = workspace;
  }

  void begin(Conversation owner, int newVersion, int stream, boolean tracing, int bytes) {
    conversation = owner;
    version = newVersion;
    streamId = stream;
    tracingRequested = tracing;
    requestBytes = bytes;
    uses++;
  }

  /**
   * A counter that changes when a request starts or ends, to detect whether a particular request
   * has ended.
   */
  long uses() {
    return uses;
  }

  /** Adds this exchange at the front of the conversation's requests in flight. */
  void linkBefore(@Nullable PooledExchange first) {
    next = first;
    if (first != null) {
      first.previous = this;
    }
  }

  /** Removes this exchange; returns the first of the remaining requests in flight. */
  @Nullable PooledExchange unlinkFrom(@Nullable PooledExchange first) {
    PooledExchange before = previous;
    PooledExchange after = next;
    previous = null;
    next = null;
    if (after != null) {
      after.previous = before;
    }
    if (before == null) {
      return after;
    }
    before.next = after;
    return first;
  }

  @Nullable PooledExchange next() {
    return next;
  }

  /** The connection has closed. */
  void disconnected() {
    Runnable cancelled = cancellation;
    if (cancelled != null) {
      cancellation = null;
      cancelled.run();
    }
  }

  int requestBytes() {
    return requestBytes;
  }

  boolean holdsEvents() {
    return holdsEvents;
  }

  @Override
  public int protocolVersion() {
    return version;
  }

  @Override
  public int streamId() {
    return streamId;
  }

  @Override
  public boolean tracingRequested() {
    return tracingRequested;
  }

  @Override
  public ByteWriter body() {
    return workspace.body();
  }

  @Override
  public void respond(int opcode, ByteWriter body) {
    respond(opcode, body, null);
  }

  @Override
  public void respond(int opcode, ByteWriter body, @Nullable ByteChunks rest) {
    Conversation owner = conversation;
    if (owner == null) {
      throw new IllegalStateException("the request on stream " + streamId + " was answered twice");
    }
    ByteWriter prefix = workspace.nothing();
    int flags = 0;
    if (traced || warnings != null) {
      prefix = workspace.prefix();
      flags = writePrefix(prefix);
    }
    try {
      owner.answer(this, flags, opcode, prefix, body, rest);
    } catch (Throwable e) {
      if (rest != null) {
        rest.release();
      }
      answerFailed(owner, opcode, e);
    }
    end();
  }

  /**
   * Handles a response that could not be written; nothing of it was sent. Sends an error instead,
   * or closes the connection.
   */
  private void answerFailed(Conversation owner, int opcode, Throwable failure) {
    owner.unexpected(failure);
    if (opcode != Opcodes.ERROR) {
      try {
        ByteWriter body = body();
        ErrorBody.write(body, version, new CqlError.ServerError(failure.toString()));
        owner.answer(this, 0, Opcodes.ERROR, workspace.nothing(), body, null);
        return;
      } catch (Throwable again) {
        owner.unexpected(again);
      }
    }
    owner.abandon(this);
  }

  @Override
  public void respondError(CqlError error) {
    ByteWriter body = body();
    ErrorBody.write(body, version, error);
    respond(Opcodes.ERROR, body);
  }

  private int writePrefix(ByteWriter prefix) {
    int flags = 0;
    if (traced) {
      prefix.putLong(tracingIdHigh).putLong(tracingIdLow);
      flags |= FrameFlags.TRACING;
    }
    List<String> texts = warnings;
    if (texts != null) {
      WireWriter.stringList(prefix, texts);
      flags |= FrameFlags.WARNING;
    }
    return flags;
  }

  private void end() {
    conversation = null;
    holdsEvents = false;
    traced = false;
    warnings = null;
    cancellation = null;
    uses++;
    workspace.recycle(this);
  }

  @Override
  public void warn(String text) {
    if (version >= ProtocolVersions.V4) {
      List<String> texts = warnings;
      if (texts == null) {
        texts = new ArrayList<>();
        warnings = texts;
      }
      if (texts.size() < 0xFFFF) {
        texts.add(text);
      }
    }
  }

  @Override
  public void tracingId(long mostSignificantBits, long leastSignificantBits) {
    traced = true;
    tracingIdHigh = mostSignificantBits;
    tracingIdLow = leastSignificantBits;
  }

  @Override
  public void onDisconnect(Runnable newCancellation) {
    cancellation = newCancellation;
  }

  @Override
  public void holdEvents() {
    Conversation owner = conversation;
    if (owner != null && !holdsEvents) {
      holdsEvents = true;
      owner.holdEvents();
    }
  }
}
