package io.helenus.server.transport;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** Counts connections, in total and per address. Any thread. */
final class ConnectionLimits {
  private final int maxConnections;
  private final int maxConnectionsPerAddress;
  private final Map<InetAddress, Integer> perAddress = new HashMap<>();
  private int connections;

  ConnectionLimits(int maxConnections, int maxConnectionsPerAddress) {
    this.maxConnections = maxConnections;
    this.maxConnectionsPerAddress = maxConnectionsPerAddress;
  }

  /** Counts a new connection; false if that exceeds a limit. */
  synchronized boolean admit(InetAddress address) {
    int same = perAddress.getOrDefault(address, 0);
    if (connections >= maxConnections || same >= maxConnectionsPerAddress) {
      return false;
    }
    connections++;
    perAddress.put(address, same + 1);
    return true;
  }

  /** Uncounts a closed connection. */
  synchronized void leave(InetAddress address) {
    connections--;
    int same = perAddress.getOrDefault(address, 1) - 1;
    if (same == 0) {
      perAddress.remove(address);
    } else {
      perAddress.put(address, same);
    }
  }
}
