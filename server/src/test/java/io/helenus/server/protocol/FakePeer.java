package io.helenus.server.protocol;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.NodeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A connection without a socket: a conversation with its input and output. */
final class FakePeer implements Conversation.Peer {
  private final ByteWriter output = new ByteWriter(1024);
  private final ByteWriter unread = new ByteWriter(1024);
  private final Conversation conversation;
  private final List<Throwable> bugs = new ArrayList<>();
  private boolean takesOutput = true;
  private boolean closing;
  private boolean closedNow;
  private int failingOutputs;

  FakePeer(RequestHandler handler) {
    this(
        handler,
        ConversationSettings.DEFAULT,
        new Workspace(64 << 20, 16 << 20, NodeMemory.unlimited()),
        new Authenticator.AllowAll());
  }

  FakePeer(
      RequestHandler handler,
      ConversationSettings settings,
      Workspace workspace,
      Authenticator authenticator) {
    Session session = new Session(new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000));
    conversation = new Conversation(session, settings, authenticator, handler, workspace, this);
  }

  Conversation conversation() {
    return conversation;
  }

  /** Receives bytes in a buffer that is overwritten afterwards, as in a server. */
  void arrives(byte[] bytes) {
    unread.putBytes(bytes);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(Math.max(1, unread.size()));
      MemorySegment.copy(unread.segment(), 0, segment, 0, unread.size());
      int used = conversation.receive(segment, 0, unread.size());
      byte[] rest = unread.toArray();
      segment.fill((byte) 0x5A);
      unread.clear().putBytes(rest, used, rest.length - used);
    }
  }

  /** Returns what was sent since the last call. */
  byte[] sent() {
    conversation.sealOutput();
    byte[] bytes = output.toArray();
    output.clear();
    return bytes;
  }

  int unreadBytes() {
    return unread.size();
  }

  void takesOutput(boolean takes) {
    takesOutput = takes;
  }

  boolean isClosing() {
    return closing;
  }

  List<Throwable> bugs() {
    return bugs;
  }

  @Override
  public ByteWriter output() {
    if (failingOutputs > 0) {
      failingOutputs--;
      throw new OutOfMemoryError("no direct memory");
    }
    return output;
  }

  /** Makes this many requests for an output buffer fail. */
  void failOutputs(int times) {
    failingOutputs = times;
  }

  @Override
  public void send(LargeMessage message) {
    conversation.sealOutput();
    while (!message.isEnd()) {
      message.putNext(output);
    }
  }

  @Override
  public void outputPending() {}

  @Override
  public boolean takesOutput() {
    return takesOutput;
  }

  @Override
  public void closeWhenSent() {
    closing = true;
  }

  @Override
  public void closeNow() {
    closedNow = true;
  }

  boolean isClosedNow() {
    return closedNow;
  }

  @Override
  public void unexpected(Throwable failure) {
    bugs.add(failure);
  }
}
