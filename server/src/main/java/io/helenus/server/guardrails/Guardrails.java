package io.helenus.server.guardrails;

import io.helenus.server.error.CqlException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The guardrails of a node as configured. All are off unless set. A violation is an error of code
 * INVALID with Cassandra's text, for which {@link CqlException#isGuardrail} holds: the client also
 * gets it as a warning. Immutable, except for the measured {@link DiskUsage}; any thread.
 */
public final class Guardrails {
  /** All guardrails off. */
  public static final Guardrails NONE = new Builder().build();

  private static final long OFF = -1;

  private final Map<Limit, Thresholds> limits;
  private final Set<Feature> disabled;
  private final Set<Feature> discouraged;
  private final Map<ValueList, Values> values;
  private final int defaultReplicationFactor;
  private final @Nullable String defaultSecondaryIndex;
  private final boolean storageAttachedFirst;
  private final DiskUsage diskUsage = new DiskUsage();

  private record Thresholds(long warn, long fail) {}

  private record Values(Set<String> warned, Set<String> ignored, Set<String> disallowed) {}

  private Guardrails(Builder builder) {
    limits = new EnumMap<>(builder.limits);
    disabled = EnumSet.copyOf(builder.disabled);
    discouraged = EnumSet.copyOf(builder.discouraged);
    values = new EnumMap<>(builder.values);
    defaultReplicationFactor = builder.defaultReplicationFactor;
    defaultSecondaryIndex = builder.defaultSecondaryIndex;
    storageAttachedFirst = builder.storageAttachedFirst;
  }

  /** Collects guardrails; those that are not set are off. */
  public static final class Builder {
    private final EnumMap<Limit, Thresholds> limits = new EnumMap<>(Limit.class);
    private final EnumSet<Feature> disabled = EnumSet.noneOf(Feature.class);
    private final EnumSet<Feature> discouraged = EnumSet.noneOf(Feature.class);
    private final EnumMap<ValueList, Values> values = new EnumMap<>(ValueList.class);

    private int defaultReplicationFactor = 1;
    private @Nullable String defaultSecondaryIndex = "legacy_local_table";
    private boolean storageAttachedFirst;

    /** Creates a builder with all guardrails off. */
    public Builder() {}

    /** Sets the replication factor of keyspaces that are defined without one; 1 unless set. */
    public Builder defaultReplicationFactor(int factor) {
      defaultReplicationFactor = factor;
      return this;
    }

    /** Sets the class of indexes that are created without USING; null if they are refused. */
    public Builder defaultSecondaryIndex(@Nullable String className) {
      defaultSecondaryIndex = className;
      return this;
    }

    /** Sets whether storage-attached indexes are used rather than legacy ones; false unless set. */
    public Builder storageAttachedFirst(boolean first) {
      storageAttachedFirst = first;
      return this;
    }

    /** Sets thresholds; a negative one is off. */
    public Builder limit(Limit limit, long warn, long fail) {
      if (warn >= 0 || fail >= 0) {
        limits.put(limit, new Thresholds(Math.max(warn, OFF), Math.max(fail, OFF)));
      }
      return this;
    }

    /** Rejects uses of a feature. */
    public Builder disable(Feature feature) {
      disabled.add(feature);
      return this;
    }

    /** Warns about uses of a feature. */
    public Builder discourage(Feature feature) {
      discouraged.add(feature);
      return this;
    }

    /** Sets the values to warn about, to ignore and to reject, in the order that texts show. */
    public Builder values(
        ValueList list, List<String> warned, List<String> ignored, List<String> disallowed) {
      if (!warned.isEmpty() || !ignored.isEmpty() || !disallowed.isEmpty()) {
        values.put(
            list,
            new Values(
                new LinkedHashSet<>(warned),
                new LinkedHashSet<>(ignored),
                new LinkedHashSet<>(disallowed)));
      }
      return this;
    }

    /** Returns the guardrails. */
    public Guardrails build() {
      return new Guardrails(this);
    }
  }

  /** The replication factor of keyspaces that are defined without one. */
  public int defaultReplicationFactor() {
    return defaultReplicationFactor;
  }

  /** The class of indexes that are created without USING; null if they are refused. */
  public @Nullable String defaultSecondaryIndex() {
    return defaultSecondaryIndex;
  }

  /** Whether a SELECT that both kinds of indexes support uses storage-attached ones. */
  public boolean storageAttachedFirst() {
    return storageAttachedFirst;
  }

  /** The use of the node's disk, as last measured. */
  public DiskUsage diskUsage() {
    return diskUsage;
  }

  /** Whether any of these guardrails is on. */
  public boolean hasAny(Limit... any) {
    for (Limit limit : any) {
      if (limits.containsKey(limit)) {
        return true;
      }
    }
    return false;
  }

  /** The lower threshold of a guardrail; {@link Long#MAX_VALUE} if it is off. */
  public long lowest(Limit limit) {
    Thresholds thresholds = limits.get(limit);
    if (thresholds == null) {
      return Long.MAX_VALUE;
    }
    return thresholds.warn >= 0 ? thresholds.warn : thresholds.fail;
  }

