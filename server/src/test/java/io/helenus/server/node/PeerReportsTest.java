package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.cluster.Endpoint;
import io.helenus.server.cluster.MemberAddress;
import io.helenus.server.protocol.Event;
import io.helenus.server.shard.Shard;
import io.helenus.server.system.ClusterFacts;
import io.helenus.storage.env.sim.SimWorld;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PeerReportsTest {
  private static final UUID OTHER = new UUID(0, 2);
  private static final UUID VERSION = new UUID(5, 6);
  private static final InetSocketAddress REGISTERED =
      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 9042);

  private final List<String> sent = new ArrayList<>();
  private final PeerReports reports =
      new PeerReports(
          () -> Map.of(OTHER, 0.5),
          () -> ClusterFacts.Traffic.NONE,
          new MemberEvents(new UUID(0, 1), event -> sent.add(text(event))));

  private static String text(Event event) {
    return switch (event) {
      case Event.TopologyChange it -> it.change() + " " + it.address()[3];
      case Event.StatusChange it -> it.change() + " " + it.address()[3];
      case Event.SchemaChange it -> throw new AssertionError(it);
    };
  }

  private static MemberAddress address(int last) {
    String host = "127.0.0." + last;
    return new MemberAddress(new Endpoint(host, 7000), new Endpoint(host, 9042), 1);
  }

  private static byte[] report(int generation, long number, boolean serving) {
    return new NodeReport(generation, number, serving, true, 1234, VERSION).toBytes();
  }

  private void receive(byte[] body) {
    reports.received(OTHER, body, REGISTERED);
  }

  private void expect(String... events) {
    assertEquals(List.of(events), sent);
    sent.clear();
  }

  @Test
  void aMemberIsUpForClientsOnceItServesThem() {
    reports.up(OTHER, address(3));
    receive(report(100, 1, false));
    expect();
    receive(report(100, 2, true));
    expect("UP 3");
    receive(report(100, 3, false));
    expect("DOWN 3");
    receive(report(100, 4, true));
    reports.down(OTHER);
    expect("UP 3", "DOWN 3");
  }

  /** One that comes back is alive before it serves clients again. */
  @Test
  void whetherItServesIsForgottenWhenItGoesDown() {
    reports.up(OTHER, null);
    receive(report(100, 1, true));
    expect("UP 2");
    reports.down(OTHER);
    expect("DOWN 2");
    receive(report(100, 2, true));
    reports.up(OTHER, address(4));
    assertFalse(reports.peer(OTHER).isServing());
    expect();
    receive(report(200, 1, true));
    expect("REMOVED_NODE 2", "NEW_NODE 4", "UP 4");
  }

  @Test
  void whatItReportedIsShownAlsoWhileItIsDown() {
    assertEquals(
        new ClusterFacts.Peer(false, false, 0.5, 0, 0, -1, null, null, null), reports.peer(OTHER));
    reports.up(OTHER, address(3));
    receive(report(100, 7, true));
    ClusterFacts.Peer up = reports.peer(OTHER);
    assertTrue(up.isUp() && up.isServing());
    assertEquals(100, up.generation());
    assertEquals(7, up.heartbeat());
    assertEquals(1234, up.loadBytes());
    assertEquals(VERSION, up.schemaVersion());
    assertEquals("/127.0.0.3:7000", String.valueOf(up.broadcast()));
    assertEquals("/127.0.0.3:9042", String.valueOf(up.clients()));
    reports.down(OTHER);
    ClusterFacts.Peer down = reports.peer(OTHER);
    assertFalse(down.isUp() || down.isServing());
    assertEquals(VERSION, down.schemaVersion());
    assertEquals(1234, down.loadBytes());
  }

  @Test
  void anOlderReportChangesNothing() {
    reports.up(OTHER, null);
    receive(report(100, 5, true));
    receive(report(100, 4, false));
    receive(report(99, 6, false));
    assertTrue(reports.peer(OTHER).isServing());
    receive(report(101, 1, false));
    assertFalse(reports.peer(OTHER).isServing());
  }

  @Test
  void reportsOfOtherReleasesAreRead() {
    reports.up(OTHER, null);
    byte[] longer = Arrays.copyOf(report(100, 5, true), 60);
    assertEquals(VERSION, Objects.requireNonNull(NodeReport.of(longer)).schemaVersion());
    byte[] report = report(100, 6, true);
    assertNull(NodeReport.of(Arrays.copyOf(report, report.length - 1)));
    receive(new byte[0]);
    assertEquals(0, reports.peer(OTHER).generation());
  }

  @Test
  void aNodeReportsNowAndThenAndWhenAsked() {
    SimWorld world = new SimWorld(1);
    Shard home =
        new Shard(
            0,
            world.scheduler("shard"),
            world.clock(),
            cause -> {
              throw new AssertionError(cause);
            });
    List<Long> numbers = new ArrayList<>();
    ReportSender sender =
        new ReportSender(
            home,
            number -> new NodeReport(1, number, true, true, 0, VERSION),
            body -> numbers.add(Objects.requireNonNull(NodeReport.of(body)).number()));
    sender.send();
    assertEquals(List.of(), numbers, "before it has started");
    sender.start();
    sender.send();
    assertEquals(List.of(1L, 2L), numbers);
    world.runUntil(() -> numbers.size() == 4);
    assertEquals(List.of(1L, 2L, 3L, 4L), numbers);
    sender.stop();
    sender.send();
    assertEquals(4, numbers.size());
  }
}
