package io.helenus.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node's configuration says about other nodes. */
class ClusterSettingsTest {
  private static Settings settings(String text) throws ConfigException {
    Settings.Builder builder = new Settings.Builder();
    ConfigFile.read("helenus.yaml", text, builder);
    return builder.build();
  }

  private static ClusterSettings read(String text) throws ConfigException {
    ClusterSettings cluster = settings(text).cluster();
    assertNotNull(cluster);
    return cluster;
  }

  private static String refusal(String text) {
    return assertThrows(ConfigException.class, () -> settings(text)).getMessage();
  }

  private static String seeds(String text) throws ConfigException {
    List<String> seeds =
        read(text).seeds().stream()
            .map(seed -> seed.getHostString() + " " + seed.getPort())
            .toList();
    return String.join(", ", seeds);
  }

  @Test
  void withoutSeedsANodeIsAlone() throws ConfigException {
    assertNull(settings("").cluster());
    assertNull(settings("seeds:\nlisten_address: nowhere.invalid\n").cluster());
  }

  @Test
  void theDefaultsAreThoseOfCassandra() throws ConfigException {
    ClusterSettings cluster = read("seeds: 127.0.0.1");
    assertEquals("Test Cluster", cluster.clusterName());
    assertEquals("datacenter1", cluster.dataCenter());
    assertEquals("rack1", cluster.rack());
    assertEquals(16, cluster.tokenCount());
    assertEquals(List.of(), cluster.initialTokens());
    assertEquals(8.0, cluster.phiConvictThreshold());
    assertEquals(1, cluster.initialSize());
    assertTrue(cluster.listen().getAddress().isLoopbackAddress());
    assertEquals(7000, cluster.listen().getPort());
    assertEquals(cluster.listen(), cluster.broadcast());
  }

  @Test
  void seedsAreNamesAndAddressesWithAndWithoutPorts() throws ConfigException {
    assertEquals(
        "node1 7000, 192.0.2.1 7001, 2001:db8::1 7000, 2001:db8::2 7002, a.b-c.example. 1",
        seeds(
            "seeds: 'Node1, 192.0.2.1:7001,[2001:db8::1], [2001:db8::2]:7002 , a.b-c.example.:1'"));
    assertEquals("a 7100, b 7000", seeds("storage_port: 7100\nseeds: 'a,b:7000'"));
    assertEquals("a 7000, b 1", seeds("seeds: [a, 'b:1']"));
    assertEquals("a 7000, b 1", seeds("seeds:\n  - a\n  - b:1\n"));
    assertEquals("::1 7000", seeds("seeds: '[::1]'"));
    assertEquals("::1 7000", seeds("seeds: '::1'"));
    assertEquals("::1 7000, ::2 7000", seeds("seeds: '[::1], [::2]'"));
    assertEquals("::1 7001, b 7000", seeds("seeds: ['[::1]:7001', b]"));
  }

  @Test
  void aSeedThatIsListedTwiceIsOneSeed() throws ConfigException {
    assertEquals("b 7000, a 7000, a 7001", seeds("seeds: 'b, a, A:7000, a:7001, b'"));
  }

  @Test
  void invalidSeedsAreNamed() {
    String needs =
        "helenus.yaml:2: seeds needs nodes such as 192.0.2.1, node2:7000 or [2001:db8::1]:7000,"
            + " separated by commas (%s), not '%s'";
    for (String[] wrong :
        new String[][] {
          {"a,,b", "there is nothing between two commas"},
          {"a:", "'a:' has no valid port"},
          {"a:0", "'a:0' has no valid port"},
          {"a:65536", "'a:65536' has no valid port"},
          {"a:x", "'a:x' has no valid port"},
          {"[::1]7000", "'[::1]7000' has no valid port"},
          {"a, 192.0.2.256", "'192.0.2.256' has no valid host"},
          {"192.0.2.1.5:7000", "'192.0.2.1.5:7000' has no valid host"},
          {"[node1]:7000", "'[node1]:7000' has no valid host"},
          {"[::1", "'[::1' has no valid host"},
          {"::g", "'::g' has no valid host"},
          {"a b", "'a b' has no valid host"},
          {"http://a", "'http://a' has no valid port"},
          {"a..b", "'a..b' has no valid host"},
          {"-a", "'-a' has no valid host"},
        }) {
      assertEquals(
          String.format(needs, wrong[1], wrong[0]),
          refusal("num_tokens: 4\nseeds: '" + wrong[0] + "'"));
    }
  }

  @Test
  void anUnknownHostIsAnErrorOnlyWhenItIsLookedUp() throws ConfigException {
    ClusterSettings cluster = read("seeds: 'nowhere.invalid, 127.0.0.1'");
    InetSocketAddress unknown = cluster.seeds().getFirst();
    assertEquals(
        "the seed 'nowhere.invalid' has no address: no such host is known",
        assertThrows(UnknownHostException.class, () -> ClusterSettings.resolve(unknown))
            .getMessage());
    assertFalse(cluster.isOwn(unknown));
    assertTrue(cluster.isOwn(cluster.seeds().getLast()));
    assertFalse(cluster.isFirstAlone());
  }

