package io.helenus.server.schema;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The replication settings of a keyspace as declared; {@code ring} derives the replicas from it.
 * Immutable.
 *
 * @param className fully qualified: {@code org.apache.cassandra.locator.SimpleStrategy}
 * @param options the options other than the class, by name: {@code replication_factor}, or a count
 *     per data centre
 */
public record Replication(String className, SortedMap<String, String> options) {
  /** The package of the strategy classes, with a trailing dot. */
  public static final String PACKAGE = "org.apache.cassandra.locator.";

  /** {@code replication_factor} copies on successive nodes of the ring. */
  public static final String SIMPLE = PACKAGE + "SimpleStrategy";

  /** A number of copies in each data centre, on different racks where possible. */
  public static final String NETWORK_TOPOLOGY = PACKAGE + "NetworkTopologyStrategy";

  /** Each node has its own data. */
  public static final String LOCAL = PACKAGE + "LocalStrategy";

  /** Every node has all data. */
  public static final String EVERYWHERE = PACKAGE + "EverywhereStrategy";

  /** The option for the number of replicas of {@link #SIMPLE}. */
  public static final String FACTOR = "replication_factor";

  /** Copies the options. */
  public Replication {
    options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
  }

  /** The inverse of {@link #toMap}. */
  public static Replication of(Map<String, String> map) {
    TreeMap<String, String> options = new TreeMap<>(map);
    String className = options.remove("class");
    return new Replication(String.valueOf(className), options);
  }

  /** {@link #SIMPLE} with a factor. */
  public static Replication simple(int factor) {
    return new Replication(SIMPLE, new TreeMap<>(Map.of(FACTOR, Integer.toString(factor))));
  }

  /** {@link #LOCAL}. */
  public static Replication local() {
    return new Replication(LOCAL, new TreeMap<>());
  }

  /** Whether each node has its own data. */
  public boolean isLocal() {
    return className.equals(LOCAL);
  }

  /** The class without its package. */
  public String simpleName() {
    return className.startsWith(PACKAGE) ? className.substring(PACKAGE.length()) : className;
  }

  /** The class and the options by name: the {@code replication} of system_schema.keyspaces. */
  public SortedMap<String, String> toMap() {
    TreeMap<String, String> map = new TreeMap<>(options);
    map.put("class", className);
    return map;
  }
}
