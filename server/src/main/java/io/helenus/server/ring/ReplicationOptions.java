package io.helenus.server.ring;

import io.helenus.server.error.CqlException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Turns the replication option of CREATE and ALTER KEYSPACE into a strategy, with Cassandra's
 * checks in Cassandra's order. Stateless and pure.
 */
public final class ReplicationOptions {
  private static final String DEFAULT_FACTOR = "1";

  private ReplicationOptions() {}

  /**
   * Creates the strategy that a statement defines.
   *
   * @param keyspace for error texts
   * @param given the options as written, class included
   * @param previous the stored options before an ALTER; empty for CREATE
   * @param datacenters the names of the cluster's datacenters
   * @param defaultFactor the number of replicas if neither names one
   * @throws CqlException CONFIG_ERROR, or INVALID for the local strategy
   */
  public static ReplicationStrategy parse(
      String keyspace,
      Map<String, String> given,
      Map<String, String> previous,
      Set<String> datacenters,
      int defaultFactor) {
    Map<String, String> options = new HashMap<>(given);
    String written = options.remove(ReplicationStrategy.CLASS_OPTION);
    if (written == null) {
      throw CqlException.configuration("Missing replication strategy class");
    }
    String className = written.contains(".") ? written : ReplicationStrategy.CLASS_PREFIX + written;
    Map<String, String> before = new TreeMap<>(previous);
    before.remove(ReplicationStrategy.CLASS_OPTION);
    before.putIfAbsent(ReplicationStrategy.FACTOR_OPTION, Integer.toString(defaultFactor));
    return switch (className) {
      case ReplicationStrategy.CLASS_PREFIX + "SimpleStrategy" -> simple(keyspace, options, before);
      case ReplicationStrategy.CLASS_PREFIX + "NetworkTopologyStrategy" ->
          networkTopology(keyspace, options, before, datacenters);
      case ReplicationStrategy.CLASS_PREFIX + "LocalStrategy" ->
          throw CqlException.invalid(
              "Unable to use given strategy class: LocalStrategy is reserved for internal use.");
      case ReplicationStrategy.CLASS_PREFIX + "OldNetworkTopologyStrategy" ->
          throw CqlException.configuration(
              "The support for the OldNetworkTopologyStrategy has been removed in C* version 4.0."
                  + " The keyspace strategy should be switch to NetworkTopologyStrategy");
      default ->
          throw CqlException.configuration(
              "Unable to find replication strategy class '" + className + "'");
    };
  }

  /**
   * Creates the strategy from stored options, as returned by {@link ReplicationStrategy#options},
   * without filling in defaults or checking them against the cluster.
   */
  public static ReplicationStrategy stored(Map<String, String> options, int nodeCount) {
    Map<String, String> others = new LinkedHashMap<>(options);
    String className = String.valueOf(others.remove(ReplicationStrategy.CLASS_OPTION));
    return switch (className.substring(className.lastIndexOf('.') + 1)) {
      case "SimpleStrategy" ->
          new ReplicationStrategy.Simple(
              ReplicationFactor.parse(
                  others.getOrDefault(ReplicationStrategy.FACTOR_OPTION, DEFAULT_FACTOR)));
      case "NetworkTopologyStrategy" -> new ReplicationStrategy.NetworkTopology(parseAll(others));
      case "LocalStrategy" -> new ReplicationStrategy.Local();
      case "EverywhereStrategy" -> new ReplicationStrategy.Everywhere(nodeCount);
      default ->
          throw CqlException.configuration(
              "Unable to find replication strategy class '" + className + "'");
    };
  }

  private static ReplicationStrategy simple(
      String keyspace, Map<String, String> options, Map<String, String> before) {
    String factor = options.remove(ReplicationStrategy.FACTOR_OPTION);
    if (factor == null) {
      factor = before.getOrDefault(ReplicationStrategy.FACTOR_OPTION, DEFAULT_FACTOR);
    }
    ReplicationFactor parsed = ReplicationFactor.parse(factor);
    if (!options.isEmpty()) {
      throw unrecognized(options.keySet().iterator().next(), "SimpleStrategy", keyspace);
    }
    return new ReplicationStrategy.Simple(parsed);
  }

