package io.helenus.server.node;

import io.helenus.server.cluster.Endpoint;
import io.helenus.server.cluster.MemberAddress;
import io.helenus.server.system.ClusterFacts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of the other members: whether they are alive, where they were met last, and
 * what they have reported about themselves. Clients hear of members that begin to serve them, and
 * of those that go down. What is fed in comes on one thread; what is shown is read on any.
 */
final class PeerReports implements ClusterFacts {
  private final Supplier<Map<UUID, Double>> phis;
  private final Supplier<Traffic> traffic;
  private final MemberEvents events;
  private final Map<UUID, Known> peers = new ConcurrentHashMap<>();

  /**
   * What is known of a member.
   *
   * @param report its last report; null if there was none
   * @param isServing whether it has reported, since it was alive last, that it serves clients
   * @param address where it was met; null if that is not known
   */
  private record Known(
      boolean isUp,
      boolean isServing,
      @Nullable NodeReport report,
      @Nullable MemberAddress address) {
    static final Known NOTHING = new Known(false, false, null, null);
  }

  /**
   * Knows nobody yet.
   *
   * @param phis the suspicion of each node that was ever connected; any thread
   * @param traffic what links have carried; any thread
   * @param events what clients hear
   */
  PeerReports(Supplier<Map<UUID, Double>> phis, Supplier<Traffic> traffic, MemberEvents events) {
    this.phis = phis;
    this.traffic = traffic;
    this.events = events;
  }

  /** A member was met at an address, and is alive. Whether it serves clients, it will report. */
  void up(UUID hostId, @Nullable MemberAddress address) {
    Known known = known(hostId);
    peers.put(
        hostId,
        new Known(
            true,
            known.isUp && known.isServing,
            known.report,
            address == null ? known.address : address));
  }

  /** A member is not alive any more. */
  void down(UUID hostId) {
    Known known = known(hostId);
    peers.put(hostId, new Known(false, false, known.report, known.address));
    events.down(hostId);
  }

  /**
   * A member has reported about itself. A report of one that is down, or older than the last one,
   * changes nothing: it was on its way.
   *
   * @param registered where clients reach the member by the metadata log; null if unknown
   */
  void received(UUID hostId, byte[] body, @Nullable InetSocketAddress registered) {
    NodeReport report = NodeReport.of(body);
    Known known = known(hostId);
    if (report == null || !known.isUp || isOlder(report, known.report)) {
      return;
    }
    peers.put(hostId, new Known(true, report.isServing(), report, known.address));
    MemberAddress met = known.address;
    InetSocketAddress client = met == null ? registered : socketAddress(met.client());
    if (!report.isServing()) {
      events.down(hostId);
    } else if (client != null) {
      events.up(hostId, client);
    }
  }

  private static boolean isOlder(NodeReport report, @Nullable NodeReport last) {
    return last != null
        && (report.generation() < last.generation()
            || (report.generation() == last.generation() && report.number() <= last.number()));
  }

  private Known known(UUID hostId) {
    return peers.getOrDefault(hostId, Known.NOTHING);
  }

  private static @Nullable InetSocketAddress socketAddress(Endpoint endpoint) {
    try {
      return new InetSocketAddress(InetAddress.ofLiteral(endpoint.host()), endpoint.port());
    } catch (IllegalArgumentException e) {
      // a host name, which only seeds should have
      return null;
    }
  }

  @Override
  public Peer peer(UUID hostId) {
    Known known = known(hostId);
    NodeReport report = known.report;
    MemberAddress address = known.address;
    return new Peer(
        known.isUp,
        known.isServing,
        phis.get().getOrDefault(hostId, Double.NaN),
        report == null ? 0 : report.generation(),
        report == null ? 0 : report.number(),
        report == null ? -1 : report.loadBytes(),
        report == null ? null : report.schemaVersion(),
        address == null ? null : socketAddress(address.node()),
        address == null ? null : socketAddress(address.client()));
  }

  @Override
  public Traffic traffic() {
    return traffic.get();
  }
}
