package io.helenus.server.protocol;

import io.helenus.storage.bytes.ByteChunks;
import io.helenus.storage.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * A message with a large body, which is encoded piece by piece while the client takes it: as part
 * of a frame or, in v5, in segments. The memory of each chunk is released once it is encoded. On
 * the event loop of the connection.
 */
public final class LargeMessage {
  /** The size of a piece; the last one is smaller. */
  public static final int PIECE_BYTES = 256 << 10;

  private static final int SEGMENTS_PER_PIECE = 2;
  private static final int MOST_SEGMENT_OVERHEAD_BYTES = 16;
  private static final int PART_BYTES =
      PIECE_BYTES / SEGMENTS_PER_PIECE - MOST_SEGMENT_OVERHEAD_BYTES;

  private final ByteWriter head;
  private final ByteChunks rest;
  private final @Nullable Segments segments;
  private final Workspace workspace;
  private int headTaken;

  /**
   * A message.
   *
   * @param head the start of the frame, with its header
   * @param rest the rest of it, which the message takes over
   * @param segments writes the segments of a v5 connection; null if it has none
   */
  LargeMessage(ByteWriter head, ByteChunks rest, @Nullable Segments segments, Workspace workspace) {
    this.head = head;
    this.rest = rest;
    this.segments = segments;
    this.workspace = workspace;
  }

  /** Whether the message is complete. */
  public boolean isEnd() {
    return headTaken == head.size() && rest.isEnd();
  }

  /** Appends the next piece. If it throws, the message cannot be continued. */
  public void putNext(ByteWriter out) {
    out.makeRoom(PIECE_BYTES);
    Segments into = segments;
    if (into == null) {
      take(PIECE_BYTES, out);
      return;
    }
    for (int i = 0; i < SEGMENTS_PER_PIECE && !isEnd(); i++) {
      int header = out.reserve(into.headerBytes());
      take(PART_BYTES, out);
      into.seal(out, header, false, workspace.compressed());
    }
  }

  private void take(int most, ByteWriter out) {
    int part = Math.min(most, head.size() - headTaken);
    out.putBytes(head.segment(), headTaken, part);
    headTaken += part;
    rest.take(most - part, out);
  }

  /** Gives the memory of the rest back, which is not sent. */
  public void release() {
    headTaken = head.size();
    rest.release();
  }
}
