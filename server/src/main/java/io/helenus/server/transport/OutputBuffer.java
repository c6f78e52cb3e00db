package io.helenus.server.transport;

import io.helenus.storage.bytes.ByteWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Answers of one connection on their way out: gathered in a writer, handed to Netty as a view of
 * the same memory. One thread.
 */
final class OutputBuffer {
  private static final int INITIAL_BYTES = 4 << 10;

  private final ByteWriter writer = new ByteWriter(INITIAL_BYTES);
  private @Nullable MemorySegment viewed;
  private ByteBuf view = Unpooled.EMPTY_BUFFER;

  ByteWriter writer() {
    return writer;
  }

  /** The contents for a write, which releases the view once; our own reference stays. */
  ByteBuf view() {
    MemorySegment segment = writer.segment();
    if (viewed != segment) {
      view = Unpooled.wrappedBuffer(segment.asByteBuffer());
      viewed = segment;
    }
    view.setIndex(0, writer.size());
    return view.retain();
  }

  /** Whether Netty is done with the view. */
  boolean isSent() {
    return view.refCnt() <= 1;
  }

  /** Forgets the contents, keeps the memory. */
  void reset() {
    writer.clear();
  }

  int capacityBytes() {
    return writer.capacity();
  }
}
