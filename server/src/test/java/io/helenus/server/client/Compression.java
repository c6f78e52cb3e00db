package io.helenus.server.client;

import java.io.ByteArrayOutputStream;
import net.jpountz.lz4.LZ4Factory;

/** Compression of frames and segments. */
public enum Compression {
  NONE(""),
  LZ4("lz4"),
  SNAPPY("snappy");

  private final String optionValue;

  Compression(String optionValue) {
    this.optionValue = optionValue;
  }

  /** The COMPRESSION option of STARTUP; empty for none. */
  public String optionValue() {
    return optionValue;
  }

  /** Compresses the body of a v3 or v4 frame. */
  public byte[] compressBody(byte[] body) {
    return switch (this) {
      case NONE -> body;
      case LZ4 -> new BodyWriter().putInt(body.length).putRaw(lz4(body)).toArray();
      case SNAPPY -> snappy(body);
    };
  }

  /** Decompresses the body of a v3 or v4 frame. */
  byte[] decompressBody(byte[] body) {
    return switch (this) {
      case NONE -> body;
      case LZ4 -> {
        BodyReader in = new BodyReader(body);
        int length = in.getInt();
        yield unLz4(in.getRaw(in.remaining()), length);
      }
      case SNAPPY -> unSnappy(body);
    };
  }

  static byte[] lz4(byte[] bytes) {
    return LZ4Factory.safeInstance().fastCompressor().compress(bytes);
  }

  static byte[] unLz4(byte[] bytes, int length) {
    byte[] plain = new byte[length];
    int written = LZ4Factory.safeInstance().safeDecompressor().decompress(bytes, plain);
    if (written != length) {
      throw new AssertionError(written + " bytes instead of the declared " + length);
    }
    return plain;
  }

  /** Valid Snappy consisting of literals only, so it does not shrink. */
  private static byte[] snappy(byte[] bytes) {
    BodyWriter out = new BodyWriter();
    int rest = bytes.length;
    for (; rest > 0x7F; rest >>>= 7) {
      out.putByte(rest & 0x7F | 0x80);
    }
    out.putByte(rest);
    for (int at = 0; at < bytes.length; at += 60) {
      int length = Math.min(60, bytes.length - at);
      out.putByte(length - 1 << 2).putRaw(java.util.Arrays.copyOfRange(bytes, at, at + length));
    }
    return out.toArray();
  }

  private static byte[] unSnappy(byte[] bytes) {
    int at = 0;
    int expected = 0;
    for (int shift = 0; ; shift += 7) {
      int part = bytes[at++];
      expected |= (part & 0x7F) << shift;
      if (part >= 0) {
        break;
      }
    }
    SnappyOutput out = new SnappyOutput();
    while (at < bytes.length) {
      int tag = bytes[at++] & 0xFF;
      int size = tag >> 2;
      switch (tag & 3) {
        case 0 -> {
          int extra = Math.max(0, size - 59);
          int length = (extra == 0 ? size : little(bytes, at, extra)) + 1;
          out.write(bytes, at + extra, length);
          at += extra + length;
        }
        case 1 -> out.repeat((tag >> 5) << 8 | bytes[at++] & 0xFF, (size & 7) + 4);
        case 2 -> {
          out.repeat(little(bytes, at, 2), size + 1);
          at += 2;
        }
        default -> {
          out.repeat(little(bytes, at, 4), size + 1);
          at += 4;
        }
      }
    }
    if (out.size() != expected) {
      throw new AssertionError(out.size() + " bytes instead of the declared " + expected);
    }
    return out.toByteArray();
  }

  private static int little(byte[] bytes, int at, int length) {
    int value = 0;
    for (int i = 0; i < length; i++) {
      value |= (bytes[at + i] & 0xFF) << 8 * i;
    }
    return value;
  }

  /** The bytes decompressed so far, which copies refer to. */
  private static final class SnappyOutput extends ByteArrayOutputStream {
    void repeat(int distance, int length) {
      for (int i = 0; i < length; i++) {
        write(buf[count - distance]);
      }
    }
  }
}
