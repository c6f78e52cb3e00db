package io.helenus.clients.cluster;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeStateListenerBase;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The Java driver 4. */
final class JavaDriver4Application extends JavaApplication {
  private final CqlSession session;
  private final PreparedStatement insert;
  private final PreparedStatement write;
  private final PreparedStatement read;

  JavaDriver4Application(InetSocketAddress contact) {
    super("Java 4");
    session = open(contact, new Listener());
    insert = session.prepare("INSERT INTO rf1.t (id, v) VALUES (?, ?)");
    write = session.prepare("INSERT INTO rf3.t (id, v) VALUES (?, ?)");
    read = session.prepare("SELECT v FROM rf3.t WHERE id = ?");
  }

  /** A session with long timeouts. */
  static CqlSession open(InetSocketAddress contact, NodeStateListenerBase listener) {
    return CqlSession.builder()
        .addContactPoint(contact)
        .withLocalDatacenter("datacenter1")
        .withNodeStateListener(listener)
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.REQUEST_TIMEOUT, "60 seconds")
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
                .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
                .build())
        .build();
  }

  private static InetAddress address(Node node) {
    return node.getBroadcastRpcAddress().orElseThrow().getAddress();
  }

  private final class Listener extends NodeStateListenerBase {
    @Override
    public void onUp(Node node) {
      node.getBroadcastRpcAddress().ifPresent(address -> event("up", address.getAddress()));
    }

    @Override
    public void onDown(Node node) {
      event("down", address(node));
    }

    @Override
    public void onRemove(Node node) {
      node.getBroadcastRpcAddress().ifPresent(address -> removed(address.getAddress()));
    }

    @Override
    public void close() {
      // nothing is open
    }
  }

  /** Sorts ids of {@code rf1.t} by the addresses of their replicas. */
  Map<String, List<Integer>> byReplica(int count) {
    TokenMap tokens = session.getMetadata().getTokenMap().orElseThrow();
    Map<String, List<Integer>> sorted = new TreeMap<>();
    for (int id = 0; id < count; id++) {
      ByteBuffer key = insert.bind(id, id).getRoutingKey();
      Node replica = tokens.getReplicas("rf1", key).iterator().next();
      sorted.computeIfAbsent(address(replica).getHostAddress(), k -> new ArrayList<>()).add(id);
    }
    return sorted;
  }

  /** How many ranges the tokens divide the ring into. */
  int tokenRanges() {
    return session.getMetadata().getTokenMap().orElseThrow().getTokenRanges().size();
  }

  /** Whether all nodes have the same schema, by their system tables. */
  boolean schemaAgrees() {
    return session.checkSchemaAgreement();
  }

  @Override
  public List<String> hosts() {
    return session.getMetadata().getNodes().values().stream()
        .map(node -> address(node).getHostAddress())
        .sorted()
        .toList();
  }

  @Override
  public void insert(List<Integer> ids) {
    for (int id : ids) {
      session.execute(insert.bind(id, id));
    }
  }

  @Override
  void write(int id, int v) {
    session.execute(write.bind(id, v));
  }

  @Override
  void read(int id) {
    session.execute(read.bind(id));
  }

  @Override
  public void close() {
    session.close();
  }
}
