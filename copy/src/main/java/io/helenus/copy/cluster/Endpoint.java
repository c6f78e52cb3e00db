package io.helenus.copy.cluster;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to reach one side. Passwords never stand on a command line, which other users can read: they
 * come from the environment.
 *
 * @param name "from" or "to", as in the options and the variables of the environment
 * @param hosts contact points, HOST[:PORT] separated by commas
 * @param user the role to log in with, or null
 * @param tls whether to encrypt
 * @param trustStore certificates to trust instead of those of the JDK, or null
 * @param keyStore the client's own certificate, or null
 */
public record Endpoint(
    String name,
    String hosts,
    @Nullable String user,
    boolean tls,
    @Nullable Path trustStore,
    @Nullable Path keyStore) {
  private static final int DEFAULT_PORT = 9042;
  private static final int LAST_PORT = 65_535;

  /** The contact points. */
  List<InetSocketAddress> addresses() {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String host : hosts.split(",", -1)) {
      InetSocketAddress address = address(host.strip());
      if (address.isUnresolved()) {
        throw new CopyException(
            "--" + name + ": the host '" + address.getHostString() + "' is not known");
      }
      addresses.add(address);
    }
    return addresses;
  }

  private InetSocketAddress address(String text) {
    if (text.isEmpty()) {
      throw wrong(text);
    }
    int end = text.startsWith("[") ? text.indexOf(']') : -1;
    if (end > 0) { // [IPv6]:port
      String rest = text.substring(end + 1);
      if (!rest.isEmpty() && !rest.startsWith(":")) {
        throw wrong(text);
      }
      return new InetSocketAddress(
          text.substring(1, end), rest.isEmpty() ? DEFAULT_PORT : port(text, rest.substring(1)));
    }
    int colon = text.indexOf(':');
    if (colon < 0 || colon != text.lastIndexOf(':')) {
      return new InetSocketAddress(text, DEFAULT_PORT);
    }
    return new InetSocketAddress(text.substring(0, colon), port(text, text.substring(colon + 1)));
  }

  private int port(String text, String digits) {
    try {
      int port = Integer.parseInt(digits);
      if (port > 0 && port <= LAST_PORT) {
        return port;
      }
    } catch (NumberFormatException _) {
      // reported below
    }
    throw wrong(text);
  }

  private CopyException wrong(String text) {
    return new CopyException("--" + name + ": '" + text + "' is not an address: write HOST:PORT");
  }

  /** The variable of the environment with a secret of this side, such as HELENUS_FROM_PASSWORD. */
  String variable(String secret) {
    return "HELENUS_" + name.toUpperCase(java.util.Locale.ROOT) + "_" + secret;
  }
}
