package io.helenus.server.internode;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.memory.SegmentSource;
import java.lang.foreign.MemorySegment;

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

  /** So much is given to a stream at once; the rest waits here, where its memory is counted. */
  private static final int PORTION_BYTES = 64 << 10;

  private static final int NONE = -1;

  private final ByteWriter out;
  private final Crc32c crc = new Crc32c();
  private final LinkEnvironment environment;
  private final LinkCounters counters;

  /** How much of the contents was given to the stream. */
  private int given;

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
      makeRoom();
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
    return out.size() - given;
  }

  /** Gives a stream everything, as far as it takes it. */
  void sendTo(ByteStream stream) {
    abandon();
    if (frame != NONE) {
      seal();
    }
    resume(stream);
  }

  /** Gives a stream more of the frames that have ended: it has taken what it was given before. */
  void resume(ByteStream stream) {
    int end = frame == NONE ? out.size() : frame;
    while (given < end && stream.pendingBytes() == 0) {
      int length = Math.min(PORTION_BYTES, end - given);
      stream.write(out.segment(), given, length);
      stream.flush();
      given += length;
      counters.bytesOut += length;
    }
    if (frame != NONE || given == 0) {
      return;
    }
    if (given == out.size()) {
      clear();
    } else if (given >= PORTION_BYTES && given > out.size() / 2) {
      dropGiven();
    }
  }

  /** The buffer does not grow for what was given to the stream. */
  private void makeRoom() {
    if (out.capacity() - out.size() < FRAME_BYTES && given > out.size() / 8) {
      dropGiven();
    }
  }

  /** A stream that is never quite empty must not make the contents grow. */
  private void dropGiven() {
    int left = out.size() - given;
    MemorySegment.copy(out.segment(), given, out.segment(), 0, left);
    out.truncate(left);
    given = 0;
  }

  /** Discards everything. */
  void clear() {
    out.clear(KEPT_BYTES);
    given = 0;
    frame = NONE;
    message = NONE;
  }

  /** Discards everything and releases the memory; not used any more. */
  void release() {
    clear();
    out.release();
  }
}
