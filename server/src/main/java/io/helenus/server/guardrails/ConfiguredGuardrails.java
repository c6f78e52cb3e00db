package io.helenus.server.guardrails;

import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import java.util.HashSet;
import java.util.List;

/** Reads the guardrails from the settings of the node. Stateless. */
public final class ConfiguredGuardrails {
  private ConfiguredGuardrails() {}

  /** Returns the guardrails that the settings switch on. */
  public static Guardrails of(Settings settings) {
    Guardrails.Builder guardrails = new Guardrails.Builder();
    guardrails.defaultReplicationFactor(settings.number(Setting.DEFAULT_KEYSPACE_RF));
    guardrails.defaultSecondaryIndex(
        settings.isOn(Setting.DEFAULT_SECONDARY_INDEX_ENABLED)
            ? settings.text(Setting.DEFAULT_SECONDARY_INDEX)
            : null);
    guardrails.storageAttachedFirst(
        settings.isOn(Setting.SAI_OPTIONS_PRIORITIZE_OVER_LEGACY_INDEX));
    for (Limit limit : Limit.values()) {
      guardrails.limit(
          limit,
          settings.threshold(Setting.named(limit.key() + "_warn_threshold")),
          settings.threshold(Setting.named(limit.key() + "_fail_threshold")));
    }
    for (Feature feature : Feature.values()) {
      if (!settings.isOn(Setting.named(feature.enabledSetting()))) {
        guardrails.disable(feature);
      }
    }
    if (settings.isOn(Setting.named("zero_ttl_on_twcs_warned"))) {
      guardrails.discourage(Feature.ZERO_TTL_ON_TWCS);
    }
    for (ValueList list : ValueList.values()) {
      guardrails.values(
          list,
          values(settings, list, "_warned"),
          list == ValueList.TABLE_PROPERTIES ? values(settings, list, "_ignored") : List.of(),
          values(settings, list, "_disallowed"));
    }
    return guardrails.build();
  }

  /** In the order of Cassandra's texts: that of a hash set of names, or of the levels. */
  private static List<String> values(Settings settings, ValueList list, String end) {
    Setting setting = Setting.named(list.key() + end);
    List<String> given = settings.list(setting);
    return list == ValueList.TABLE_PROPERTIES
        ? List.copyOf(new HashSet<>(given))
        : setting.choices().stream().filter(given::contains).toList();
  }
}
