package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.protocol.Event;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MemberEventsTest {
  private static final UUID SELF = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  private final List<String> sent = new ArrayList<>();
  private final MemberEvents events = new MemberEvents(SELF, event -> sent.add(text(event)));

  private static String text(Event event) {
    return switch (event) {
      case Event.TopologyChange it -> it.change() + " " + it.address()[3] + ":" + it.port();
      case Event.StatusChange it -> it.change() + " " + it.address()[3] + ":" + it.port();
      case Event.SchemaChange it -> throw new AssertionError(it);
    };
  }

  private static InetSocketAddress address(int last) {
    return new InetSocketAddress(InetAddress.ofLiteral("127.0.0." + last), 9042);
  }

  private void expect(String... events) {
    assertEquals(List.of(events), sent);
    sent.clear();
  }

  /** As Cassandra does, to which a driver connects as soon as it hears of it. */
  @Test
  void aNewMemberIsAnnouncedWhenItServesClients() {
    events.joined(OTHER);
    events.down(OTHER);
    expect();
    events.up(OTHER, address(2));
    expect("NEW_NODE 2:9042", "UP 2:9042");
  }

  @Test
  void eachChangeIsSentOnce() {
    events.up(OTHER, address(2));
    events.up(OTHER, address(2));
    expect("UP 2:9042");
    events.down(OTHER);
    events.down(OTHER);
    expect("DOWN 2:9042");
    events.up(OTHER, address(2));
    expect("UP 2:9042");
  }

  @Test
  void aMemberThatComesBackElsewhereIsAnotherNodeForDrivers() {
    events.up(OTHER, address(2));
    events.down(OTHER);
    sent.clear();
    events.up(OTHER, address(3));
    expect("REMOVED_NODE 2:9042", "NEW_NODE 3:9042", "UP 3:9042");
    events.up(OTHER, address(4));
    expect("REMOVED_NODE 3:9042", "NEW_NODE 4:9042", "UP 4:9042");
    events.down(OTHER);
    expect("DOWN 4:9042");
  }

  @Test
  void aNodeDoesNotAnnounceItself() {
    events.joined(SELF);
    events.up(SELF, address(1));
    events.down(SELF);
    expect();
  }
}
