package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.LargeSegments;
import java.util.ArrayDeque;

/** The buffers of a shard for mutations and replies, reused. Shard thread only. */
final class MutationBuffers {
  private static final int BUFFER_BYTES = 1024;
  private static final int KEPT_BUFFER_BYTES = 64 << 10;
  private static final int KEPT_BUFFERS = 4096;

  private final LargeSegments segments;
  private final ArrayDeque<ByteWriter> idle = new ArrayDeque<>();
  private int taken;

  MutationBuffers(LargeSegments segments) {
    this.segments = segments;
  }

  /** An empty buffer. */
  ByteWriter take() {
    taken++;
    ByteWriter pooled = idle.pollLast();
    return pooled == null ? ByteWriter.recycling(segments, BUFFER_BYTES) : pooled;
  }

  /** How many were taken and not released. */
  int taken() {
    return taken;
  }

  /** Takes back a buffer, without the memory of large contents. */
  void release(ByteWriter buffer) {
    taken--;
    buffer.clear(KEPT_BUFFER_BYTES);
    if (idle.size() < KEPT_BUFFERS) {
      idle.addLast(buffer);
    }
  }
}
