package io.helenus.server.protocol;

import io.helenus.server.client.BodyWriter;
import io.helenus.server.client.Compression;
import io.helenus.server.client.Frame;
import io.helenus.server.client.FrameSocket;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Valid requests and seeded mutations of them: the same seed yields the same bytes. */
public final class FrameMutations {
  private static final int[] TELLING_NUMBERS = {
    0,
    1,
    2,
    -1,
    -2,
    -3,
    127,
    128,
    255,
    256,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x10000,
    0x1FFFF,
    0x20000,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    (256 << 20) + 1,
    256 << 20,
    (16 << 20) + 1
  };

  private static final int[] OPCODES = {0x05, 0x07, 0x07, 0x0A, 0x0A, 0x0D, 0x0B, 0x09};

  private final Random random;
  private final int version;
  private final Compression compression;

  /** Chooses version and compression by the seed. */
  public FrameMutations(long seed) {
    random = new Random(seed);
    version = 3 + random.nextInt(3);
    compression =
        version == 5
            ? random.nextBoolean() ? Compression.NONE : Compression.LZ4
            : Compression.values()[random.nextInt(3)];
  }

  /** The version of the connection. */
  public int version() {
    return version;
  }

  /** The compression of the connection. */
  public Compression compression() {
    return compression;
  }

  /** The pieces to send on one connection. */
  public List<byte[]> pieces() {
    List<byte[]> pieces = new ArrayList<>();
    if (random.nextInt(10) > 0) {
      pieces.add(startup());
    }
    for (int left = 1 + random.nextInt(6); left > 0; left--) {
      pieces.add(wrapped(frame()));
    }
    for (int i = 0; i < pieces.size(); i++) {
      if (random.nextInt(3) == 0) {
        pieces.set(i, mutated(pieces.get(i)));
      }
    }
    return random.nextInt(8) == 0 ? dribbled(pieces) : pieces;
  }

  /**
   * Requests for a connection after STARTUP: some bodies and headers are corrupted, in envelopes
   * that are mostly valid.
   */
  public List<byte[]> afterStartup(List<Frame> requests) {
    List<byte[]> pieces = new ArrayList<>();
    for (Frame request : requests) {
      byte[] body = random.nextBoolean() ? mutated(request.body()) : request.body();
      byte[] frame =
          Frame.request(version, request.flags(), request.stream(), request.opcode(), body)
              .encode();
      byte[] piece = wrapped(random.nextInt(8) == 0 ? mutatedHeader(frame) : frame);
      pieces.add(random.nextInt(12) == 0 ? mutated(piece) : piece);
    }
    return random.nextInt(8) == 0 ? dribbled(pieces) : pieces;
  }

  /** Changes version, flags, stream, opcode or length, and keeps the body. */
  private byte[] mutatedHeader(byte[] frame) {
    byte[] changed = frame.clone();
    changed[random.nextInt(9)] = (byte) random.nextInt();
    return changed;
  }

  private byte[] startup() {
    Map<String, String> options =
        compression == Compression.NONE
            ? Map.of("CQL_VERSION", "3.0.0")
            : Map.of("CQL_VERSION", "3.0.0", "COMPRESSION", compression.optionValue());
    byte[] bytes = Requests.startup(version, options);
    return random.nextInt(10) == 0 ? mutated(bytes) : bytes;
  }

  private byte[] frame() {
    int stream = random.nextInt(100);
    int flags = random.nextInt(12) == 0 ? random.nextInt(256) : 0;
    int opcode = OPCODES[random.nextInt(OPCODES.length)];
    byte[] body = random.nextInt(10) == 0 ? randomBytes(random.nextInt(64)) : body(opcode);
    if (random.nextInt(15) == 0) {
      opcode = random.nextInt(256);
    }
    if (random.nextInt(3) == 0) {
      body = mutated(body);
    }
    return Frame.request(version, flags, stream, opcode, body).encode();
  }

  private byte[] body(int opcode) {
    return switch (opcode) {
      case 0x07 -> Requests.queryBody(version, "late " + "x".repeat(random.nextInt(3000)));
      case 0x09 -> Requests.queryBody(version, "prepare");
      case 0x0A -> execute();
      case 0x0B -> new BodyWriter().putStringList(List.of("SCHEMA_CHANGE")).toArray();
      case 0x0D -> batch();
      default -> new byte[0];
    };
  }

  private byte[] execute() {
    BodyWriter body = new BodyWriter().putShortBytes(randomBytes(16));
    if (version >= 5) {
      body.putShortBytes(randomBytes(16));
    }
    body.putShort(1);
    int flags = random.nextBoolean() ? 1 : random.nextInt(version >= 5 ? 512 : 256);
    body = version >= 5 ? body.putInt(flags) : body.putByte(flags);
    return body.putShort(1).putInt(4).putInt(7).putRaw(randomBytes(random.nextInt(40))).toArray();
  }

