package io.helenus.server.cluster;

/**
 * Where a node listens: a host, by number or by name as it was given, and a port. Names are
 * resolved when they are dialled. Immutable.
 */
public record Endpoint(String host, int port) {
  /** Checks the bounds of what can be sent. */
  public Endpoint {
    if (host.isEmpty() || host.length() > 255 || port < 0 || port > 0xFFFF) {
      throw new IllegalArgumentException("no address: " + host + ":" + port);
    }
  }

  @Override
  public String toString() {
    return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
  }
}
