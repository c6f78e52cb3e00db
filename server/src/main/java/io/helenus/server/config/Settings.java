package io.helenus.server.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of all keys, each checked against its kind. Immutable; any thread. */
public final class Settings {
  private static final long NANOS_PER_MICRO = 1_000;

  private final Map<String, String> given;
  private final List<String> ignored;

  private final MemoryPlan memory;
  private final @Nullable ClusterSettings cluster;

  private Settings(Map<String, String> given, List<String> ignored, Builder from)
      throws ConfigException {
    this.given = given;
    this.ignored = ignored;
    memory = MemoryPlan.of(this, from.place(Setting.MEMORY), from.autoMemory, from.heap);
    cluster = text(Setting.SEEDS).isEmpty() ? null : ClusterSettings.of(this, from::place);
  }

  /** Tells the sources of values. */
  interface Places {
    /** The source of the key's value, e.g. {@code conf/helenus.yaml:12}. */
    String of(Setting key);
  }

  /** Whether a key exists. */
  static boolean isKey(String key) {
    return Builder.find(key) != null;
  }

  /** The name of a key that may be given under a former one. */
  static String currentName(String key) {
    return GuardrailSettings.FORMER_NAMES.getOrDefault(key, key);
  }

  /** Whether keys exist that begin with this name and a dot. */
  static boolean isGroup(String name) {
    return Setting.ALL.stream().anyMatch(setting -> setting.name().startsWith(name + "."));
  }

  /** The keys of a {@code cassandra.yaml} that have no effect, in its order. */
  public List<String> ignoredKeys() {
    return ignored;
  }

  /** Collects values; later ones replace earlier ones. */
  public static final class Builder {
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, String> places = new HashMap<>();
    private final List<String> ignored = new ArrayList<>();
    private long autoMemory = MemoryPlan.DEFAULT_BYTES;
    private long heap;

    /** A builder with only defaults. */
    public Builder() {}

    /**
     * Sets a key.
     *
     * @param place the source of the value for error messages, e.g. {@code conf/helenus.yaml:12}
     */
    public Builder set(String place, String key, String value) throws ConfigException {
      Setting setting = find(key);
      if (setting == null) {
        throw new ConfigException(place + ": unknown key '" + key + "'" + suggestion(key));
      }
      check(place, setting, value);
      values.put(setting.name(), value);
      places.put(setting.name(), place);
      return this;
    }

    /** Sets the size in bytes that {@code memory: auto} stands for. */
    public Builder autoMemory(long bytes) {
      autoMemory = bytes;
      return this;
    }

    /** Sets the limit of the heap in bytes, which is part of the memory. */
    public Builder heap(long bytes) {
      heap = bytes;
      return this;
    }

    /** Whether a key has a value that is not its default. */
    public boolean isSet(Setting setting) {
      return values.containsKey(setting.name());
    }

    private String place(Setting setting) {
      return places.getOrDefault(setting.name(), "helenus.yaml");
    }

    /** Notes a key that has no effect. */
    void ignore(String key) {
      ignored.add(key);
    }

    /**
     * Builds the settings.
     *
     * @throws ConfigException if values are inconsistent with each other
     */
    public Settings build() throws ConfigException {
      Settings settings = new Settings(Map.copyOf(values), List.copyOf(ignored), this);
      checkTokens(settings);
      GuardrailSettings.check(settings, name -> places.getOrDefault(name, "helenus.yaml"));
      String largest = settings.text(Setting.MAX_MUTATION_SIZE);
      if (settings.sizeBytes(Setting.MAX_MUTATION_SIZE)
          > settings.sizeBytes(Setting.COMMITLOG_SEGMENT_SIZE) / 2) {
        throw new ConfigException(
            places.get(Setting.MAX_MUTATION_SIZE.name())
                + ": max_mutation_size needs at most half of commitlog_segment_size ("
                + settings.text(Setting.COMMITLOG_SEGMENT_SIZE)
                + "), not '"
                + largest
                + "'");
      }
      return settings;
    }

