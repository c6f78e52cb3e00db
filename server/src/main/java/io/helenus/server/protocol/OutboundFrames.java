package io.helenus.server.protocol;

import io.helenus.storage.bytes.ByteChunks;
import io.helenus.storage.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages as frames, and in v5 frames into segments, several small ones into one. Appends
 * to the output of the connection. Call {@link #seal} before the output is sent, to complete the
 * open segment. Not thread-safe.
 */
final class OutboundFrames {
  /** Smaller bodies are not worth compressing. */
  private static final int COMPRESSED_FROM_BYTES = 128;

  private static final int HEADER_BYTES = 9;
  private static final int NO_SEGMENT = -1;

  private final Workspace workspace;
  private @Nullable Compression compression;
  private @Nullable Segments segments;
  private int openSegment = NO_SEGMENT;

  OutboundFrames(Workspace workspace) {
    this.workspace = workspace;
  }

  /** From now on bodies are compressed (v3, v4). */
  void compress(Compression newCompression) {
    compression = newCompression;
  }

  /** From now on frames go into segments (v5). */
  void beginSegments(Segments newSegments) {
    segments = newSegments;
  }

  /**
   * Appends one message, whose body is the prefix followed by {@code body}. If it throws, nothing
   * was appended.
   */
  void append(
      ByteWriter out,
      int version,
      int flags,
      int stream,
      int opcode,
      ByteWriter prefix,
      ByteWriter body) {
    int length = prefix.size() + body.size();
    makeRoomInSegment(out, HEADER_BYTES + length);
    int start = out.size();
    int segment = openSegment;
    try {
      put(out, version, flags, stream, opcode, prefix, body, length);
    } catch (Throwable e) {
      // a partial frame would make everything after it unreadable
      out.truncate(start);
      openSegment = segment;
      throw e;
    }
  }

  private void put(
      ByteWriter out,
      int version,
      int flags,
      int stream,
      int opcode,
      ByteWriter prefix,
      ByteWriter body,
      int length) {
    if (segments == null) {
      if (compression != null && length >= COMPRESSED_FROM_BYTES) {
        appendCompressed(compression, out, version, flags, stream, opcode, prefix, body);
      } else {
        frame(out, version, flags, stream, opcode, prefix, body);
      }
    } else if (HEADER_BYTES + length > Segments.LARGEST_PAYLOAD_BYTES) {
      ByteWriter large = workspace.large();
      frame(large, version, flags, stream, opcode, prefix, body);
      split(segments, large, out);
    } else {
      if (openSegment == NO_SEGMENT) {
        openSegment = out.reserve(segments.headerBytes());
      }
      frame(out, version, flags, stream, opcode, prefix, body);
    }
  }

  /**
   * Returns a message that is encoded while it is sent; its body is the prefix, {@code body} and
   * the chunks, which the message takes over. In v3 and v4 a body is compressed if that takes
   * little memory. If it throws, the chunks must be released.
   */
  LargeMessage large(
      int version,
      int flags,
      int stream,
      int opcode,
      ByteWriter prefix,
      ByteWriter body,
      ByteChunks rest) {
    long length = prefix.size() + body.size() + rest.size();
    if (compression != null && workspace.mayCompress(length)) {
      return largeCompressed(compression, version, flags, stream, opcode, prefix, body, rest);
    }
    ByteWriter head = new ByteWriter(HEADER_BYTES + prefix.size() + body.size());
    header(head, version, flags, stream, opcode);
    head.putInt(Math.toIntExact(length));
    head.putBytes(prefix.segment(), 0, prefix.size());
    head.putBytes(body.segment(), 0, body.size());
    return new LargeMessage(head, rest, segments, workspace);
  }

  private LargeMessage largeCompressed(
      Compression with,
      int version,
      int flags,
      int stream,
      int opcode,
      ByteWriter prefix,
      ByteWriter body,
      ByteChunks rest) {
    ByteWriter plain = workspace.large();
    ByteWriter packed = workspace.answer();
    try {
      plain.makeRoom((int) (prefix.size() + body.size() + rest.size()));
      plain.putBytes(prefix.segment(), 0, prefix.size());
      plain.putBytes(body.segment(), 0, body.size());
      rest.take(Integer.MAX_VALUE, plain);
      with.compress(plain.segment(), 0, plain.size(), packed);
    } catch (Throwable e) {
      packed.release();
      throw e;
    } finally {
      workspace.large();
    }
    ByteWriter head = new ByteWriter(HEADER_BYTES);
    header(head, version, flags | FrameFlags.COMPRESSION, stream, opcode);
    head.putInt(packed.size());
    return new LargeMessage(head, workspace.chunks(packed), null, workspace);
  }

  /** Completes the open segment, if any. */
  void seal(ByteWriter out) {
    if (segments != null && openSegment != NO_SEGMENT) {
      segments.seal(out, openSegment, true, workspace.compressed());
      openSegment = NO_SEGMENT;
    }
  }

  /** Ends the open segment if it has no room for a frame of this size. */
  private void makeRoomInSegment(ByteWriter out, int frameBytes) {
    if (segments != null && openSegment != NO_SEGMENT) {
      int payload = out.size() - openSegment - segments.headerBytes();
      if (payload + frameBytes > Segments.LARGEST_PAYLOAD_BYTES) {
        seal(out);
      }
    }
  }

  private void split(Segments into, ByteWriter frame, ByteWriter out) {
    for (int at = 0; at < frame.size(); at += Segments.LARGEST_PAYLOAD_BYTES) {
      int part = Math.min(Segments.LARGEST_PAYLOAD_BYTES, frame.size() - at);
      int header = out.reserve(into.headerBytes());
      out.putBytes(frame.segment(), at, part);
      into.seal(out, header, false, workspace.compressed());
    }
  }

  private static void frame(
      ByteWriter out,
      int version,
      int flags,
      int stream,
      int opcode,
      ByteWriter prefix,
      ByteWriter body) {
    header(out, version, flags, stream, opcode);
    out.putInt(prefix.size() + body.size());
    if (prefix.size() > 0) {
      out.putBytes(prefix.segment(), 0, prefix.size());
    }
    out.putBytes(body.segment(), 0, body.size());
  }

  private void appendCompressed(
      Compression with,
      ByteWriter out,
      int version,
      int flags,
      int stream,
      int opcode,
      ByteWriter prefix,
      ByteWriter body) {
    ByteWriter plain = body;
    if (prefix.size() > 0) {
      plain = workspace.large();
      plain.putBytes(prefix.segment(), 0, prefix.size());
      plain.putBytes(body.segment(), 0, body.size());
    }
    header(out, version, flags | FrameFlags.COMPRESSION, stream, opcode);
    int lengthAt = out.reserve(4);
    with.compress(plain.segment(), 0, plain.size(), out);
    out.setInt(lengthAt, out.size() - lengthAt - 4);
  }

  private static void header(ByteWriter out, int version, int flags, int stream, int opcode) {
    out.putByte(version | 0x80).putByte(flags).putShort(stream).putByte(opcode);
  }
}
