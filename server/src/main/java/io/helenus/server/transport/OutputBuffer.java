package io.helenus.server.transport;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.LargeSegments;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Output of one connection: collected in a writer and passed to Netty as a view of the same memory.
 * Not thread-safe.
 */
final class OutputBuffer {
  private static final int INITIAL_BYTES = 4 << 10;

  private final ByteWriter writer;
  private final boolean reusable;
  private @Nullable MemorySegment viewed;
  private ByteBuf view = Unpooled.EMPTY_BUFFER;

  private OutputBuffer(LargeSegments segments, int capacityBytes, boolean reusable) {
    writer = ByteWriter.recycling(segments, capacityBytes);
    this.reusable = reusable;
  }

  /** A buffer for small messages. */
  static OutputBuffer reusable(LargeSegments segments) {
    return new OutputBuffer(segments, INITIAL_BYTES, true);
  }

  /** A buffer for one piece of a large message. */
  static OutputBuffer piece(LargeSegments segments, int capacityBytes) {
    return new OutputBuffer(segments, capacityBytes, false);
  }

  boolean isReusable() {
    return reusable;
  }

  ByteWriter writer() {
    return writer;
  }

  /**
   * Returns a view of the contents for one write, which releases it; the buffer keeps its own
   * reference.
   */
  ByteBuf view() {
    MemorySegment segment = writer.segment();
    if (viewed != segment) {
      view = Unpooled.wrappedBuffer(segment.asByteBuffer());
      viewed = segment;
    }
    view.setIndex(0, writer.size());
    return view.retain();
  }

  /** Whether Netty has released the view. */
  boolean isSent() {
    return view.refCnt() <= 1;
  }

  /** Clears the contents and keeps the memory. */
  void reset() {
    writer.clear();
  }

  /** Releases the memory; not before it {@link #isSent}. */
  void release() {
    writer.release();
  }

  int capacityBytes() {
    return writer.capacity();
  }
}