  private byte[] batch() {
    BodyWriter body = new BodyWriter().putByte(random.nextInt(3)).putShort(2);
    body.putByte(0).putLongString("insert").putShort(0);
    body.putByte(1).putShortBytes(randomBytes(16)).putShort(1).putInt(2).putShort(3);
    body.putShort(1);
    return (version >= 5 ? body.putInt(0) : body.putByte(0)).toArray();
  }

  /** Builds a segment or compresses the body, as the connection requires; sometimes omits it. */
  private byte[] wrapped(byte[] frame) {
    if (random.nextInt(20) == 0) {
      return frame;
    }
    if (version < 5) {
      int kind = compression == Compression.NONE ? 0 : random.nextInt(5);
      return kind == 0 ? frame : kind == 1 ? bomb(frame) : compressed(frame);
    }
    if (compression == Compression.LZ4 && random.nextInt(5) == 0) {
      return misleading(frame);
    }
    boolean selfContained = random.nextInt(5) > 0;
    if (selfContained) {
      return FrameSocket.segment(frame, true, compression);
    }
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    int cut = random.nextInt(frame.length);
    parts.writeBytes(FrameSocket.segment(Arrays.copyOf(frame, cut), false, compression));
    parts.writeBytes(
        FrameSocket.segment(Arrays.copyOfRange(frame, cut, frame.length), false, compression));
    return parts.toByteArray();
  }

  /** The same frame with its body compressed, sometimes corrupted afterwards. */
  private byte[] compressed(byte[] frame) {
    byte[] body = compression.compressBody(Arrays.copyOfRange(frame, 9, frame.length));
    byte[] sent = random.nextInt(3) == 0 ? mutated(body) : body;
    int stream = (frame[2] & 0xFF) << 8 | frame[3] & 0xFF;
    return Frame.request(version, frame[1] | 1, stream, frame[4], sent).encode();
  }

  /** A segment with valid checksums and invalid lengths or compressed bytes. */
  private byte[] misleading(byte[] frame) {
    byte[] plain = Arrays.copyOf(frame, Math.min(frame.length, 60_000));
    byte[] payload = Compression.NONE.compressBody(plain);
    if (random.nextInt(4) > 0) {
      byte[] withLength = Compression.LZ4.compressBody(plain);
      payload = Arrays.copyOfRange(withLength, 4, withLength.length);
    }
    if (random.nextBoolean()) {
      payload = mutated(payload);
    }
    int[] lengths = {0, 1, plain.length - 1, plain.length, plain.length + 1, 0x1FFFF};
    int length = Math.max(0, lengths[random.nextInt(lengths.length)]);
    return FrameSocket.compressedSegment(payload, length, random.nextBoolean());
  }

  /** A frame with the compression flag and an arbitrary uncompressed length. */
  private byte[] bomb(byte[] frame) {
    byte[] body =
        new BodyWriter()
            .putInt(TELLING_NUMBERS[random.nextInt(TELLING_NUMBERS.length)])
            .putRaw(randomBytes(random.nextInt(50)))
            .toArray();
    return Frame.request(version, 1, 1, frame[4], body).encode();
  }

  private byte[] mutated(byte[] bytes) {
    byte[] changed = bytes.clone();
    for (int left = 1 + random.nextInt(3); left > 0 && changed.length > 0; left--) {
      int at = random.nextInt(changed.length);
      switch (random.nextInt(5)) {
        case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> changed[at] = (byte) random.nextInt();
        case 2 -> changed = Arrays.copyOf(changed, at);
        case 3 -> putInt(changed, at, TELLING_NUMBERS[random.nextInt(TELLING_NUMBERS.length)]);
        default -> {
          ByteArrayOutputStream longer = new ByteArrayOutputStream();
          longer.write(changed, 0, at);
          longer.writeBytes(randomBytes(1 + random.nextInt(20)));
          longer.write(changed, at, changed.length - at);
          changed = longer.toByteArray();
        }
      }
    }
    return changed;
  }

  private static void putInt(byte[] bytes, int at, int value) {
    for (int i = 0; i < 4 && at + i < bytes.length; i++) {
      bytes[at + i] = (byte) (value >>> 24 - 8 * i);
    }
  }

  private List<byte[]> dribbled(List<byte[]> pieces) {
    List<byte[]> single = new ArrayList<>();
    for (byte[] piece : pieces) {
      for (int at = 0; at < piece.length; ) {
        int length = Math.min(piece.length - at, 1 + random.nextInt(3));
        single.add(Arrays.copyOfRange(piece, at, at + length));
        at += length;
      }
    }
    return single;
  }

  private byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
