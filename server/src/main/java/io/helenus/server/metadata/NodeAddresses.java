package io.helenus.server.metadata;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Where a member can be reached, as of its last registration; it may have moved since. Immutable.
 *
 * @param broadcast the address and storage port that other nodes connect to
 * @param client the address and native transport port that clients connect to
 */
public record NodeAddresses(InetSocketAddress broadcast, InetSocketAddress client) {
  /**
   * Checks that both are resolved.
   *
   * @throws IllegalArgumentException if one has a host name only
   */
  public NodeAddresses {
    if (broadcast.isUnresolved() || client.isUnresolved()) {
      throw new IllegalArgumentException("unresolved: " + broadcast + ", " + client);
    }
  }

  /** An address as text with its port. */
  static String text(InetSocketAddress address) {
    InetAddress host = address.getAddress();
    String text = host.getHostAddress();
    return (text.indexOf(':') < 0 ? text : "[" + text + "]") + ":" + address.getPort();
  }

  @Override
  public String toString() {
    return text(broadcast) + ", for clients " + text(client);
  }
}
