package io.helenus.server.schema;

import io.helenus.server.error.CqlException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code replication} of CREATE KEYSPACE and ALTER KEYSPACE, with Cassandra's defaults,
 * checks and warnings. Stateless apart from where it is used.
 */
final class ReplicationReader {
  private static final String DEFAULT_FACTOR = "1";

  private final String keyspace;
  private final SchemaContext context;

  ReplicationReader(String keyspace, SchemaContext context) {
    this.keyspace = keyspace;
    this.context = context;
  }

  /**
   * The replication that these options make.
   *
   * @param previous what the keyspace had; null for a new one
   */
  Replication read(Map<String, String> given, @Nullable Replication previous) {
    TreeMap<String, String> options = new TreeMap<>(given);
    String name = options.remove("class");
    if (name == null) {
      throw CqlException.configuration("Missing replication strategy class");
    }
    String className = name.indexOf('.') < 0 ? Replication.PACKAGE + name : name;
    SortedMap<String, String> before = previous == null ? new TreeMap<>() : previous.options();
    switch (className) {
      case Replication.LOCAL ->
          throw CqlException.invalid(
              "Unable to use given strategy class: LocalStrategy is reserved for internal use.");
      case Replication.SIMPLE -> simple(options, before);
      case Replication.NETWORK_TOPOLOGY -> perDataCenter(options, before);
      case Replication.PACKAGE + "OldNetworkTopologyStrategy" ->
          throw CqlException.configuration(
              "The support for the OldNetworkTopologyStrategy has been removed in C* version 4.0."
                  + " The keyspace strategy should be switch to NetworkTopologyStrategy");
      default ->
          throw CqlException.configuration(
              "Unable to find replication strategy class '" + className + "'");
    }
    return new Replication(className, options);
  }

  private void simple(TreeMap<String, String> options, SortedMap<String, String> before) {
    options.putIfAbsent(
        Replication.FACTOR, before.getOrDefault(Replication.FACTOR, DEFAULT_FACTOR));
    factor(options.getOrDefault(Replication.FACTOR, ""));
    for (String option : options.keySet()) {
      if (!option.equals(Replication.FACTOR)) {
        throw unrecognized(option, "SimpleStrategy");
      }
    }
  }

  private void perDataCenter(TreeMap<String, String> options, SortedMap<String, String> before) {
    String factor = options.remove(Replication.FACTOR);
    if (factor == null && options.isEmpty()) {
      factor = before.get(Replication.FACTOR);
      options.putAll(before);
      options.remove(Replication.FACTOR);
      if (factor == null && options.isEmpty()) {
        factor = DEFAULT_FACTOR;
      }
    } else if (factor != null) {
      for (Map.Entry<String, String> entry : before.entrySet()) {
        if (!entry.getKey().equals(Replication.FACTOR)) {
          options.putIfAbsent(entry.getKey(), entry.getValue());
        }
      }
    }
    if (factor != null && isFactor(factor)) {
      for (String dataCenter : context.nodesByDataCenter().keySet()) {
        options.putIfAbsent(dataCenter, factor);
      }
    }
    options.values().removeIf("0"::equals);
    if (options.isEmpty()) {
      throw CqlException.configuration("Configuration for at least one datacenter must be present");
    }
    for (Map.Entry<String, String> entry : options.entrySet()) {
      if (!context.nodesByDataCenter().containsKey(entry.getKey())) {
        throw unrecognized(entry.getKey(), "NetworkTopologyStrategy");
      }
      factor(entry.getValue());
    }
  }

  private CqlException unrecognized(String option, String strategy) {
    return CqlException.configuration(
        "Unrecognized strategy option {"
            + option
            + "} passed to "
            + strategy
            + " for keyspace "
            + keyspace);
  }

  private static boolean isFactor(String text) {
    try {
      return Integer.parseInt(text) >= 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Refuses what is no replication factor. */
  private static void factor(String text) {
    int slash = text.indexOf('/');
    if (slash >= 0) {
      if (text.indexOf('/', slash + 1) >= 0) {
        throw CqlException.configuration(
            "Replication factor format is <replicas> or <replicas>/<transient>");
      }
      number(text.substring(0, slash));
      number(text.substring(slash + 1));
      throw CqlException.configuration("Transient replication is not enabled on this node");
    }
    int replicas = number(text);
    if (replicas < 0) {
      throw CqlException.configuration(
          "Replication factor must be non-negative, found " + replicas);
    }
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw CqlException.configuration(e.getMessage());
    }
  }

  /** What a client is warned of when a keyspace gets this replication. */
  void warn(Replication replication, @Nullable Replication previous, List<String> warnings) {
    String start = "Your replication factor ";
    if (replication.className().equals(Replication.SIMPLE)) {
      int nodes = 0;
      for (int count : context.nodesByDataCenter().values()) {
        nodes += count;
      }
      int factor = copies(replication);
      if (factor > nodes) {
        warnings.add(
            start
                + factor
                + " for keyspace "
                + keyspace
                + " is higher than the number of nodes "
                + nodes);
      }
    } else {
      for (Map.Entry<String, String> entry : replication.options().entrySet()) {
        Integer nodes = context.nodesByDataCenter().get(entry.getKey());
        int factor = Integer.parseInt(entry.getValue());
        if (nodes != null && factor > nodes) {
          warnings.add(
              start
                  + factor
                  + " for keyspace "
                  + keyspace
                  + " is higher than the number of nodes "
                  + nodes
                  + " for datacenter "
                  + entry.getKey());
        }
      }
    }
    if (previous != null && copies(replication) > copies(previous)) {
      warnings.add(
          "When increasing replication factor you need to run a full (-full) repair to distribute"
              + " the data.");
    }
  }

  private static int copies(Replication replication) {
    int copies = 0;
    for (String factor : replication.options().values()) {
      copies += Integer.parseInt(factor);
    }
    return copies;
  }
}
