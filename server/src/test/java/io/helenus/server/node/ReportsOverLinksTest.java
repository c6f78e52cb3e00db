package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.cluster.ClusterMember;
import io.helenus.server.cluster.Endpoint;
import io.helenus.server.cluster.MemberAddress;
import io.helenus.server.cluster.Members;
import io.helenus.server.cluster.MembershipLog;
import io.helenus.server.internode.LinkEnvironment;
import io.helenus.server.internode.LinkSettings;
import io.helenus.server.internode.NodeIdentity;
import io.helenus.server.internode.SimulatedNetwork;
import io.helenus.server.protocol.Event;
import io.helenus.server.shard.Shard;
import io.helenus.server.system.ClusterFacts;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.memory.LargeSegments;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Three members of a cluster report to each other over simulated links. */
class ReportsOverLinksTest {
  private static final UUID CLUSTER = new UUID(0xC, 0xC);
  private static final int COUNT = 3;

  private final SimWorld world = new SimWorld(1);
  private final SimulatedNetwork network =
      new SimulatedNetwork(1, world.clock(), world.scheduler("wire"));
  private final List<TestMember> nodes = new ArrayList<>();

  private static UUID hostId(int number) {
    return new UUID(0xA, number);
  }

  private static InetSocketAddress address(int number, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral("10.0.0." + number), port);
  }

  /** The log of a cluster that the node has been a member of before. */
  private static final class OldLog implements MembershipLog {
    @Override
    public boolean hasCluster() {
      return true;
    }

    @Override
    public boolean isMember(UUID host) {
      return true;
    }

    @Override
    public UUID clusterId() {
      return CLUSTER;
    }

    @Override
    public Map<UUID, MemberAddress> members() {
      Map<UUID, MemberAddress> members = new HashMap<>();
      for (int i = 1; i <= COUNT; i++) {
        String host = "10.0.0." + i;
        members.put(
            hostId(i),
            new MemberAddress(
                new Endpoint(host, 7000), new Endpoint(host, 9042), MemberAddress.HINT));
      }
      return members;
    }

    @Override
    public void found(Consumer<@Nullable String> whenDone) {
      throw new AssertionError("it is a member");
    }

    @Override
    public void fetch(UUID from, Consumer<@Nullable String> whenDone) {
      whenDone.accept(null);
    }

    @Override
    public void join(Joining whenDone) {
      throw new AssertionError("it is a member");
    }
  }

  private final class TestMember {
    final List<String> events = new ArrayList<>();
    final ClusterMember cluster;
    final PeerReports reports;
    final ReportSender sender;
    final Shard home;
    boolean serving;
    UUID schemaVersion = new UUID(1, 1);

    TestMember(int number) throws IOException {
      Scheduler loop = world.scheduler("n" + number);
      home = new Shard(0, loop, world.clock(), ReportsOverLinksTest::fail);
      NodeIdentity self =
          new NodeIdentity(
              CLUSTER,
              "test",
              hostId(number),
              1,
              1,
              LinkSettings.DEFAULT.maxMessageBytes(),
              address(number, 7000),
              address(number, 9042));
      LinkEnvironment environment =
          new LinkEnvironment(
              network.host(self.broadcast().getAddress(), List.of(loop)),
              world.clock(),
              world.randomness().split(),
              new LargeSegments(),
              LinkSettings.DEFAULT,
              () -> self,
              1,
              peer -> null,
              () -> 0,
              timestamp -> {},
              () -> 0);
      cluster =
          new ClusterMember(
              new ClusterMember.Configuration(
                  self.broadcast(), self, "dc", List.of(new Endpoint("10.0.0.1", 7000)), 8),
              List.of(home),
              environment,
              new Members(hostId(number)),
              new OldLog(),
              Runnable::run,
              (shard, member, link) -> {},
              ReportsOverLinksTest::fail);
      reports =
          new PeerReports(
              cluster::phis,
              () -> ClusterFacts.Traffic.NONE,
              new MemberEvents(hostId(number), event -> events.add(text(event))));
      sender =
          new ReportSender(
              home,
              count -> new NodeReport(100, count, serving, true, 10 * number, schemaVersion),
              cluster::sendReport);
      assertFalse(cluster.form().isCompletedExceptionally());
    }

    /** As when the node is opened, which may take longer than to meet the others. */
    void open() {
      cluster.listen(
          (host, alive) -> {
            if (alive) {
              reports.up(host, cluster.address(host));
            } else {
              reports.down(host);
            }
          });
      cluster.reports((host, body) -> reports.received(host, body, null));
      cluster.reachable(host -> sender.send());
      home.execute(sender::start);
    }

    void changed() {
      home.execute(sender::send);
    }

    boolean shows(int number, UUID version) {
      ClusterFacts.Peer peer = reports.peer(hostId(number));
      return peer.isUp() && version.equals(peer.schemaVersion());
    }
  }

  private static void fail(Throwable cause) {
    throw new AssertionError("the node was halted", cause);
  }

  private static String text(Event event) {
    return event instanceof Event.StatusChange it
        ? it.change() + " " + it.address()[3] + ":" + it.port()
        : event.toString();
  }

  @Test
  void membersKnowWhatTheOthersReport() throws IOException {
    for (int i = 1; i <= COUNT; i++) {
      nodes.add(new TestMember(i));
      nodes.getLast().open();
    }
    TestMember first = nodes.getFirst();
    UUID version = first.schemaVersion;
    world.runUntil(
        () ->
            first.shows(2, version)
                && first.shows(3, version)
                && nodes.get(1).shows(3, version)
                && nodes.get(2).shows(1, version));
    assertEquals(30, first.reports.peer(hostId(3)).loadBytes());
    assertEquals(address(2, 9042), first.reports.peer(hostId(2)).clients());
    assertEquals(List.of(), first.events, "nobody serves clients yet");

    TestMember second = nodes.get(1);
    second.serving = true;
    second.schemaVersion = new UUID(2, 2);
    second.changed();
    long before = world.clock().nanos();
    world.runUntil(
        () -> first.shows(2, second.schemaVersion) && nodes.get(2).shows(2, second.schemaVersion));
    assertTrue(world.clock().nanos() - before < 100_000_000, "without waiting for the interval");
    assertEquals(List.of("UP 2:9042"), first.events);
    assertEquals(List.of(), second.events, "a node's own clients know that it is up");

    network.kill(address(2, 7000).getAddress());
    world.runUntil(() -> first.events.size() > 1 && nodes.get(2).events.size() > 1);
    assertEquals(List.of("UP 2:9042", "DOWN 2:9042"), first.events);
    assertEquals(List.of("UP 2:9042", "DOWN 2:9042"), nodes.get(2).events);
    assertTrue(first.reports.peer(hostId(3)).isUp());
  }

  @Test
  void whatWasReportedBeforeANodeWasOpenIsNotLost() throws IOException {
    for (int i = 1; i <= COUNT; i++) {
      nodes.add(new TestMember(i));
    }
    TestMember first = nodes.getFirst();
    nodes.get(1).open();
    nodes.get(2).open();
    UUID version = first.schemaVersion;
    world.runUntil(() -> nodes.get(1).shows(3, version) && nodes.get(2).shows(2, version));
    first.open();
    long before = world.clock().nanos();
    world.runUntil(
        () ->
            first.shows(2, version)
                && first.shows(3, version)
                && nodes.get(1).shows(1, version)
                && nodes.get(2).shows(1, version));
    assertTrue(world.clock().nanos() - before < 100_000_000, "without waiting for the interval");
  }
}
