package io.helenus.server.config;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads the seeds where a {@code cassandra.yaml} has them. Stateless. */
final class SeedProvider {
  /** The key of Cassandra below which the seeds are. */
  static final String KEY = "seed_provider";

  private static final String CLASS = "SimpleSeedProvider";

  private SeedProvider() {}

  /**
   * The seeds below the key.
   *
   * @throws ConfigException if another class is to provide them, or if there are none
   */
  static String seeds(String place, Node provider) throws ConfigException {
    Map<String, Node> keys = keys(provider);
    String name = text(keys.get("class_name"));
    if (name == null || !name.substring(name.lastIndexOf('.') + 1).equals(CLASS)) {
      throw new ConfigException(
          place + ": " + KEY + " needs the class_name " + CLASS + ", not '" + name + "'");
    }
    String seeds = text(keys(keys.get("parameters")).get("seeds"));
    if (seeds == null || seeds.isBlank()) {
      throw new ConfigException(place + ": " + KEY + " needs the parameter seeds");
    }
    return seeds;
  }

  /** The keys of a mapping, or of a list's first one. */
  private static Map<String, Node> keys(@Nullable Node node) {
    Node mapping = node;
    if (node instanceof SequenceNode list && !list.getValue().isEmpty()) {
      mapping = list.getValue().getFirst();
    }
    Map<String, Node> keys = new HashMap<>();
    if (mapping instanceof MappingNode found) {
      for (NodeTuple entry : found.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode key) {
          keys.put(key.getValue(), entry.getValueNode());
        }
      }
    }
    return keys;
  }

  private static @Nullable String text(@Nullable Node node) {
    return node instanceof ScalarNode scalar ? scalar.getValue() : null;
  }
}
