package io.helenus.server.config;

import java.nio.file.Path;

/**
 * Builds the settings of a node under test: the defaults with overrides, without {@code
 * auto_snapshot} and advice about tables. Not thread-safe.
 */
public final class TestSettings {
  private final Settings.Builder builder = new Settings.Builder();

  /**
   * Snapshots before each DROP and TRUNCATE would slow down tests that are not about them, and
   * advice would be among the warnings of tests of warnings.
   */
  private TestSettings() {
    with(Setting.AUTO_SNAPSHOT, "false");
    with(Setting.SCHEMA_ADVICE, "off");
  }

  /** The defaults, for a node on simulated files without a client port. */
  public static TestSettings simulated() {
    return new TestSettings();
  }

  /** The defaults, for a node with data in a folder and any free client port. */
  public static TestSettings in(Path dataDirectory) {
    return new TestSettings()
        .with(Setting.DATA_DIRECTORY, dataDirectory.toString())
        .with(Setting.NATIVE_TRANSPORT_PORT, "0");
  }

  /** Overrides a setting, written as in helenus.yaml; AssertionError if the value is invalid. */
  public TestSettings with(Setting setting, String value) {
    try {
      builder.set("test", setting.name(), value);
      return this;
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  /** The settings; AssertionError if they contradict each other. */
  public Settings build() {
    try {
      return builder.build();
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }
}