  @Test
  void aNodeKnowsItselfAmongTheSeeds() throws ConfigException, UnknownHostException {
    String addresses = "listen_address: 127.0.0.2\nbroadcast_address: 192.0.2.7\n";
    assertTrue(read(addresses + "seeds: '127.0.0.2, 192.0.2.7:7000'").isFirstAlone());
    assertFalse(read(addresses + "seeds: 127.0.0.1").isFirstAlone());
    assertFalse(read(addresses + "seeds: 127.0.0.2:7001").isFirstAlone());
    assertTrue(read("seeds: localhost").isFirstAlone());
    assertEquals(
        new InetSocketAddress("127.0.0.1", 7001),
        ClusterSettings.resolve(read("seeds: 127.0.0.1:7001").seeds().getFirst()));
  }

  @Test
  void addressesAreChecked() throws ConfigException, UnknownHostException {
    assertEquals(
        "helenus.yaml:2: listen_address cannot be a wildcard address (0.0.0.0): it must be the one"
            + " by which other nodes reach this one",
        refusal("seeds: a\nlisten_address: 0.0.0.0"));
    assertEquals(
        "helenus.yaml:1: broadcast_address cannot be a wildcard address (::): it must be the one by"
            + " which other nodes reach this one",
        refusal("broadcast_address: '::'\nseeds: a"));
    assertEquals(
        "helenus.yaml:2: listen_address 'nowhere.invalid' is not a valid address",
        refusal("seeds: a\nlisten_address: nowhere.invalid"));
    assertEquals(
        "helenus.yaml:1: storage_port needs 1 to 65535, not '0'", refusal("storage_port: 0"));
    assertEquals(
        InetAddress.getLocalHost(), read("seeds: a\nlisten_address: ''").listen().getAddress());
  }

  @Test
  void initialTokensAreDifferentAndAsManyAsNumTokensSays() throws ConfigException {
    ClusterSettings three = read("seeds: a\ninitial_token: '-9223372036854775807, 0,7'");
    assertEquals(List.of(-9223372036854775807L, 0L, 7L), three.initialTokens());
    assertEquals(3, three.tokenCount());
    assertEquals(List.of(1L, 2L), read("seeds: a\ninitial_token: [1, 2]").initialTokens());
    assertEquals(1, read("seeds: a\nnum_tokens: 1\ninitial_token: 5").tokenCount());
    assertEquals(
        "helenus.yaml:2: The number of initial tokens (by initial_token) specified (1) is different"
            + " from num_tokens value (16)",
        refusal("num_tokens: 16\ninitial_token: 5"));
    for (String wrong : List.of("1, 1", "1,,2", "x", "9223372036854775808", "0x5")) {
      assertEquals(
          "helenus.yaml:1: initial_token needs different whole numbers from -9223372036854775807 to"
              + " 9223372036854775807, separated by commas, not '"
              + wrong
              + "'",
          refusal("initial_token: '" + wrong + "'"));
    }
    assertTrue(refusal("initial_token: '-9223372036854775808'").contains("different whole"));
  }

  @Test
  void phiIsBoundedAsInCassandra() throws ConfigException {
    assertEquals(12.5, read("seeds: a\nphi_convict_threshold: 12.5").phiConvictThreshold());
    assertEquals(
        "helenus.yaml:1: phi_convict_threshold needs 5 to 16, not '4.9'",
        refusal("phi_convict_threshold: 4.9"));
    assertEquals(
        "helenus.yaml:1: phi_convict_threshold needs 5 to 16, not '16.1'",
        refusal("phi_convict_threshold: 16.1"));
  }

  private static Settings cassandra(String text) throws ConfigException {
    Settings.Builder builder = new Settings.Builder();
    ConfigFile.readCassandra("cassandra.yaml", text, builder);
    return builder.build();
  }

  private static String cassandraRefusal(String text) {
    return assertThrows(ConfigException.class, () -> cassandra(text)).getMessage();
  }

  @Test
  void aCassandraFileHasItsSeedsBelowTheirProvider() throws ConfigException {
    Settings settings =
        cassandra(
            """
            seed_provider:
              - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                parameters:
                  - seeds: "192.0.2.1:7000, node2"
            listen_address: 127.0.0.3
            broadcast_address:
            storage_port: 7001
            phi_convict_threshold: 10
            endpoint_snitch: SimpleSnitch
            """);
    ClusterSettings cluster = settings.cluster();
    assertNotNull(cluster);
    assertEquals(
        List.of(
            InetSocketAddress.createUnresolved("192.0.2.1", 7000),
            InetSocketAddress.createUnresolved("node2", 7001)),
        cluster.seeds());
    assertEquals(new InetSocketAddress("127.0.0.3", 7001), cluster.broadcast());
    assertEquals(10.0, cluster.phiConvictThreshold());
    assertEquals(List.of("endpoint_snitch"), settings.ignoredKeys());
    assertEquals(
        "a",
        cassandra("seed_provider: {class_name: SimpleSeedProvider, parameters: {seeds: a}}")
            .text(Setting.SEEDS));
  }

  @Test
  void anotherProviderOrOneWithoutSeedsIsRefused() {
    assertEquals(
        "cassandra.yaml:2: seed_provider needs the class_name SimpleSeedProvider, not"
            + " 'org.example.MySeeds'",
        cassandraRefusal("num_tokens: 1\nseed_provider: [{class_name: org.example.MySeeds}]"));
    assertEquals(
        "cassandra.yaml:1: seed_provider needs the parameter seeds",
        cassandraRefusal("seed_provider: [{class_name: SimpleSeedProvider}]"));
    assertTrue(
        cassandraRefusal(
                "seed_provider: [{class_name: SimpleSeedProvider, parameters: [{seeds: "
                    + "'a,,b'}]}]")
            .startsWith("cassandra.yaml:1: seeds needs nodes such as"));
  }
}