  private static ReplicationStrategy networkTopology(
      String keyspace,
      Map<String, String> options,
      Map<String, String> before,
      Set<String> datacenters) {
    fillDatacenters(options, before, datacenters);
    options.values().removeIf(factor -> factor.equals("0"));
    SortedMap<String, ReplicationFactor> factors = parseAll(options);
    if (options.isEmpty()) {
      throw CqlException.configuration("Configuration for at least one datacenter must be present");
    }
    for (String datacenter : options.keySet()) {
      if (!datacenters.contains(datacenter)) {
        throw unrecognized(datacenter, "NetworkTopologyStrategy", keyspace);
      }
    }
    return new ReplicationStrategy.NetworkTopology(factors);
  }

  private static SortedMap<String, ReplicationFactor> parseAll(Map<String, String> texts) {
    SortedMap<String, ReplicationFactor> factors = new TreeMap<>();
    texts.forEach((datacenter, factor) -> factors.put(datacenter, ReplicationFactor.parse(factor)));
    return factors;
  }

  /**
   * Applies replication_factor to every datacenter that is not listed; in an ALTER, datacenters
   * that already have a number keep it. A value that is not a number is ignored, as in Cassandra.
   */
  private static void fillDatacenters(
      Map<String, String> options, Map<String, String> before, Set<String> datacenters) {
    if (options.isEmpty()) {
      options.put(
          ReplicationStrategy.FACTOR_OPTION,
          before.getOrDefault(ReplicationStrategy.FACTOR_OPTION, DEFAULT_FACTOR));
    }
    String factor = options.remove(ReplicationStrategy.FACTOR_OPTION);
    if (factor == null) {
      return;
    }
    for (Map.Entry<String, String> entry : before.entrySet()) {
      if (!entry.getKey().equals(ReplicationStrategy.FACTOR_OPTION)) {
        options.putIfAbsent(entry.getKey(), entry.getValue());
      }
    }
    int number;
    try {
      number = ReplicationFactor.parse(factor).replicas();
    } catch (CqlException e) {
      return;
    }
    for (String datacenter : datacenters) {
      options.putIfAbsent(datacenter, Integer.toString(number));
    }
  }

  private static CqlException unrecognized(String option, String strategy, String keyspace) {
    return CqlException.configuration(
        "Unrecognized strategy option {"
            + option
            + "} passed to "
            + strategy
            + " for keyspace "
            + keyspace);
  }

  /** Cassandra's warnings for a strategy that needs more nodes than there are. */
  public static List<String> warnings(
      String keyspace, ReplicationStrategy strategy, TokenRing ring) {
    List<String> warnings = new ArrayList<>();
    switch (strategy) {
      case ReplicationStrategy.Simple simple -> {
        int nodes = ring.nodes().size();
        if (simple.replicationFactor() > nodes) {
          warnings.add(tooFewNodes(simple.replicationFactor(), keyspace, nodes));
        }
      }
      case ReplicationStrategy.NetworkTopology topology -> {
        for (String datacenter : topology.factors().keySet()) {
          int nodes = ring.nodeCount(datacenter);
          int factor = topology.replicationFactor(datacenter);
          if (factor > nodes) {
            warnings.add(tooFewNodes(factor, keyspace, nodes) + " for datacenter " + datacenter);
          }
        }
      }
      case ReplicationStrategy.Local local -> {
        // One replica on each node.
      }
      case ReplicationStrategy.Everywhere everywhere -> {
        // As many replicas as nodes.
      }
    }
    return warnings;
  }

  private static String tooFewNodes(int factor, String keyspace, int nodes) {
    return "Your replication factor "
        + factor
        + " for keyspace "
        + keyspace
        + " is higher than the number of nodes "
        + nodes;
  }
}
