package io.helenus.server.config;

import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads a {@code helenus.yaml}: a mapping of keys to scalar values and lists of them. A {@code
 * cassandra.yaml} is read too, by {@link #readCassandra}. Stateless.
 */
public final class ConfigFile {
  /** Keys of Cassandra that restrict who may do what, by the name of a class. */
  private static final Set<String> PROTECTION =
      Set.of("authenticator", "authorizer", "network_authorizer", "cidr_authorizer");

  private static final String CLASS_NAME = ".class_name";

  /** Keys of Cassandra that switch encryption on. */
  private static final Set<String> ENCRYPTION =
      Set.of(
          "client_encryption_options.enabled",
          "client_encryption_options.optional",
          "transparent_data_encryption_options.enabled");

  /** What leaves them off. */
  private static final Set<String> OFF = Set.of("", "false", "no", "off", "null", "~");

  private ConfigFile() {}

  /** Takes the keys of a file. */
  private interface Keys {
    /** Takes a key whose value has a form of its own; false if it has not. */
    default boolean takeSpecial(String place, String key, Node value) throws ConfigException {
      return false;
    }

    /** Whether the values below this key are to be taken, as keys of their own. */
    boolean isGroup(String key);

    /** Takes a key with its value, which is null if it is neither a scalar nor a list of them. */
    void take(String place, String key, @Nullable String value) throws ConfigException;
  }

  /**
   * Reads all keys of the text into the builder.
   *
   * @param name the file name for error messages
   */
  public static void read(String name, String text, Settings.Builder into) throws ConfigException {
    read(
        name,
        text,
        new Keys() {
          @Override
          public boolean isGroup(String key) {
            return Settings.isGroup(key);
          }

          @Override
          public void take(String place, String key, @Nullable String value)
              throws ConfigException {
            if (value == null) {
              throw new ConfigException(
                  place + ": " + key + " needs a plain value or a list of plain values");
            }
            into.set(place, key, value);
          }
        });
  }

  /**
   * Reads the keys of a {@code cassandra.yaml} that have the same meaning here; keys that have no
   * effect are noted in the builder ({@link Settings#ignoredKeys}).
   *
   * @throws ConfigException also if the file asks for protection that Helenus lacks: it must not
   *     start without what its configuration promises
   */
  public static void readCassandra(String name, String text, Settings.Builder into)
      throws ConfigException {
    read(name, text, new CassandraKeys(into));
  }

  private record CassandraKeys(Settings.Builder into) implements Keys {
    @Override
    public boolean isGroup(String key) {
      return Settings.isGroup(key)
          || PROTECTION.contains(key)
          || ENCRYPTION.stream().anyMatch(each -> each.startsWith(key + "."));
    }

    @Override
    public void take(String place, String key, @Nullable String value) throws ConfigException {
      String restricted =
          key.endsWith(CLASS_NAME) ? key.substring(0, key.length() - CLASS_NAME.length()) : key;
      boolean allowsAll =
          value != null && value.substring(value.lastIndexOf('.') + 1).startsWith("AllowAll");
      boolean protects = PROTECTION.contains(restricted) && value != null && !allowsAll;
      boolean encrypts =
          ENCRYPTION.contains(key) && (value == null || !OFF.contains(value.toLowerCase(ROOT)));
      if (protects || encrypts) {
        throw new ConfigException(
            place
                + ": "
                + restricted
                + " "
                + value
                + " is not supported by this version of Helenus");
      }
      if (value == null || !Settings.isKey(key)) {
        into.ignore(key);
      } else if (!value.isEmpty() || key.equals(Setting.LISTEN_ADDRESS.name())) {
        into.set(place, key, value);
      }
    }

    @Override
    public boolean takeSpecial(String place, String key, Node value) throws ConfigException {
      if (!key.equals(SeedProvider.KEY)) {
        return false;
      }
      into.set(place, Setting.SEEDS.name(), SeedProvider.seeds(place, value));
      return true;
    }
  }

  private static void read(String name, String text, Keys keys) throws ConfigException {
    Node root;
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(name).setUseMarks(true).build();
      root = new Compose(settings).composeString(text).orElse(null);
    } catch (MarkedYamlEngineException e) {
      throw new ConfigException(
          name + line(e.getProblemMark().map(m -> m.getLine())) + ": " + e.getProblem());
    } catch (YamlEngineException e) {
      throw new ConfigException(name + ": " + e.getMessage());
    }
    if (root == null) {
      return;
    }
    if (!(root instanceof MappingNode mapping)) {
      throw new ConfigException(place(name, root) + ": expected lines of 'key: value'");
    }
    read(name, "", mapping, new HashSet<>(), keys);
  }

  /** Keys of a group are those of its name, a dot, and theirs, which may be written in one too. */
  private static void read(
      String name, String group, MappingNode mapping, Set<String> seen, Keys keys)
      throws ConfigException {
    for (NodeTuple entry : mapping.getValue()) {
      String place = place(name, entry.getKeyNode());
      if (!(entry.getKeyNode() instanceof ScalarNode scalar)) {
        throw new ConfigException(place + ": expected a key");
      }
      String key = group + scalar.getValue();
      if (!seen.add(Settings.currentName(key))) {
        throw new ConfigException(place + ": " + key + " is given twice");
      }
      if (keys.takeSpecial(place, key, entry.getValueNode())) {
        continue;
      }
      if (entry.getValueNode() instanceof MappingNode inner && keys.isGroup(key)) {
        read(name, key + ".", inner, seen, keys);
      } else {
        keys.take(place, key, value(entry.getValueNode()));
      }
    }
  }

  /** A scalar as text, a list of scalars as {@code [a, b]}; null for anything else. */
  private static @Nullable String value(Node node) {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    if (!(node instanceof SequenceNode sequence)) {
      return null;
    }
    List<String> elements = new ArrayList<>();
    for (Node element : sequence.getValue()) {
      if (!(element instanceof ScalarNode scalar)) {
        return null;
      }
      elements.add(scalar.getValue());
    }
    return elements.toString();
  }

  private static String place(String name, Node node) {
    return name + line(node.getStartMark().map(m -> m.getLine()));
  }

  private static String line(java.util.Optional<Integer> zeroBased) {
    return zeroBased.map(line -> ":" + (line + 1)).orElse("");
  }
}
