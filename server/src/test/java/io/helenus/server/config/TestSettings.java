package io.helenus.server.config;

import java.nio.file.Path;

/** The settings of a node under test: the defaults except for those a test names. One thread. */
public final class TestSettings {
  private final Settings.Builder builder = new Settings.Builder();

  private TestSettings() {}

  /** The defaults, for a node on simulated files without a client port. */
  public static TestSettings simulated() {
    return new TestSettings();
  }

  /** For a node that keeps its data in a folder and listens on any free port. */
  public static TestSettings in(Path dataDirectory) {
    return new TestSettings()
        .with(Setting.DATA_DIRECTORY, dataDirectory.toString())
        .with(Setting.NATIVE_TRANSPORT_PORT, "0");
  }

  /** Sets one, written as in helenus.yaml; AssertionError if the value is not valid. */
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
