package io.helenus.server.simulation.cluster;

import io.helenus.server.internode.ByteStream;
import io.helenus.server.internode.StreamHandler;
import io.helenus.storage.env.Scheduler;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Frames of numbers on a stream: a length in bytes, then the numbers. On its event loop. */
final class ToyLink implements StreamHandler {
  private static final long BACKLOG_LIMIT = 64 << 10;

  private final Scheduler loop;
  private final Consumer<ByteBuffer> received;
  private final Runnable closed;
  private final ByteArrayOutputStream incoming = new ByteArrayOutputStream();
  private @Nullable ByteStream stream;

  ToyLink(Scheduler loop, Consumer<ByteBuffer> received, Runnable closed) {
    this.loop = loop;
    this.received = received;
    this.closed = closed;
  }

  boolean isOpen() {
    return stream != null;
  }

  /** Sends a frame from any event loop of the node; it is lost if the stream is not open. */
  void send(byte[] frame) {
    loop.execute(
        () -> {
          ByteStream open = stream;
          if (open != null && open.pendingBytes() < BACKLOG_LIMIT) {
            byte[] length = ByteBuffer.allocate(4).putInt(frame.length).array();
            open.write(MemorySegment.ofArray(length), 0, length.length);
            open.write(MemorySegment.ofArray(frame), 0, frame.length);
            open.flush();
          }
        });
  }

  @Override
  public void connected(ByteStream opened) {
    stream = opened;
  }

  @Override
  public void received(MemorySegment bytes, int length) {
    incoming.writeBytes(bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
    ByteBuffer all = ByteBuffer.wrap(incoming.toByteArray());
    while (all.remaining() >= 4 && all.remaining() >= 4 + all.getInt(all.position())) {
      int size = all.getInt();
      received.accept(all.slice(all.position(), size));
      all.position(all.position() + size);
    }
    incoming.reset();
    incoming.write(all.array(), all.position(), all.remaining());
  }

  @Override
  public void drained() {
    // what did not fit was dropped
  }

  @Override
  public void closed(String reason) {
    stream = null;
    closed.run();
  }
}
