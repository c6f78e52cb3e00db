package io.helenus.server.replica;

import io.helenus.server.cluster.MessageKind;
import java.net.InetSocketAddress;

/**
 * What traces call messages between nodes and the nodes themselves, as Cassandra's do. Stateless.
 */
final class TracedMessage {
  private TracedMessage() {}

  /**
   * Cassandra's verb for a request, without _REQ.
   *
   * @param partition whether a read is of one partition
   */
  static String verb(byte kind, boolean partition) {
    return switch (kind) {
      case MessageKind.MUTATION -> "MUTATION";
      case MessageKind.REPAIR -> "READ_REPAIR";
      default -> partition ? "READ" : "RANGE";
    };
  }

  /** What a request is sent for, in Cassandra's words; empty if that is plain. */
  static String purpose(byte kind) {
    return switch (kind) {
      case MessageKind.READ_DATA -> "reading data from ";
      case MessageKind.READ_DIGEST -> "reading digest from ";
      case MessageKind.REPAIR -> "Sending read-repair-mutation to ";
      default -> "";
    };
  }

  /** A node, by the address where others reach it. */
  static String node(InetSocketAddress address) {
    if (address.getAddress() == null) {
      return address.toString();
    }
    String ip = address.getAddress().getHostAddress();
    return "/" + (ip.indexOf(':') < 0 ? ip : "[" + ip + "]") + ":" + address.getPort();
  }
}
