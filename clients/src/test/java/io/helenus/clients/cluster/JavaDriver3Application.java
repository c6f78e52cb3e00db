package io.helenus.clients.cluster;

import com.datastax.driver.core.Cluster;
import com.datastax.driver.core.ConsistencyLevel;
import com.datastax.driver.core.Host;
import com.datastax.driver.core.PreparedStatement;
import com.datastax.driver.core.QueryOptions;
import com.datastax.driver.core.Session;
import com.datastax.driver.core.SocketOptions;
import java.net.InetSocketAddress;
import java.util.List;

/** The Java driver 3. */
final class JavaDriver3Application extends JavaApplication {
  private final Cluster cluster;
  private final Session session;
  private final PreparedStatement insert;
  private final PreparedStatement write;
  private final PreparedStatement read;

  JavaDriver3Application(InetSocketAddress contact) {
    super("Java 3");
    cluster =
        Cluster.builder()
            .addContactPointsWithPorts(contact)
            .withoutJMXReporting()
            .withSocketOptions(new SocketOptions().setReadTimeoutMillis(60_000))
            .withQueryOptions(
                new QueryOptions()
                    .setConsistencyLevel(ConsistencyLevel.QUORUM)
                    .setDefaultIdempotence(true))
            .build();
    session = cluster.connect();
    cluster.register(new Listener());
    insert = session.prepare("INSERT INTO rf1.t (id, v) VALUES (?, ?)");
    write = session.prepare("INSERT INTO rf3.t (id, v) VALUES (?, ?)");
    read = session.prepare("SELECT v FROM rf3.t WHERE id = ?");
  }

  private final class Listener implements Host.StateListener {
    @Override
    public void onAdd(Host host) {
      // known from the start
    }

    @Override
    public void onUp(Host host) {
      event("up", host.getEndPoint().resolve().getAddress());
    }

    @Override
    public void onDown(Host host) {
      event("down", host.getEndPoint().resolve().getAddress());
    }

    @Override
    public void onRemove(Host host) {
      removed(host.getEndPoint().resolve().getAddress());
    }

    @Override
    public void onRegister(Cluster with) {
      // nothing to do
    }

    @Override
    public void onUnregister(Cluster with) {
      // nothing to do
    }
  }

  @Override
  public List<String> hosts() {
    return cluster.getMetadata().getAllHosts().stream()
        .map(host -> host.getEndPoint().resolve().getAddress().getHostAddress())
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
    cluster.close();
  }
}
