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
  private @Nullable MemorySegment viewed;
  private ByteBuf view = Unpooled.EMPTY_BUFFER;

  OutputBuffer(LargeSegments segments) {
    writer = ByteWriter.recycling(segments, INITIAL_BYTES);
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
    writer.clear(INITIAL_BYTES);
  }

  int capacityBytes() {
    return writer.capacity();
  }
}