    private void checkTokens(Settings settings) throws ConfigException {
      int tokens = settings.tokens(Setting.INITIAL_TOKEN).size();
      if (tokens > 0
          && isSet(Setting.NUM_TOKENS)
          && tokens != settings.number(Setting.NUM_TOKENS)) {
        throw new ConfigException(
            place(Setting.INITIAL_TOKEN)
                + ": The number of initial tokens (by initial_token) specified ("
                + tokens
                + ") is different from num_tokens value ("
                + settings.number(Setting.NUM_TOKENS)
                + ")");
      }
    }

    private static @Nullable Setting find(String key) {
      String name = currentName(key);
      for (Setting setting : Setting.ALL) {
        if (setting.name().equals(name)) {
          return setting;
        }
      }
      return null;
    }

    private static String suggestion(String key) {
      String best = "";
      int bestDistance = Math.max(3, key.length() / 3);
      for (Setting setting : Setting.ALL) {
        int distance = distance(key, setting.name());
        if (distance < bestDistance) {
          bestDistance = distance;
          best = "; did you mean '" + setting.name() + "'?";
        }
      }
      return best;
    }

    /** Computes the Levenshtein distance. */
    private static int distance(String a, String b) {
      int[] row = new int[b.length() + 1];
      for (int j = 0; j <= b.length(); j++) {
        row[j] = j;
      }
      for (int i = 1; i <= a.length(); i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= b.length(); j++) {
          int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
          diagonal = row[j];
          row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
        }
      }
      return row[b.length()];
    }

    private static void check(String place, Setting setting, String value) throws ConfigException {
      boolean canBeOff =
          setting.defaultText().isEmpty()
              || (setting.kind() == Setting.Kind.SIZE && Setting.GUARDRAILS.contains(setting));
      if (value.isEmpty() && canBeOff) {
        return;
      }
      String expected =
          switch (setting.kind()) {
            case TEXT -> "";
            case NUMBER -> isNumber(value) ? "" : "an integer such as " + example(setting);
            case DECIMAL -> isFraction(value) ? "" : "a number such as " + setting.defaultText();
            case BOOLEAN -> value.equals("true") || value.equals("false") ? "" : "true or false";
            case DURATION ->
                Quantity.durationNanos(value) >= 0
                    ? ""
                    : "a duration with a unit (d, h, m, s, ms, us, ns) such as " + example(setting);
            case SIZE ->
                Quantity.sizeBytes(value) >= 0
                    ? ""
                    : "a size with a unit (B, KiB, MiB, GiB) such as " + example(setting);
            case AUTO_SIZE ->
                value.equals(MemoryPlan.AUTO) || Quantity.sizeBytes(value) >= 0
                    ? ""
                    : "auto or a size with a unit (B, KiB, MiB, GiB) such as 1GiB";
            case CHOICE ->
                setting.choices().contains(value)
                    ? ""
                    : "one of " + String.join(", ", setting.choices());
            case NODES -> nodes(value);
            case TOKENS ->
                areTokens(value)
                    ? ""
                    : "different whole numbers from -9223372036854775807 to 9223372036854775807,"
                        + " separated by commas";
            case LIST ->
                setting.choices().containsAll(words(value))
                    ? ""
                    : "a list of words such as [a, b], all of them from "
                        + String.join(", ", setting.choices());
          };
      if (expected.isEmpty() && !isInRange(setting, value)) {
        expected =
            setting.maximum().isEmpty()
                ? "at least " + setting.minimum()
                : setting.minimum() + " to " + setting.maximum();
      }
      if (!expected.isEmpty()) {
        throw new ConfigException(
            place + ": " + setting.name() + " needs " + expected + ", not '" + value + "'");
      }
    }

    private static String nodes(String value) {
      String problem = NodeList.problem(value);
      return problem.isEmpty()
          ? ""
          : "nodes such as 192.0.2.1, node2:7000 or [2001:db8::1]:7000, separated by commas ("
              + problem
              + ")";
    }

    private static boolean areTokens(String value) {
      try {
        List<Long> tokens = tokensOf(value);
        // the smallest number is no token, because no partition has it
        return Set.copyOf(tokens).size() == tokens.size() && !tokens.contains(Long.MIN_VALUE);
      } catch (NumberFormatException e) {
        return false;
      }
    }

    private static String example(Setting setting) {
      return setting.defaultText().isEmpty() ? setting.minimum() : setting.defaultText();
    }

