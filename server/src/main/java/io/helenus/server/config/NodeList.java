package io.helenus.server.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The notation of nodes: {@code HOST}, {@code HOST:PORT} or {@code [IPv6]:PORT}, separated by
 * commas, with or without brackets around all of them. Nothing is looked up. Stateless.
 */
final class NodeList {
  private static final int LONGEST_NAME = 253;
  private static final int LAST_PORT = 65535;
  private static final Pattern NAME =
      Pattern.compile("[\\p{Alnum}_]([\\p{Alnum}_-]*[\\p{Alnum}_])?");
  private static final Pattern NUMERIC = Pattern.compile("[0-9.]+");

  private NodeList() {}

  /** What is wrong with the text; empty if nothing is. */
  static String problem(String text) {
    for (String each : split(text)) {
      String problem = problemOf(each);
      if (!problem.isEmpty()) {
        return problem;
      }
    }
    return "";
  }

  /**
   * The nodes of a text without problems, in order and each once, with names that have not been
   * looked up.
   *
   * @param defaultPort the port of nodes without one
   */
  static List<InetSocketAddress> parse(String text, int defaultPort) {
    Set<InetSocketAddress> nodes = new LinkedHashSet<>();
    for (String each : split(text)) {
      String port = port(each);
      nodes.add(
          InetSocketAddress.createUnresolved(
              host(each).toLowerCase(Locale.ROOT),
              port.isEmpty() ? defaultPort : Integer.parseInt(port.substring(1))));
    }
    return List.copyOf(nodes);
  }

  private static List<String> split(String text) {
    String inner = isBracketed(text) ? text.substring(1, text.length() - 1) : text;
    List<String> parts = new ArrayList<>();
    if (!inner.isBlank()) {
      for (String part : inner.split(",", -1)) {
        parts.add(part.strip());
      }
    }
    return parts;
  }

  /** Whether the first bracket is closed by the last character, unlike in {@code [::1], [::2]}. */
  private static boolean isBracketed(String text) {
    int open = 0;
    for (int i = 0; i < text.length(); i++) {
      open += text.charAt(i) == '[' ? 1 : text.charAt(i) == ']' ? -1 : 0;
      if (open == 0) {
        return i > 0 && i == text.length() - 1;
      }
    }
    return false;
  }

  private static String problemOf(String node) {
    if (node.isEmpty()) {
      return "there is nothing between two commas";
    }
    String host = host(node);
    String port = port(node);
    boolean numbered = NUMERIC.matcher(host).matches() || host.indexOf(':') >= 0;
    if (numbered ? !isLiteral(host) : node.startsWith("[") || !isName(host)) {
      return "'" + node + "' has no valid host";
    }
    return port.isEmpty() || isPort(port) ? "" : "'" + node + "' has no valid port";
  }

  /** Everything before the port; an IPv6 address without its brackets. */
  private static String host(String node) {
    int closing = node.indexOf(']');
    if (node.startsWith("[") && closing > 0) {
      return node.substring(1, closing);
    }
    int colon = node.indexOf(':');
    return colon >= 0 && colon == node.lastIndexOf(':') ? node.substring(0, colon) : node;
  }

  /** The colon and what follows it; empty if there is none. */
  private static String port(String node) {
    int closing = node.indexOf(']');
    if (node.startsWith("[") && closing > 0) {
      return node.substring(closing + 1);
    }
    int colon = node.indexOf(':');
    return colon >= 0 && colon == node.lastIndexOf(':') ? node.substring(colon) : "";
  }

  private static boolean isLiteral(String host) {
    try {
      InetAddress.ofLiteral(host);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isName(String host) {
    String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    if (name.length() > LONGEST_NAME) {
      return false;
    }
    for (String label : name.split("\\.", -1)) {
      if (!NAME.matcher(label).matches()) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPort(String text) {
    try {
      int port = Integer.parseInt(text.substring(1));
      return text.startsWith(":") && port > 0 && port <= LAST_PORT;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
