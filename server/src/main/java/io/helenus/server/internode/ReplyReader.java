package io.helenus.server.internode;

import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;

/** Decodes the messages of the side that replies. Stateless. */
final class ReplyReader {
  static final byte ACKNOWLEDGEMENTS = 1;
  static final byte REPLY = 2;
  static final byte REFUSAL = 3;

  /** Type and number. */
  static final int ACKNOWLEDGEMENTS_BYTES = 5;

  /** Type, id and length. */
  static final int REPLY_BYTES = 13;

  /** Type, id, code and length. */
  static final int REFUSAL_BYTES = 12;

  static final int ID_AT = 1;
  static final int REPLY_LENGTH_AT = 9;
  static final int CODE_AT = 9;
  static final int TEXT_LENGTH_AT = 10;

  private ReplyReader() {}

  /** Hands each message to the link, until its connection ends. */
  static void read(MemorySegment bytes, long offset, int length, Link link, Connection connection)
      throws MalformedBytesException {
    long at = offset;
    long end = offset + length;
    while (at < end && !connection.isEnded()) {
      at =
          switch (Bytes.getByte(bytes, at)) {
            case ACKNOWLEDGEMENTS -> acknowledgements(bytes, at, end, link, connection);
            case REPLY -> reply(bytes, at, end, link);
            case REFUSAL -> refusal(bytes, at, end, link);
            default -> throw new MalformedBytesException("a message of unknown type");
          };
    }
  }

  private static long acknowledgements(
      MemorySegment bytes, long at, long end, Link link, Connection connection)
      throws MalformedBytesException {
    need(at, end, ACKNOWLEDGEMENTS_BYTES);
    long count = Bytes.getInt(bytes, at + 1) & 0xFFFF_FFFFL;
    need(at, end, ACKNOWLEDGEMENTS_BYTES + Long.BYTES * count);
    long ids = at + ACKNOWLEDGEMENTS_BYTES;
    for (long i = 0; i < count && !connection.isEnded(); i++) {
      long each = ids + Long.BYTES * i;
      link.replied(Bytes.getLong(bytes, each), bytes, each, 0);
    }
    return ids + Long.BYTES * count;
  }

  private static long reply(MemorySegment bytes, long at, long end, Link link)
      throws MalformedBytesException {
    need(at, end, REPLY_BYTES);
    int length = Bytes.getInt(bytes, at + REPLY_LENGTH_AT);
    if (length < 0) {
      throw new MalformedBytesException("a reply of negative length");
    }
    need(at, end, (long) REPLY_BYTES + length);
    link.replied(Bytes.getLong(bytes, at + ID_AT), bytes, at + REPLY_BYTES, length);
    return at + REPLY_BYTES + length;
  }

  private static long refusal(MemorySegment bytes, long at, long end, Link link)
      throws MalformedBytesException {
    need(at, end, REFUSAL_BYTES);
    int length = Bytes.getUnsignedShort(bytes, at + TEXT_LENGTH_AT);
    need(at, end, REFUSAL_BYTES + length);
    link.refused(Bytes.getLong(bytes, at + ID_AT), bytes, at, length);
    return at + REFUSAL_BYTES + length;
  }

  /** Checks that a frame has so many bytes from an offset on. */
  static void need(long at, long end, long bytes) throws MalformedBytesException {
    if (end - at < bytes) {
      throw new MalformedBytesException("a message is longer than its frame");
    }
  }
}
