package io.helenus.server.schema;

import io.helenus.cql.ast.Properties;
import io.helenus.cql.ast.Properties.Value;
import io.helenus.server.error.CqlException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the properties of a WITH clause; errors have Cassandra's texts. One statement. */
final class PropertyReader {
  private final Properties properties;

  PropertyReader(Properties properties) {
    this.properties = properties;
  }

  void requireOnly(Set<String> known) {
    // report the property that Cassandra reports: the first one in the order of its hash map
    Map<String, Boolean> names = new HashMap<>();
    properties.values().keySet().forEach(name -> names.put(name, true));
    for (String name : names.keySet()) {
      if (!known.contains(name)) {
        throw CqlException.syntax("Unknown property '" + name + "'");
      }
    }
  }

  boolean has(String name) {
    return properties.get(name) != null;
  }

  String text(String name, String fallback) {
    String text = simple(name);
    return text == null ? fallback : text;
  }

  @Nullable Map<String, String> map(String name) {
    return switch (properties.get(name)) {
      case null -> null;
      case Value.MapOf(Map<String, String> entries) -> entries;
      case Value.Simple _ ->
          throw CqlException.syntax(
              "Invalid value for property '" + name + "'. It should be a map.");
    };
  }

  /** Null also if the property is not a map. */
  @Nullable Map<String, String> mapIfAny(String name) {
    return properties.get(name) instanceof Value.MapOf(Map<String, String> entries)
        ? entries
        : null;
  }

  boolean flag(String name, boolean fallback) {
    String text = simple(name);
    if (text == null) {
      return fallback;
    }
    if (text.equals("1") || text.equalsIgnoreCase("true") || text.equalsIgnoreCase("yes")) {
      return true;
    }
    if (text.equals("0") || text.equalsIgnoreCase("false") || text.equalsIgnoreCase("no")) {
      return false;
    }
    throw CqlException.syntax(
        "Invalid boolean value "
            + text
            + " for '"
            + name
            + "'. Positive values can be '1', 'true' or 'yes'."
            + " Negative values can be '0', 'false' or 'no'.");
  }

  int integer(String name, int fallback) {
    String text = simple(name);
    if (text == null) {
      return fallback;
    }
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw CqlException.syntax("Invalid integer value " + text + " for '" + name + "'");
    }
  }

  double number(String name, double fallback) {
    String text = simple(name);
    if (text == null) {
      return fallback;
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw CqlException.syntax("Invalid double value " + text + " for '" + name + "'");
    }
  }

  private @Nullable String simple(String name) {
    return switch (properties.get(name)) {
      case null -> null;
      case Value.Simple(String text) -> text;
      case Value.MapOf _ ->
          throw CqlException.syntax(
              "Invalid value for property '" + name + "'. It should be a string");
    };
  }
}
