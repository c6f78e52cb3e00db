package io.helenus.server.transport;

import io.helenus.server.protocol.Conversation;
import io.helenus.server.protocol.LargeMessage;
import io.helenus.storage.bytes.ByteWriter;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The output of one connection, in order: large messages, each after the small ones before it, and
 * the small messages gathered since. A large message is encoded piece by piece as long as the
 * channel takes them, so that only a few pieces exist twice. Used on the event loop only.
 */
final class ConnectionOutput {
  private static final int MOST_GATHERED_BYTES = 1 << 20;

  /** What became of a flush. */
  enum Flushed {
    /** Everything was passed to the channel. */
    ALL,
    /** The channel is full; it tells when it is writable again. */
    UNTIL_FULL,
    /** The loop sends no more pieces in this tick; the rest is sent in later ones. */
    UNTIL_END_OF_TICK
  }

  /** A large message, and the small ones before it until they are written. */
  private static final class Waiting {
    private final LargeMessage message;
    private @Nullable OutputBuffer before;

    Waiting(@Nullable OutputBuffer before, LargeMessage message) {
      this.before = before;
      this.message = message;
    }
  }

  private final ConnectionLoop loop;
  private final SocketChannel channel;
  private final ArrayDeque<OutputBuffer> inTransit = new ArrayDeque<>();
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private @Nullable OutputBuffer gathered;

  ConnectionOutput(ConnectionLoop loop, SocketChannel channel) {
    this.loop = loop;
    this.channel = channel;
  }

  /** The writer for small messages. */
  ByteWriter writer() {
    OutputBuffer current = gathered;
    if (current == null) {
      current = loop.takeBuffer();
      gathered = current;
    }
    return current.writer();
  }

  /** Adds a large message. */
  void add(LargeMessage message, Conversation conversation) {
    OutputBuffer before = null;
    if (isGathered()) {
      conversation.sealOutput();
      before = gathered;
      gathered = null;
    }
    waiting.add(new Waiting(before, message));
  }

  private boolean isGathered() {
    OutputBuffer current = gathered;
    return current != null && current.writer().size() > 0;
  }

  /** Whether there is room for more messages. */
  boolean takesMore() {
    OutputBuffer current = gathered;
    return channel.isWritable()
        && waiting.isEmpty()
        && (current == null || current.writer().size() < MOST_GATHERED_BYTES);
  }

  /** Whether large messages wait to be sent. */
  boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** Passes output to the channel: large messages first, then, with one write, the small ones. */
  Flushed flush(Conversation conversation) {
    recycleSent();
    if (!waiting.isEmpty()) {
      Flushed flushed = flushWaiting();
      if (flushed != Flushed.ALL) {
        return flushed;
      }
      conversation.deliverHeld();
    }
    OutputBuffer current = gathered;
    if (current != null && isGathered()) {
      conversation.sealOutput();
      gathered = null;
      write(current);
    }
    return Flushed.ALL;
  }

  private Flushed flushWaiting() {
    while (!waiting.isEmpty()) {
      Waiting next = waiting.getFirst();
      OutputBuffer before = next.before;
      if (before != null) {
        next.before = null;
        write(before);
      }
      while (!next.message.isEnd()) {
        if (!channel.isWritable()) {
          return Flushed.UNTIL_FULL;
        }
        OutputBuffer piece = loop.takePiece();
        if (piece == null) {
          return Flushed.UNTIL_END_OF_TICK;
        }
        next.message.putNext(piece.writer());
        writePiece(piece);
      }
      waiting.removeFirst();
    }
    return Flushed.ALL;
  }

  private void write(OutputBuffer buffer) {
    channel.writeAndFlush(buffer.view(), channel.voidPromise());
    keepUntilSent(buffer);
  }

  /** An idle connection keeps no piece that was sent. */
  private void writePiece(OutputBuffer piece) {
    ChannelFuture written = channel.writeAndFlush(piece.view());
    if (keepUntilSent(piece)) {
      written.addListener(_ -> recycleSent());
    }
  }

  private boolean keepUntilSent(OutputBuffer buffer) {
    if (buffer.isSent()) {
      loop.recycle(buffer);
      return false;
    }
    inTransit.add(buffer);
    return true;
  }

  /** Reuses the buffers that the channel has sent. */
  void recycleSent() {
    while (!inTransit.isEmpty() && inTransit.getFirst().isSent()) {
      loop.recycle(inTransit.removeFirst());
    }
  }

  private void recycle(@Nullable OutputBuffer unsent) {
    if (unsent != null) {
      loop.recycle(unsent);
    }
  }

  /** Drops what was not sent; buffers that the channel still uses are released a little later. */
  void close() {
    for (Waiting each : waiting) {
      each.message.release();
      recycle(each.before);
    }
    waiting.clear();
    recycle(gathered);
    gathered = null;
    recycleSent();
    if (!inTransit.isEmpty()) {
      loop.eventLoop().execute(this::recycleSent);
    }
  }
}
