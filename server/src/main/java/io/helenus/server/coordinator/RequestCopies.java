package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import java.util.ArrayDeque;

/** Copies of read requests, reused. Shard thread only. */
final class RequestCopies {
  private static final int KEPT = 256;

  private final ArrayDeque<ReadRequest> idle = new ArrayDeque<>();
  private final ByteWriter bytes = new ByteWriter(256);

  /** A copy of a request, for {@link #release}. */
  ReadRequest of(ReadRequest request) {
    ReadRequest copy = idle.pollLast();
    request.encode(bytes.clear());
    return (copy == null ? new ReadRequest() : copy).decode(bytes.segment(), 0, bytes.size());
  }

  /** Takes back a copy that nobody reads any more. */
  void release(ReadRequest copy) {
    if (idle.size() < KEPT) {
      idle.addLast(copy);
    }
  }
}
