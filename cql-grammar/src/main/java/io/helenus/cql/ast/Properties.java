package io.helenus.cql.ast;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of WITH: {@code name = value AND …}, in the order of the text, each name once (the
 * parser rejects duplicates).
 */
public record Properties(Map<String, Value> values) {
  /** No WITH. */
  public static final Properties NONE = new Properties(Map.of());

  /** Copies the map, keeping its order. */
  public Properties {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** The value of a property; null if absent. */
  public @Nullable Value get(String name) {
    return values.get(name);
  }

  /** Whether there are no properties. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** A property's value. */
  public sealed interface Value {

    /** A constant or an unreserved keyword, as text (a string unescaped, without its quotes). */
    record Simple(String text) implements Value {
      @Override
      public String toString() {
        return text;
      }
    }

    /**
     * {@code {'key': 'value', …}} of constants, as texts; may be empty. Keeps the order of the
     * text.
     */
    record MapOf(Map<String, String> entries) implements Value {
      /** Copies the map, keeping its order. */
      public MapOf {
        entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
      }

      @Override
      public String toString() {
        return entries.toString();
      }
    }
  }
}
