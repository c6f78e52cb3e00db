package io.helenus.server.client;

/** One message as it stands on the wire, its body not compressed. */
public record Frame(int version, boolean response, int flags, int stream, int opcode, byte[] body) {
  /** A request. */
  public static Frame request(int version, int flags, int stream, int opcode, byte[] body) {
    return new Frame(version, false, flags, stream, opcode, body);
  }

  /** Its bytes: nine of header, then the body. */
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
