package io.helenus.server.coordinator;

import io.helenus.storage.engine.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/** Read requests that outlive what they were made from, reused. Shard thread only. */
public final class RequestCopies {
  private static final int KEPT = 256;

  /** Requests that have grown beyond this, by many slices, are not kept. */
  private static final int KEPT_BYTES = 4096;

  private final ArrayDeque<ReadRequest> idle = new ArrayDeque<>();
  private int taken;

  /** A copy of a request, for {@link #release}. */
  ReadRequest of(ReadRequest request) {
    return take().copy(request);
  }

  /**
   * The request that {@link ReadRequest#encode} wrote, for {@link #release}.
   *
   * @throws io.helenus.storage.engine.MalformedRequestException if the bytes are anything else
   */
  public ReadRequest decode(MemorySegment segment, long offset, long length) {
    ReadRequest request = take();
    try {
      return request.decode(segment, offset, length);
    } catch (Throwable e) {
      release(request);
      throw e;
    }
  }

  private ReadRequest take() {
    taken++;
    ReadRequest copy = idle.pollLast();
    return copy == null ? new ReadRequest() : copy;
  }

  /** How many were taken and not released. */
  int taken() {
    return taken;
  }

  /** Takes back a request that nobody reads any more. */
  public void release(ReadRequest copy) {
    taken--;
    if (idle.size() < KEPT && copy.segment().byteSize() <= KEPT_BYTES) {
      idle.addLast(copy);
    }
  }
}
