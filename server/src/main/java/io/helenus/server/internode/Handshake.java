package io.helenus.server.internode;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * What the side that opened a stream sends first. Immutable.
 *
 * @param oldestVersion the oldest version of the protocol that it speaks
 * @param newestVersion the newest
 * @param digestVersion the newest version of digests that it computes
 * @param wantedShard the shard that the stream should belong to
 */
record Handshake(
    int oldestVersion, int newestVersion, int digestVersion, int wantedShard, NodeIdentity node) {
  /** "HLN1"; does not begin as TLS does. */
  static final int MAGIC = 0x484C4E31;

  /** The version of the protocol. */
  static final int VERSION = 1;

  /** The greatest length of a handshake or answer. */
  static final int LIMIT_BYTES = 4 << 10;

  private static final int TEXT_BYTES = 1 << 10;

  void write(ByteWriter out) {
    out.putShort(oldestVersion).putShort(newestVersion).putShort(digestVersion);
    out.putShort(wantedShard);
    writeNode(node, out);
  }

  static Handshake read(MemorySegment bytes, long offset, int length)
      throws MalformedBytesException {
    Input in = new Input(bytes, offset, length);
    return new Handshake(in.u16(), in.u16(), in.u16(), in.u16(), in.node());
  }

  /**
   * The reply to a handshake. Immutable.
   *
   * @param version the version that is spoken from now on
   * @param digestVersion the version of digests that both sides compute
   * @param shard the shard that the stream belongs to
   * @param refusal why the other side was refused; empty if it was accepted
   */
  record Answer(int version, int digestVersion, int shard, NodeIdentity node, String refusal) {
    void write(ByteWriter out) {
      out.putByte(refusal.isEmpty() ? 0 : 1).putShort(version).putShort(digestVersion);
      out.putShort(shard);
      writeNode(node, out);
      writeText(refusal, out);
    }

    static Answer read(MemorySegment bytes, long offset, int length)
        throws MalformedBytesException {
      Input in = new Input(bytes, offset, length);
      int status = in.u8();
      Answer answer = new Answer(in.u16(), in.u16(), in.u16(), in.node(), in.text());
      if (status > 1 || (status == 0) != answer.refusal.isEmpty()) {
        throw new MalformedBytesException("an answer has the unknown status " + status);
      }
      return answer;
    }
  }

  private static void writeNode(NodeIdentity node, ByteWriter out) {
    writeId(node.clusterId(), out);
    writeId(node.hostId(), out);
    out.putLong(node.life()).putShort(node.shards()).putInt(node.maxMessageBytes());
    writeText(node.clusterName(), out);
    writeAddress(node.broadcast(), out);
    writeAddress(node.client(), out);
  }

  private static void writeId(UUID id, ByteWriter out) {
    out.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }

  private static void writeText(String text, ByteWriter out) {
    byte[] utf8 = shortened(text, TEXT_BYTES);
    out.putShort(utf8.length).putBytes(utf8);
  }

  /** A text in UTF-8, cut between two characters if it is longer than allowed. */
  static byte[] shortened(String text, int most) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (utf8.length <= most) {
      return utf8;
    }
    int end = most;
    while ((utf8[end] & 0xC0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(utf8, end);
  }

  private static void writeAddress(InetSocketAddress address, ByteWriter out) {
    byte[] ip = address.getAddress().getAddress();
    out.putByte(ip.length).putBytes(ip).putShort(address.getPort());
  }

  /** Reads fields one after the other. */
  private static final class Input {
    private final MemorySegment bytes;
    private final long end;
    private long at;

    Input(MemorySegment bytes, long offset, int length) {
      this.bytes = bytes;
      this.at = offset;
      this.end = offset + length;
    }

    private long next(int length) throws MalformedBytesException {
      if (end - at < length) {
        throw new MalformedBytesException("a handshake is too short");
      }
      long start = at;
      at += length;
      return start;
    }

    int u8() throws MalformedBytesException {
      return Bytes.getUnsignedByte(bytes, next(1));
    }

    int u16() throws MalformedBytesException {
      return Bytes.getUnsignedShort(bytes, next(2));
    }

    private long i64() throws MalformedBytesException {
      return Bytes.getLong(bytes, next(8));
    }

    private UUID id() throws MalformedBytesException {
      return new UUID(i64(), i64());
    }

    private byte[] array(int length) throws MalformedBytesException {
      return Bytes.toArray(bytes, next(length), length);
    }

    String text() throws MalformedBytesException {
      return new String(array(u16()), StandardCharsets.UTF_8);
    }

    private InetSocketAddress address() throws MalformedBytesException {
      byte[] ip = array(u8());
      int port = u16();
      try {
        return new InetSocketAddress(InetAddress.getByAddress(ip), port);
      } catch (UnknownHostException e) {
        throw new MalformedBytesException("an address has " + ip.length + " bytes");
      }
    }

    NodeIdentity node() throws MalformedBytesException {
      UUID clusterId = id();
      UUID hostId = id();
      long life = i64();
      int shards = u16();
      int maxMessageBytes = Bytes.getInt(bytes, next(4));
      if (shards == 0 || maxMessageBytes <= 0) {
        throw new MalformedBytesException("a node without shards or messages");
      }
      String clusterName = text();
      return new NodeIdentity(
          clusterId, clusterName, hostId, life, shards, maxMessageBytes, address(), address());
    }
  }
}
