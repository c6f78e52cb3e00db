package io.helenus.server.protocol;

import io.helenus.server.error.CqlError;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The exchange of a {@link Conversation}: one object serves one request after another. */
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
  private long uses;

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

  /** Changes with each request, so that whoever holds on to the exchange sees that it is over. */
  long uses() {
    return uses;
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
    Conversation owner = conversation;
    if (owner == null) {
      throw new IllegalStateException("the request on stream " + streamId + " is answered twice");
    }
    ByteWriter prefix = workspace.nothing();
    int flags = 0;
    if (traced || warnings != null) {
      prefix = workspace.prefix();
      flags = writePrefix(prefix);
    }
    owner.answer(this, flags, opcode, prefix, body);
    end();
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
  public void holdEvents() {
    Conversation owner = conversation;
    if (owner != null && !holdsEvents) {
      holdsEvents = true;
      owner.holdEvents();
    }
  }
}
