package io.helenus.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** As long as {@link Settings#clusterAllowed} says no, nothing that needs other nodes is taken. */
class SingleNodeTest {
  private static Settings read(String text) throws ConfigException {
    Settings.Builder builder = new Settings.Builder();
    ConfigFile.read("helenus.yaml", text, builder);
    return builder.build();
  }

  private static String refusal(String text) {
    return assertThrows(ConfigException.class, () -> read(text)).getMessage();
  }

  @Test
  void otherNodesAreRefused() {
    String refused = "' is not supported: this version of Helenus runs as a single node";
    assertEquals(
        "helenus.yaml:2: seeds '127.0.0.1, nowhere.invalid" + refused,
        refusal("num_tokens: 1\nseeds: 127.0.0.1, nowhere.invalid"));
    for (String key :
        List.of(
            "initial_token: 5",
            "initial_cluster_size: 3",
            "listen_address: 127.0.0.2",
            "broadcast_address: 192.0.2.1",
            "storage_port: 7001",
            "phi_convict_threshold: 9")) {
      assertEquals("helenus.yaml:1: " + key.replace(": ", " '") + refused, refusal(key));
    }
  }

  @Test
  void aNodeThatIsItsOnlySeedIsASingleNode() throws ConfigException {
    assertEquals("localhost", read("seeds: localhost").text(Setting.SEEDS));
  }

  @Test
  void inACassandraFileTheyAreNotedAsBefore() throws ConfigException {
    Settings.Builder builder = new Settings.Builder();
    ConfigFile.readCassandra(
        "cassandra.yaml",
        """
        seed_provider:
          - class_name: org.apache.cassandra.locator.SimpleSeedProvider
            parameters:
              - seeds: "192.0.2.1"
        listen_address: 192.0.2.1
        storage_port: 7001
        phi_convict_threshold: 9
        initial_token: 5
        """,
        builder);
    Settings settings = builder.build();
    assertNull(settings.cluster());
    assertEquals(
        List.of(
            "seed_provider",
            "listen_address",
            "storage_port",
            "phi_convict_threshold",
            "initial_token"),
        settings.ignoredKeys());
    assertTrue(settings.text(Setting.INITIAL_TOKEN).isEmpty());
  }
}
