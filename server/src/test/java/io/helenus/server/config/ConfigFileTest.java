package io.helenus.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ConfigFileTest {
  private static Settings read(String text) throws ConfigException {
    Settings.Builder builder = new Settings.Builder();
    ConfigFile.read("helenus.yaml", text, builder);
    return builder.build();
  }

  private static String refusal(String text) {
    return assertThrows(ConfigException.class, () -> read(text)).getMessage();
  }

  @Test
  void anEmptyFileYieldsTheDefaults() throws ConfigException {
    Settings settings = read("# nothing\n");
    assertEquals(9042, settings.number(Setting.NATIVE_TRANSPORT_PORT));
    assertEquals(10_000_000_000L, settings.durationNanos(Setting.COMMITLOG_SYNC_PERIOD));
    assertEquals(32 << 20, settings.sizeBytes(Setting.COMMITLOG_SEGMENT_SIZE));
  }

  @Test
  void valuesHaveUnits() throws ConfigException {
    Settings settings =
        read("commitlog_sync_period: 2s\nblock_cache_size: 16KiB\ncommitlog_sync: batch\n");
    assertEquals(2_000_000_000L, settings.durationNanos(Setting.COMMITLOG_SYNC_PERIOD));
    assertEquals(16 << 10, settings.sizeBytes(Setting.BLOCK_CACHE_SIZE));
    assertEquals("batch", settings.text(Setting.COMMITLOG_SYNC));
  }

  @Test
  void theThresholdsOfPartitionsHaveFormerNamesToo() throws ConfigException {
    Setting size = Setting.named("partition_size_warn_threshold");
    Setting tombstones = Setting.named("partition_tombstones_warn_threshold");
    assertEquals(100 << 20, read("").threshold(size));
    assertEquals(100_000, read("").threshold(tombstones));
    String former =
        "compaction_large_partition_warning_threshold: 7MiB\n"
            + "compaction_tombstone_warning_threshold: 8\n";
    for (Settings settings : List.of(read(former), readCassandra(former))) {
      assertEquals(7 << 20, settings.threshold(size));
      assertEquals(8, settings.threshold(tombstones));
    }
    Settings off = read(size.name() + ":\n" + tombstones.name() + ": -1\n");
    assertEquals(-1, off.threshold(size));
    assertEquals(-1, off.threshold(tombstones));
    assertEquals(
        "helenus.yaml:3: partition_size_warn_threshold is given twice",
        refusal(former + "partition_size_warn_threshold: 1MiB\n"));
  }

  private static Settings readCassandra(String text) throws ConfigException {
    Settings.Builder builder = new Settings.Builder();
    ConfigFile.readCassandra("cassandra.yaml", text, builder);
    return builder.build();
  }

  @Test
  void keysOfCassandraWithoutEffectAreNoted() throws ConfigException {
    Settings settings =
        readCassandra(
            """
            cluster_name: Shop
            authenticator: AllowAllAuthenticator
            seed_provider:
              - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                parameters: [{seeds: 127.0.0.1}]
            max_mutation_size:
            native_transport_port: 9043
            """);
    assertEquals("Shop", settings.text(Setting.CLUSTER_NAME));
    assertEquals(9043, settings.number(Setting.NATIVE_TRANSPORT_PORT));
    assertEquals("127.0.0.1", settings.text(Setting.SEEDS));
    assertEquals(List.of("authenticator"), settings.ignoredKeys());
  }

  private static String cassandraRefusal(String text) {
    return assertThrows(ConfigException.class, () -> readCassandra(text)).getMessage();
  }

  @Test
  void encryptionThatIsSwitchedOnIsRefused() throws ConfigException {
    assertEquals(
        "cassandra.yaml:2: client_encryption_options.enabled true is not supported by this version"
            + " of Helenus",
        cassandraRefusal("client_encryption_options:\n  enabled: true\n  keystore: k\n"));
    assertEquals(
        "cassandra.yaml:3: client_encryption_options.optional True is not supported by this"
            + " version of Helenus",
        cassandraRefusal("client_encryption_options:\n  enabled: false\n  optional: True\n"));
    assertEquals(
        "cassandra.yaml:1: client_encryption_options.enabled yes is not supported by this version"
            + " of Helenus",
        cassandraRefusal("client_encryption_options.enabled: yes\n"));
    assertEquals(
        "cassandra.yaml:1: client_encryption_options.enabled true is not supported by this version"
            + " of Helenus",
        cassandraRefusal("client_encryption_options: {enabled: true}"));
    assertEquals(
        "cassandra.yaml:2: transparent_data_encryption_options.enabled true is not supported by"
            + " this version of Helenus",
        cassandraRefusal("transparent_data_encryption_options:\n    enabled: true\n"));
    assertEquals(
        List.of(
            "client_encryption_options.enabled",
            "client_encryption_options.optional",
            "client_encryption_options.keystore"),
        readCassandra("client_encryption_options:\n  enabled: false\n  optional:\n  keystore: k\n")
            .ignoredKeys());
  }

  @Test
  void theClassOfAnAuthenticatorMayBeBelowIt() throws ConfigException {
    assertEquals(
        "cassandra.yaml:2: authenticator PasswordAuthenticator is not supported by this version of"
            + " Helenus",
        cassandraRefusal("authenticator:\n  class_name: PasswordAuthenticator\n"));
    assertEquals(
        List.of("authorizer.class_name"),
        readCassandra("authorizer:\n  class_name: org.apache.cassandra.auth.AllowAllAuthorizer\n")
            .ignoredKeys());
  }

  @Test
  void keysOfAGroupAreWrittenInOneOrBelowEachOther() throws ConfigException {
    String group = "sai_options:\n  prioritize_over_legacy_index: true\n";
    assertTrue(read(group).isOn(Setting.SAI_OPTIONS_PRIORITIZE_OVER_LEGACY_INDEX));
    assertTrue(
        read("sai_options.prioritize_over_legacy_index: true")
            .isOn(Setting.SAI_OPTIONS_PRIORITIZE_OVER_LEGACY_INDEX));
    Settings cassandra = readCassandra(group + "  segment_write_buffer_size: 1024MiB\n");
    assertTrue(cassandra.isOn(Setting.SAI_OPTIONS_PRIORITIZE_OVER_LEGACY_INDEX));
    assertEquals(List.of("sai_options.segment_write_buffer_size"), cassandra.ignoredKeys());
    assertEquals(
        "helenus.yaml:3: sai_options.prioritize_over_legacy_index is given twice",
        refusal(group + "sai_options.prioritize_over_legacy_index: false\n"));
  }

  @Test
  void aCassandraFileThatAsksForAuthenticationOrHasAWrongValueIsRefused() {
    assertEquals(
        "cassandra.yaml:2: authenticator PasswordAuthenticator is not supported by this version of"
            + " Helenus",
        assertThrows(
                ConfigException.class,
                () -> readCassandra("num_tokens: 1\nauthenticator: PasswordAuthenticator\n"))
            .getMessage());
    assertEquals(
        "cassandra.yaml:1: native_transport_port needs an integer such as 9042, not 'x'",
        assertThrows(ConfigException.class, () -> readCassandra("native_transport_port: x"))
            .getMessage());
  }

  @Test
  void anUnknownKeyIsReportedWithItsLine() {
    assertEquals(
        "helenus.yaml:2: unknown key 'native_transport_prot';"
            + " did you mean 'native_transport_port'?",
        refusal("num_tokens: 1\nnative_transport_prot: 1\n"));
    assertEquals("helenus.yaml:1: unknown key 'xyzzy'", refusal("xyzzy: 1"));
  }

  @Test
  void aValueOfTheWrongKindIsReportedWithItsLine() {
    assertEquals(
        "helenus.yaml:1: native_transport_port needs an integer such as 9042, not 'abc'",
        refusal("native_transport_port: abc"));
    assertEquals(
        "helenus.yaml:1: block_cache_size needs a size with a unit (B, KiB, MiB, GiB) such as"
            + " 0B, not '64'",
        refusal("block_cache_size: 64"));
    assertEquals(
        "helenus.yaml:1: commitlog_sync needs one of periodic, batch, group, not 'never'",
        refusal("commitlog_sync: never"));
    assertTrue(refusal("num_tokens: [1, 2]").startsWith("helenus.yaml:1: num_tokens needs"));
    assertTrue(refusal("num_tokens: 1\nnum_tokens: 2").startsWith("helenus.yaml:2: "));
    assertTrue(refusal("a: [\n").startsWith("helenus.yaml:"));
  }

  @Test
  void aValueOutOfRangeIsReportedWithTheRange() {
    assertEquals(
        "helenus.yaml:2: native_transport_port needs 0 to 65535, not '99999'",
        refusal("num_tokens: 4\nnative_transport_port: 99999"));
    assertEquals(
        "helenus.yaml:1: commitlog_segment_size needs 16KiB to 1GiB, not '1B'",
        refusal("commitlog_segment_size: 1B"));
    assertEquals(
        "helenus.yaml:1: read_request_timeout needs at least 1ms, not '0ms'",
        refusal("read_request_timeout: 0ms"));
    for (String wrong : List.of("num_tokens: 0", "shards: -3", "shards: 2000")) {
      assertTrue(refusal(wrong).contains(" needs "), wrong);
    }
  }

  @Test
  void maxMutationSizeIsAtMostHalfASegment() throws ConfigException {
    assertEquals(16 << 20, read("").sizeBytes(Setting.MAX_MUTATION_SIZE));
    assertEquals(
        4 << 20, read("commitlog_segment_size: 8MiB").sizeBytes(Setting.MAX_MUTATION_SIZE));
    assertEquals(1 << 20, read("max_mutation_size: 1MiB").sizeBytes(Setting.MAX_MUTATION_SIZE));
    assertEquals(
        "helenus.yaml:1: max_mutation_size needs at most half of commitlog_segment_size (8MiB),"
            + " not '5MiB'",
        refusal("max_mutation_size: 5MiB\ncommitlog_segment_size: 8MiB"));
  }

  @Test
  void listsAreWrittenInEitherNotationOfYaml() throws ConfigException {
    Setting levels = Setting.named("read_consistency_levels_warned");
    assertEquals(List.of(), read("").list(levels));
    assertEquals(List.of(), read("read_consistency_levels_warned: []").list(levels));
    assertEquals(
        List.of("ONE", "ALL"), read("read_consistency_levels_warned: [ONE, ALL]").list(levels));
    assertEquals(
        List.of("ONE", "ALL"),
        read("read_consistency_levels_warned:\n  - ONE\n  - ALL\n").list(levels));
    assertEquals(List.of("ONE"), read("read_consistency_levels_warned: ONE").list(levels));
    assertTrue(
        refusal("read_consistency_levels_warned: [ONE, MOST]")
            .startsWith(
                "helenus.yaml:1: read_consistency_levels_warned needs a list of words such as"
                    + " [a, b], all of them from ANY, ONE, "));
    assertEquals(
        "helenus.yaml:1: a needs a plain value or a list of plain values", refusal("a: [[b]]"));
  }

  @Test
  void thresholdsOfGuardrailsAreOffOrPositiveAndInOrder() throws ConfigException {
    assertEquals(-1, read("").threshold(Setting.named("tables_warn_threshold")));
    assertEquals(-1, read("").threshold(Setting.named("collection_size_warn_threshold")));
    assertEquals(
        3_000_000,
        read("maximum_timestamp_fail_threshold: 3s")
            .threshold(Setting.named("maximum_timestamp_fail_threshold")));
    assertEquals(
        "helenus.yaml:2: tables_fail_threshold needs -1 (off) or at least 1, not '0'",
        refusal("num_tokens: 1\ntables_fail_threshold: 0"));
    assertEquals(
        "helenus.yaml:1: tables_warn_threshold needs at least -1, not '-2'",
        refusal("tables_warn_threshold: -2"));
    assertEquals(
        "helenus.yaml:2: tables_warn_threshold needs at most tables_fail_threshold (3), not '4'",
        refusal("tables_fail_threshold: 3\ntables_warn_threshold: 4"));
    assertEquals(
        "helenus.yaml:1: collection_size_warn_threshold needs at most"
            + " collection_size_fail_threshold (1KiB), not '2KiB'",
        refusal("collection_size_warn_threshold: 2KiB\ncollection_size_fail_threshold: 1KiB"));
    assertEquals(
        "helenus.yaml:1: collection_size_warn_threshold needs a size with a unit (B, KiB, MiB, GiB)"
            + " such as 1B, not '5'",
        refusal("collection_size_warn_threshold: 5"));
    assertEquals(
        "helenus.yaml:1: minimum_replication_factor_warn_threshold needs at least"
            + " minimum_replication_factor_fail_threshold (2), not '1'",
        refusal(
            "minimum_replication_factor_warn_threshold: 1\ndefault_keyspace_rf: 2\n"
                + "minimum_replication_factor_fail_threshold: 2"));
    assertEquals(
        "helenus.yaml:1: minimum_replication_factor_fail_threshold needs at most"
            + " default_keyspace_rf (1), not '2'",
        refusal("minimum_replication_factor_fail_threshold: 2"));
    assertEquals(
        "helenus.yaml:2: maximum_replication_factor_fail_threshold needs at least"
            + " default_keyspace_rf (3), not '2'",
        refusal("default_keyspace_rf: 3\nmaximum_replication_factor_fail_threshold: 2"));
    assertEquals(
        4,
        read("tables_fail_threshold: 4\ntables_warn_threshold: 4")
            .threshold(Setting.named("tables_warn_threshold")));
  }

  @Test
  void theShippedFileHasEveryKeyWithItsDefault() throws IOException, ConfigException {
    String text = Files.readString(Path.of("..", "conf", "helenus.yaml"));
    List<String> shipped = new ArrayList<>();
    Matcher line = Pattern.compile("(?m)^# ([a-z_.]+):(.*)$").matcher(text);
    while (line.find()) {
      shipped.add(line.group(1) + "=" + line.group(2).strip());
    }
    List<String> known = new ArrayList<>();
    for (Setting setting : Setting.ALL) {
      known.add(setting.name() + "=" + setting.defaultText());
    }
    assertEquals(known, shipped);
    assertEquals(Setting.ALL.size(), known.size());
    read(text.replaceAll("(?m)^# ([a-z_.]+:.*)$", "$1"));
  }
}