  /** The threshold above which a guardrail warns; {@link Long#MAX_VALUE} for none. */
  public long warnsAbove(Limit limit) {
    Thresholds thresholds = limits.get(limit);
    return thresholds == null || thresholds.warn < 0 ? Long.MAX_VALUE : thresholds.warn;
  }

  /** The threshold above which a guardrail fails; {@link Long#MAX_VALUE} for none. */
  public long failsAbove(Limit limit) {
    Thresholds thresholds = limits.get(limit);
    return thresholds == null || thresholds.fail < 0 ? Long.MAX_VALUE : thresholds.fail;
  }

  /** Whether a guardrail on values is on. */
  public boolean has(ValueList list) {
    return values.containsKey(list);
  }

  /** Whether a feature may be used. */
  public boolean allows(Feature feature) {
    return !disabled.contains(feature);
  }

  /**
   * Checks a value.
   *
   * @param what whose value it is, for texts
   * @param warnings receives a warning if the value is beyond the first threshold only
   * @throws CqlException if it is beyond the second
   */
  public void check(Limit limit, long value, String what, Consumer<String> warnings) {
    check(limit, value, what, 0, 1, warnings);
  }

  /**
   * Checks the timestamp of a modification.
   *
   * @param nowMicros the time of the clock
   * @throws CqlException if it is too far in the past or future
   */
  public void checkTimestamp(long micros, long nowMicros, String table, Consumer<String> warnings) {
    check(Limit.MAXIMUM_TIMESTAMP, micros, table, nowMicros, 1, warnings);
    check(Limit.MINIMUM_TIMESTAMP, micros, table, nowMicros, -1, warnings);
  }

  private void check(
      Limit limit, long value, String what, long base, int sign, Consumer<String> warnings) {
    Thresholds thresholds = limits.get(limit);
    if (thresholds == null) {
      return;
    }
    long fail = base + sign * thresholds.fail;
    if (thresholds.fail >= 0 && isBeyond(limit, value, fail)) {
      throw CqlException.guardrail(limit.failure(what, value, fail));
    }
    long warn = base + sign * thresholds.warn;
    if (thresholds.warn >= 0 && isBeyond(limit, value, warn)) {
      warnings.accept(limit.warning(what, value, warn));
    }
  }

  private static boolean isBeyond(Limit limit, long value, long threshold) {
    return limit.isMinimum() ? value < threshold : value > threshold;
  }

  /**
   * Checks the use of a feature.
   *
   * @throws CqlException if the feature is switched off
   */
  public void require(Feature feature, Consumer<String> warnings) {
    require(feature, feature.use(), warnings);
  }

  /** As {@link #require(Feature, Consumer)}, with its own description of the use. */
  public void require(Feature feature, String use, Consumer<String> warnings) {
    if (disabled.contains(feature)) {
      throw CqlException.guardrail(feature.notAllowed(use));
    }
    if (discouraged.contains(feature)) {
      warnings.accept(feature.notRecommended(use));
    }
  }

  /**
   * Checks values.
   *
   * @param given in the order in which texts show them
   * @return the values to ignore
   * @throws CqlException if any of them is not allowed
   */
  public Set<String> check(ValueList list, Collection<String> given, Consumer<String> warnings) {
    Values configured = values.get(list);
    if (configured == null) {
      return Set.of();
    }
    List<String> disallowed = common(given, configured.disallowed);
    if (!disallowed.isEmpty()) {
      throw CqlException.guardrail(
          text(
              list.key(),
              "Provided values "
                  + disallowed
                  + " are not allowed for "
                  + list.what()
                  + " (disallowed values are: "
                  + configured.disallowed
                  + ")",
              ""));
    }
    List<String> ignored = common(given, configured.ignored);
    if (!ignored.isEmpty()) {
      warnings.accept(
          text(
              list.key(),
              "Ignoring provided values "
                  + ignored
                  + " as they are not supported for "
                  + list.what()
                  + " (ignored values are: "
                  + configured.ignored
                  + ")",
              ""));
    }
    List<String> warned = common(given, configured.warned);
    if (!warned.isEmpty()) {
      warnings.accept(
          text(
              list.key(),
              "Provided values "
                  + warned
                  + " are not recommended for "
                  + list.what()
                  + " (warned values are: "
                  + configured.warned
                  + ")",
              ""));
    }
    return Set.copyOf(ignored);
  }

  private static List<String> common(Collection<String> given, Set<String> configured) {
    return given.stream().filter(configured::contains).distinct().toList();
  }

  /** The text of a violation. */
  static String text(String guardrail, String message, String reason) {
    String text = "Guardrail " + guardrail + " violated: " + message;
    if (reason.isEmpty()) {
      return text;
    }
    return text + (message.endsWith(".") ? " " : ". ") + reason;
  }
}
