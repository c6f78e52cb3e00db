package io.helenus.server.node;

import io.helenus.server.cluster.ClusterMember;
import io.helenus.server.internode.InboundLink;
import io.helenus.server.internode.NodeIdentity;
import io.helenus.server.internode.RequestReceiver;
import io.helenus.server.metadata.ClusterNode;
import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.metadata.NodeAddresses;
import io.helenus.server.protocol.Event;
import io.helenus.server.replica.PeerRequests;
import io.helenus.server.shard.Shard;
import io.helenus.server.system.ClusterFacts;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.memory.SegmentSource;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a node of several does besides serving its own clients: it carries out the requests of other
 * coordinators, tells the others about itself, and knows what they have told. Any thread, unless
 * stated otherwise.
 */
final class ClusterServices {
  private final ClusterMember cluster;
  private final DurableState durable;
  private final int tombstoneLimit;
  private final Shard home;
  private final List<Shard> shards;
  private final MemberEvents events;
  private final LinkTraffic traffic;
  private final PeerReports reports;
  private final ReportSender sender;
  private final List<PeerRequests> requests = new ArrayList<>();
  private volatile Consumer<? super Event> publisher = event -> {};
  private volatile boolean servesClients;
  private volatile boolean servesReplicas;

  /** Home shard only. */
  private int servingShards;

  private boolean stopped;

  /** Builds them; nothing is sent before {@link #start}. */
  ClusterServices(
      ClusterMember cluster,
      List<Shard> shards,
      DurableState durable,
      int startedSeconds,
      int tombstoneLimit) {
    this.cluster = cluster;
    this.tombstoneLimit = tombstoneLimit;
    this.durable = durable;
    this.shards = shards;
    this.home = shards.getFirst();
    UUID self = durable.metadata().hostId();
    events = new MemberEvents(self, event -> publisher.accept(event));
    traffic = new LinkTraffic(cluster, shards.size());
    reports = new PeerReports(cluster::phis, traffic::sum, events);
    sender =
        new ReportSender(
            home,
            number ->
                new NodeReport(
                    startedSeconds,
                    number,
                    servesClients,
                    servesReplicas,
                    loadBytes(),
                    durable.schema().version()),
            cluster::sendReport);
    cluster.listen(this::alive);
    cluster.reports(this::reported);
    cluster.reachable(host -> sender.send());
  }

  private long loadBytes() {
    long bytes = 0;
    for (TableDescriptor table : durable.tables()) {
      bytes += durable.storage().statistics(table.id()).fileBytes();
    }
    return bytes;
  }

  /** What is known of the other members. */
  ClusterFacts facts() {
    return reports;
  }

  /**
   * Carries out requests of other nodes from now on, and says so.
   *
   * @param toClients publishes events to clients
   * @param memory for requests that have to wait
   */
  void start(
      Consumer<? super Event> toClients, List<ShardServices> services, SegmentSource memory) {
    publisher = toClients;
    Metadata metadata = durable.metadata();
    for (ShardServices ofShard : services) {
      Shard shard = ofShard.shard();
      PeerRequests ofPeers =
          new PeerRequests(
              shard,
              ofShard.replica(),
              ofShard.coordinator(),
              tombstoneLimit,
              ofShard.traces(),
              () -> metadata.state().index(),
              memory);
      requests.add(ofPeers);
      shard.execute(
          () -> {
            cluster.serve(shard, new Receiver(ofPeers));
            traffic.start(shard, ofShard.coordinator().metrics());
            shard.send(home, this::shardServes);
          });
    }
    metadata.listen((before, after, changes) -> followed(before, after));
  }

  /** A request to a shard that does not serve yet would be lost: others hear when all do. */
  private void shardServes() {
    servingShards++;
    if (servingShards == shards.size() && !stopped) {
      servesReplicas = true;
      sender.start();
    }
  }

  private void followed(ClusterState before, ClusterState after) {
    for (UUID hostId : after.nodes().keySet()) {
      if (before.node(hostId) == null) {
        events.joined(hostId);
      }
    }
    for (int i = 0; i < shards.size(); i++) {
      PeerRequests ofShard = requests.get(i);
      shards.get(i).execute(ofShard::metadataApplied);
    }
    if (before.schema().version() != after.schema().version()) {
      home.execute(sender::send);
    }
  }

  /** What carries out the requests of other nodes, by shard. */
  List<PeerRequests> requests() {
    return requests;
  }

  /** This node serves clients from now on, or does not any more. */
  void servesClients(boolean does) {
    servesClients = does;
    home.execute(sender::send);
  }

  /**
   * No requests of other nodes are wanted any more, and they are told so. Clients, which are
   * disconnected by now, hear nothing any more.
   */
  void stop() {
    publisher = event -> {};
    servesClients = false;
    servesReplicas = false;
    home.execute(
        () -> {
          stopped = true;
          servesReplicas = false;
          sender.send();
          sender.stop();
        });
  }

  // ---- on the home shard

  private void alive(UUID host, boolean alive) {
    if (alive) {
      reports.up(host, cluster.address(host));
    } else {
      reports.down(host);
    }
  }

  private void reported(UUID host, byte[] body) {
    reports.received(host, body, registered(host));
    NodeReport report = NodeReport.of(body);
    if (report != null) {
      cluster.serves(host, report.servesReplicas());
    }
  }

  private @Nullable InetSocketAddress registered(UUID host) {
    ClusterNode node = durable.metadata().state().node(host);
    NodeAddresses addresses = node == null ? null : node.addresses();
    return addresses == null ? null : addresses.client();
  }

  /** Passes on the requests of replicas to a shard. */
  private static final class Receiver implements RequestReceiver {
    private final PeerRequests requests;

    Receiver(PeerRequests requests) {
      this.requests = requests;
    }

    @Override
    public void received(
        InboundLink link,
        long id,
        byte kind,
        long epoch,
        long remainingNanos,
        MemorySegment body,
        long offset,
        int length) {
      requests.received(link, id, kind, epoch, remainingNanos, body, offset, length);
    }

    @Override
    public void opened(InboundLink link, NodeIdentity peer) {
      // the links of the node see to that
    }

    @Override
    public void closed(InboundLink link, NodeIdentity peer, String reason) {
      // the links of the node see to that
    }

    @Override
    public void heard(UUID hostId, long epoch) {
      // the links of the node see to that
    }
  }
}
