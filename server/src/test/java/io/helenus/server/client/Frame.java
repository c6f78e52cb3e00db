package io.helenus.server.client;

/** A protocol message with its uncompressed body. */
public record Frame(int version, boolean response, int flags, int stream, int opcode, byte[] body) {
  /** A request. */
  public static Frame request(int version, int flags, int stream, int opcode, byte[] body) {
    return new Frame(version, false, flags, stream, opcode, body);
  }

  /** The encoded frame: nine bytes of header and the body. */
  public byte[] encode() {
    return new BodyWriter()
        .putByte(response ? version | 0x80 : version)
        .putByte(flags)
        .putShort(stream)
        .putByte(opcode)
        .putInt(body.length)
        .putRaw(body)
        .toArray();
  }
}
