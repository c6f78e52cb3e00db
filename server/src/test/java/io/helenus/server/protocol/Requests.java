package io.helenus.server.protocol;

import io.helenus.server.client.BodyWriter;
import io.helenus.server.client.Compression;
import io.helenus.server.client.Frame;
import io.helenus.server.client.FrameSocket;
import io.helenus.server.client.Response;
import io.helenus.server.client.ResponseDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Encodes requests and decodes responses, for tests without sockets. */
final class Requests {
  private Requests() {}

  static byte[] startup(int version, Map<String, String> options) {
    return Frame.request(version, 0, 0, 0x01, new BodyWriter().putStringMap(options).toArray())
        .encode();
  }

  static byte[] startup(int version) {
    return startup(version, Map.of("CQL_VERSION", "3.0.0"));
  }

  static byte[] options(int version, int stream) {
    return Frame.request(version, 0, stream, 0x05, new byte[0]).encode();
  }

  /** A QUERY with consistency ONE and no other parameter. */
  static byte[] query(int version, int stream, String text) {
    return Frame.request(version, 0, stream, 0x07, queryBody(version, text)).encode();
  }

  static byte[] queryBody(int version, String text) {
    BodyWriter body = new BodyWriter().putLongString(text).putShort(1);
    return (version >= 5 ? body.putInt(0) : body.putByte(0)).toArray();
  }

  /** A self-contained segment with these frames. */
  static byte[] segment(byte[]... frames) {
    return segment(Compression.NONE, frames);
  }

  static byte[] segment(Compression compression, byte[]... frames) {
    BodyWriter all = new BodyWriter();
    for (byte[] frame : frames) {
      all.putRaw(frame);
    }
    return FrameSocket.segment(all.toArray(), true, compression);
  }

  /** The frames of responses without segments (v3, v4). */
  static List<Frame> frames(byte[] bytes) {
    List<Frame> frames = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int length = number(bytes, at + 5, 4);
      frames.add(
          new Frame(
              bytes[at] & 0x7F,
              bytes[at] < 0,
              bytes[at + 1] & 0xFF,
              (short) number(bytes, at + 2, 2),
              bytes[at + 4] & 0xFF,
              Arrays.copyOfRange(bytes, at + 9, at + 9 + length)));
      at += 9 + length;
    }
    return frames;
  }

  /** The payloads of uncompressed segments, self-contained or not. */
  static byte[] unsegmented(byte[] bytes) {
    BodyWriter all = new BodyWriter();
    for (int at = 0; at < bytes.length; ) {
      int header = bytes[at] & 0xFF | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF) << 16;
      int length = header & 0x1FFFF;
      all.putRaw(Arrays.copyOfRange(bytes, at + 6, at + 6 + length));
      at += 10 + length;
    }
    return all.toArray();
  }

  static List<Response> responses(byte[] bytes) {
    return frames(bytes).stream().map(ResponseDecoder::decode).toList();
  }

  private static int number(byte[] bytes, int at, int length) {
    int value = 0;
    for (int i = 0; i < length; i++) {
      value = value << 8 | bytes[at + i] & 0xFF;
    }
    return value;
  }
}
