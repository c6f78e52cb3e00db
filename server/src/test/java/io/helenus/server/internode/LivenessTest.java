package io.helenus.server.internode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.internode.TestNode.Options;
import io.helenus.storage.env.sim.SimClock;
import io.helenus.storage.env.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Links while nothing is sent, and while nodes and paths fail. */
class LivenessTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;

  private final SimWorld world = new SimWorld(1);
  private final SimulatedNetwork network =
      new SimulatedNetwork(1, world.clock(), world.scheduler("wire"));
  private final List<String> events = new ArrayList<>();
  private final TestNode one = node(1, Options.DEFAULT);
  private TestNode two = node(2, Options.DEFAULT);
  private final Link link = connect();

  private TestNode node(int number, Options options) {
    return new TestNode(number, world, network, events, options).listen();
  }

  private Link connect() {
    one.run(0, () -> one.want(two));
    world.runFor(10 * MILLISECOND);
    events.clear();
    return one.want(two);
  }

  private void assertEvents(String... expected) {
    assertEquals(List.of(expected), events);
    events.clear();
  }

  @Test
  void heartbeatsKeepAnIdleLinkAndCarryTheTimestamp() {
    one.lastTimestamp = 1_000;
    world.runFor(60 * SECOND);
    assertTrue(link.isUp());
    assertEvents();
    LinkCounts counts = link.counts();
    assertTrue(counts.framesOut() >= 58 && counts.framesOut() <= 61, counts::toString);
    assertTrue(counts.framesIn() >= 58 && counts.framesIn() <= 61, counts::toString);
    assertEquals(0, counts.messagesOut());
    assertTrue(two.timestamps.contains(1_000L));
  }

  @Test
  void aTimestampFromTheFutureMovesNobodyByMoreThanAMinute() {
    one.lastTimestamp = Long.MAX_VALUE;
    long before = world.clock().wallMicros();
    world.runFor(3 * SECOND);
    long largest = two.timestamps.stream().mapToLong(Long::longValue).max().orElseThrow();
    assertTrue(largest >= before + 60_000_000, () -> "moved to " + largest);
    assertTrue(largest <= world.clock().wallMicros() + 60_000_000, () -> "moved to " + largest);
    assertTrue(largest > SimClock.START_MICROS);
  }

  @Test
  void aKilledProcessIsSeenAtOnce() {
    one.run(0, () -> one.send(link, "a", one.new Replies(), 1));
    world.runFor(10 * MILLISECOND);
    network.kill(two.address.getAddress());
    world.runFor(10 * MILLISECOND);
    assertEvents("n1: down 2: closed by the other side", "n1: broken: 1");
    two = node(2, Options.DEFAULT.life(2));
    world.runFor(3 * SECOND);
    assertTrue(link.isUp());
    NodeIdentity peer = link.peer();
    assertTrue(peer != null && peer.life() == 2);
  }

  @Test
  void aHostWithoutPowerIsSeenWhenNothingIsHeardForTenSeconds() {
    network.powerOff(two.address.getAddress());
    one.run(0, () -> one.send(link, "a", 60 * SECOND, one.new Replies(), 1));
    world.runFor(8 * SECOND);
    assertEvents();
    world.runFor(4 * SECOND);
    assertEquals(
        List.of("n1: down 2: nothing was heard for 10000 ms", "n1: broken: 1"),
        events.stream().filter(each -> each.startsWith("n1")).toList());
  }

  @Test
  void aHostThatComesBackDoesNotKnowTheStream() {
    network.powerOff(two.address.getAddress());
    world.runFor(SECOND / 2);
    two = node(2, Options.DEFAULT.life(2));
    one.run(0, () -> one.send(link, "a", one.new Replies(), 1));
    world.runFor(SECOND);
    assertEvents(
        "n1: down 2: reset by the other side", "n1: broken: 1", "n2: opened by 1", "n1: up 2");
  }

  @Test
  void aPathThatIsBlockedInOneDirectionEndsTheLinkOnBothSides() {
    network.block(two.address.getAddress(), one.address.getAddress());
    two.echoes = true;
    one.run(0, () -> one.send(link, "a", one.new Replies(), 1));
    world.runFor(12 * SECOND);
    assertEquals(1, two.requests.size());
    assertEquals(
        List.of("n1: down 2: nothing was heard for 10000 ms", "n1: broken: 1"),
        events.subList(0, 2));
    // its redials are not answered; it comes back when the path does
    assertFalse(link.isUp());
    network.openAll();
    world.runFor(5 * SECOND);
    assertTrue(link.isUp(), events::toString);
    assertEquals(0, link.waiting());
  }

  @Test
  void aStallThatEndsInTimeBreaksNothing() {
    two.echoes = true;
    network.block(one.address.getAddress(), two.address.getAddress());
    one.run(0, () -> one.send(link, "a", 60 * SECOND, one.new Replies(), 1));
    world.runFor(7 * SECOND);
    network.openAll();
    world.runFor(10 * MILLISECOND);
    assertEvents("n1: reply to 1: a");
    assertTrue(link.isUp());
  }

  @Test
  void aLargeMessageOverASlowPathIsNotSilence() {
    network.delay(SECOND, 2 * SECOND);
    network.window(64 << 10, 64 << 10);
    String large = "x".repeat(2 << 20);
    one.run(0, () -> one.send(link, large, 1_000 * SECOND, one.new Replies(), 1));
    world.runFor(30 * SECOND);
    assertEquals(0, two.requests.size());
    world.runUntil(() -> !two.requests.isEmpty());
    assertEquals(large, two.requests.getFirst().body());
    assertTrue(two.requests.getFirst().link().isOpen());
    assertEquals(List.of(), events);
  }

  /** Nothing was heard because nothing ran. */
  @Test
  void aNodeThatWasPausedDoesNotBlameThePeer() {
    world.runFor(5 * SECOND);
    // the time passes for the clock only, as for a process that is stopped
    world.clock().advance(60 * SECOND);
    world.runFor(5 * SECOND);
    assertEvents();
    assertTrue(link.isUp());
  }

  @Test
  void aLinkThatIsNotWantedIsClosedForGood() {
    one.run(
        0,
        () -> {
          one.send(link, "a", one.new Replies(), 1);
          one.links.getFirst().close(link);
        });
    world.runFor(5 * SECOND);
    assertEvents(
        "n1: down 2: it is not wanted any more",
        "n1: broken: 1",
        "n2: closed by 1: closed by the other side");
    assertEquals(0, network.openEnds());
    assertEquals(Link.NOT_SENT, one.send(link, "b", one.new Replies(), 2));
    assertEquals(1, one.links.getFirst().counts().connections());
  }

  @Test
  void aNodeWithANewAddressIsFoundThere() {
    network.kill(two.address.getAddress());
    world.runFor(SECOND);
    assertFalse(link.isUp());
    TestNode moved =
        new TestNode(3, world, network, events, Options.DEFAULT.life(2).host(2)).listen();
    one.run(0, () -> one.links.getFirst().want(moved.hostId, moved.address));
    world.runFor(20 * MILLISECOND);
    assertTrue(link.isUp(), events::toString);
    assertEquals(moved.address, link.address());
  }

  @Test
  void repliesThatAreNotReadEndTheLink() {
    Options small =
        Options.DEFAULT.settings(
            new LinkSettings(
                100_000, 300_000, 1 << 16, 3, 10 * SECOND, SECOND, 100 * SECOND, SECOND, SECOND));
    TestNode three = node(3, small);
    one.run(0, () -> one.want(three));
    world.runFor(10 * MILLISECOND);
    Link toThree = one.want(three);
    events.clear();
    network.block(three.address.getAddress(), one.address.getAddress());
    three.echoes = true;
    String large = "x".repeat(90_000);
    for (int i = 0; i < 12; i++) {
      int tag = i;
      one.run(
          0,
          () ->
              assertNotEquals(
                  Link.NOT_SENT, one.send(toThree, large, 60 * SECOND, one.new Replies(), tag)));
      world.runFor(MILLISECOND);
    }
    world.runFor(10 * MILLISECOND);
    network.openAll();
    world.runFor(20 * MILLISECOND);
    long refused = events.stream().filter(each -> each.contains("refusal")).count();
    // window and bound hold five to seven of them
    assertTrue(refused >= 4 && refused <= 8, () -> "refused " + refused);
    assertEquals(12, events.size());
    assertTrue(events.getLast().endsWith("0 too much waits to be sent to " + one.hostId));
    // and with small replies beyond the bound
    network.block(three.address.getAddress(), one.address.getAddress());
    for (int i = 0; i < 40; i++) {
      one.run(
          0,
          () -> {
            for (int k = 0; k < 1_000; k++) {
              one.send(
                  toThree,
                  "reply of fifty bytes, to be sent many times over.",
                  60 * SECOND,
                  one.new Replies(),
                  k);
            }
          });
      world.runFor(MILLISECOND);
    }
    world.runFor(10 * MILLISECOND);
    assertTrue(
        events.contains("n3: closed by 1: the other side does not read the replies"),
        events.getLast());
  }
}
