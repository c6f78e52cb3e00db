package io.helenus.storage.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Named values in a fixed order: a readable description of a part of a file. Names are lower case
 * with underscores. Values are {@link Long}, {@link Boolean}, {@link String}, {@code byte[]},
 * {@link Time}, {@code Fields} or a list of {@code Fields}. Not for hot paths. One thread.
 */
public final class Fields {
  private final Map<String, Object> values = new LinkedHashMap<>();

  /** A point in time: microseconds or seconds since 1970. */
  public record Time(long value, boolean isMicros) {}

  /** Adds a number. */
  public Fields put(String name, long value) {
    values.put(name, value);
    return this;
  }

  /** Adds a yes or no. */
  public Fields put(String name, boolean value) {
    values.put(name, value);
    return this;
  }

  /** Adds a text. */
  public Fields put(String name, String value) {
    values.put(name, value);
    return this;
  }

  /** Adds bytes; the array is not copied. */
  public Fields put(String name, byte[] value) {
    values.put(name, value);
    return this;
  }

  /** Adds named values under a name. */
  public Fields put(String name, Fields value) {
    values.put(name, value);
    return this;
  }

  /** Adds a list, which is copied. */
  public Fields put(String name, List<Fields> value) {
    values.put(name, List.copyOf(value));
    return this;
  }

  /** Adds a time in microseconds since 1970. */
  public Fields putMicros(String name, long micros) {
    values.put(name, new Time(micros, true));
    return this;
  }

  /** Adds a time in seconds since 1970. */
  public Fields putSeconds(String name, long seconds) {
    values.put(name, new Time(seconds, false));
    return this;
  }

  /** Adds numbers as one text, separated by commas. */
  public Fields put(String name, int[] numbers) {
    List<String> texts = new ArrayList<>();
    for (int number : numbers) {
      texts.add(Integer.toString(number));
    }
    return put(name, String.join(", ", texts));
  }

  /** Adds all values of another object, in its order. */
  public Fields putAll(Fields other) {
    values.putAll(other.values);
    return this;
  }

  /** The values by name, in the order they were added. A view. */
  public Map<String, Object> values() {
    return java.util.Collections.unmodifiableMap(values);
  }
}
