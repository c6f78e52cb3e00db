package io.helenus.server.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The buffer shared by all sockets of one event loop for reading. Bytes that cannot be handled
 * immediately are copied, so that idle connections hold no buffer. Used on the event loop only.
 */
public final class InboundBuffer extends DefaultMaxMessagesRecvByteBufAllocator {
  private static final int SIZE_BYTES = 64 << 10;
  private static final int READS_PER_WAKE_UP = 4;

  private final MemorySegment segment = Arena.ofAuto().allocate(SIZE_BYTES, 8);
  private final ByteBuf view = Unpooled.wrappedBuffer(segment.asByteBuffer());

  /** A buffer for one event loop. */
  public InboundBuffer() {
    super(READS_PER_WAKE_UP);
  }

  /** Whether the bytes read are in {@link #segment}, at the indexes of the buffer. */
  public boolean holds(ByteBuf read) {
    return read == view;
  }

  /** The memory of the buffer. */
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public ExtendedHandle newHandle() {
    return new SharedHandle();
  }

  private final class SharedHandle extends MaxMessageHandle {
    @Override
    public int guess() {
      return SIZE_BYTES;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      if (view.refCnt() > 1) {
        return allocator.ioBuffer(SIZE_BYTES);
      }
      return view.clear().retain();
    }
  }
}
