package io.helenus.server.internode;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.memory.SegmentSource;

/**
 * The output of a link: messages are appended to frames, until all are sent together. A message
 * that was begun and not ended, because its writer has failed, is discarded. One thread.
 */
final class FrameWriter {
  /** Length and checksum. */
  static final int ENVELOPE_BYTES = 8;

  /** Envelope, time, timestamp and epoch. */
  static final int HEADER_BYTES = ENVELOPE_BYTES + 24;

  /** A frame is ended once it is larger. */
  static final int FRAME_BYTES = 128 << 10;

  private static final int INITIAL_BYTES = 4 << 10;
  private static final int KEPT_BYTES = 64 << 10;
  private static final int NONE = -1;

  private final ByteWriter out;
  private final Crc32c crc = new Crc32c();
  private final LinkEnvironment environment;
  private final LinkCounters counters;
  private int frame = NONE;
  private int message = NONE;

  FrameWriter(LinkEnvironment environment, SegmentSource memory, LinkCounters counters) {
    this.environment = environment;
    this.counters = counters;
    out = ByteWriter.recycling(memory, INITIAL_BYTES);
  }

  /** Begins a message; its bytes are appended to the result. */
  ByteWriter begin() {
    abandon();
    if (frame != NONE && out.size() - frame > FRAME_BYTES) {
      seal();
    }
    if (frame == NONE) {
      frame = out.reserve(HEADER_BYTES);
    }
    message = out.size();
    return out;
  }

  /** Where messages are written. */
  ByteWriter writer() {
    return out;
  }

  /** The offset of the message that was begun. */
  int messageStart() {
    return message;
  }

  /** Whether a message was begun and not ended. */
  boolean isOpen() {
    return message != NONE;
  }

  void end() {
    if (out.size() - message > FRAME_BYTES) {
      counters.largeOut++;
    }
    message = NONE;
    counters.messagesOut++;
  }

  /** Discards the message that was begun, if there is one. */
  void abandon() {
    if (message != NONE) {
      out.truncate(message);
      message = NONE;
    }
  }

  /** Adds a frame without messages. */
  void heartbeat() {
    counters.heartbeatsOut++;
    abandon();
    if (frame == NONE) {
      frame = out.reserve(HEADER_BYTES);
    }
  }

  /** Adds the envelope of a handshake, preceded by the magic number. */
  void handshake(ByteWriter body) {
    out.putInt(Handshake.MAGIC);
    int at = out.reserve(ENVELOPE_BYTES);
    out.putBytes(body.segment(), 0, body.size());
    envelope(at);
  }

  private void seal() {
    out.setLong(frame + ENVELOPE_BYTES, environment.clock().nanos() / 1_000);
    out.setLong(frame + ENVELOPE_BYTES + 8, environment.lastTimestamp().getAsLong());
    out.setLong(frame + ENVELOPE_BYTES + 16, environment.epoch().getAsLong());
    envelope(frame);
    frame = NONE;
    counters.framesOut++;
  }

  private void envelope(int at) {
    int length = out.size() - at - ENVELOPE_BYTES;
    out.setInt(at, length);
    out.setInt(at + Integer.BYTES, EnvelopeReader.checksum(crc, out.segment(), at, length));
  }

  /** The number of bytes that wait to be sent. */
  int size() {
    return out.size();
  }

  /** Gives everything to a stream. */
  void sendTo(ByteStream stream) {
    abandon();
    if (frame != NONE) {
      seal();
    }
    if (out.size() > 0) {
      counters.bytesOut += out.size();
      stream.write(out.segment(), 0, out.size());
      stream.flush();
      out.clear(KEPT_BYTES);
    }
  }

  /** Discards everything. */
  void clear() {
    out.clear(KEPT_BYTES);
    frame = NONE;
    message = NONE;
  }

  /** Discards everything and releases the memory; not used any more. */
  void release() {
    clear();
    out.release();
  }
}