    private static boolean isInRange(Setting setting, String value) {
      if (setting.minimum().isEmpty() || value.equals(MemoryPlan.AUTO)) {
        return true;
      }
      double number = measure(setting, value);
      return number >= measure(setting, setting.minimum())
          && (setting.maximum().isEmpty() || number <= measure(setting, setting.maximum()));
    }

    private static double measure(Setting setting, String value) {
      return switch (setting.kind()) {
        case DURATION -> Quantity.durationNanos(value);
        case SIZE, AUTO_SIZE -> Quantity.sizeBytes(value);
        case NUMBER -> Long.parseLong(value);
        case DECIMAL -> Double.parseDouble(value);
        case TEXT, BOOLEAN, CHOICE, LIST, NODES, TOKENS -> 0;
      };
    }

    private static boolean isNumber(String value) {
      try {
        return Long.parseLong(value) == Integer.parseInt(value);
      } catch (NumberFormatException e) {
        return false;
      }
    }

    private static boolean isFraction(String value) {
      try {
        return Double.isFinite(Double.parseDouble(value));
      } catch (NumberFormatException e) {
        return false;
      }
    }
  }

  /** What the node knows about its cluster; null if it has no seeds, and so runs alone. */
  public @Nullable ClusterSettings cluster() {
    return cluster;
  }

  /** How the memory of the process is divided. */
  public MemoryPlan memory() {
    return memory;
  }

  /** The value in the notation of the file. */
  public String text(Setting setting) {
    return given.getOrDefault(setting.name(), setting.defaultText());
  }

  /** The value of a {@link Setting.Kind#NUMBER}. */
  public int number(Setting setting) {
    return Integer.parseInt(text(setting));
  }

  /** The value of a {@link Setting.Kind#DECIMAL}. */
  public double decimal(Setting setting) {
    return Double.parseDouble(text(setting));
  }

  /** The value of a {@link Setting.Kind#TOKENS}. */
  public List<Long> tokens(Setting setting) {
    return tokensOf(text(setting));
  }

  private static List<Long> tokensOf(String text) {
    return words(text).stream().map(Long::valueOf).toList();
  }

  /** The value of a {@link Setting.Kind#BOOLEAN}. */
  public boolean isOn(Setting setting) {
    return text(setting).equals("true");
  }

  /** The value of a {@link Setting.Kind#LIST}. */
  public List<String> list(Setting setting) {
    return words(text(setting));
  }

  /** The words of {@code [a, b]} or {@code a, b}. */
  private static List<String> words(String text) {
    boolean brackets = text.startsWith("[") && text.endsWith("]");
    String inner = brackets ? text.substring(1, text.length() - 1) : text;
    return inner.isBlank()
        ? List.of()
        : Arrays.stream(inner.split(",", -1)).map(String::strip).toList();
  }

  /**
   * The threshold of a guardrail: a number, a size in bytes or a duration in microseconds; -1 if it
   * is off.
   */
  public long threshold(Setting setting) {
    if (text(setting).isEmpty()) {
      return -1;
    }
    return switch (setting.kind()) {
      case NUMBER -> number(setting);
      case SIZE -> sizeBytes(setting);
      case DURATION -> durationNanos(setting) / NANOS_PER_MICRO;
      case TEXT, DECIMAL, BOOLEAN, AUTO_SIZE, CHOICE, LIST, NODES, TOKENS ->
          throw new IllegalArgumentException("not a threshold: " + setting.name());
    };
  }

  /** The value of a {@link Setting.Kind#DURATION} in nanoseconds. */
  public long durationNanos(Setting setting) {
    return Quantity.durationNanos(text(setting));
  }

  /**
   * The value of a {@link Setting.Kind#SIZE} in bytes. The default of max_mutation_size is half a
   * log segment, as in Cassandra; those of shares of the memory are in {@link #memory}.
   */
  public long sizeBytes(Setting setting) {
    if (setting == Setting.MAX_MUTATION_SIZE && text(setting).isEmpty()) {
      return sizeBytes(Setting.COMMITLOG_SEGMENT_SIZE) / 2;
    }
    return Quantity.sizeBytes(text(setting));
  }
}
