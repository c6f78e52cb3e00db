package io.helenus.server.ring;

import io.helenus.server.error.CqlException;

/**
 * A number of replicas with its original text, which is stored in the schema. Immutable.
 *
 * @param text as written: {@code 3}, {@code +3}, {@code 03}
 * @param replicas the number
 */
public record ReplicationFactor(String text, int replicas) {
  /**
   * Parses a replication factor.
   *
   * @throws CqlException CONFIG_ERROR, with Cassandra's texts
   */
  public static ReplicationFactor parse(String text) {
    int slash = text.indexOf('/');
    int factor;
    if (slash < 0) {
      factor = number(text);
    } else {
      if (slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
        throw CqlException.configuration(
            "Replication factor format is <replicas> or <replicas>/<transient>");
      }
      factor = number(text.substring(0, slash));
      if (number(text.substring(slash + 1)) != 0) {
        throw CqlException.configuration("Transient replication is not enabled on this node");
      }
    }
    if (factor < 0) {
      throw CqlException.configuration("Replication factor must be non-negative, found " + factor);
    }
    return new ReplicationFactor(text, factor);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw CqlException.configuration("For input string: \"" + text + "\"");
    }
  }

  /** A number of replicas. */
  public static ReplicationFactor of(int replicas) {
    return new ReplicationFactor(Integer.toString(replicas), replicas);
  }

  @Override
  public String toString() {
    return text;
  }
}
