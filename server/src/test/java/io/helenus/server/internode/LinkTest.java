package io.helenus.server.internode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.internode.TestNode.Options;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.MemoryShare;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Links between two nodes, as transcripts of what their users learn. */
class LinkTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final LinkSettings SMALL =
      new LinkSettings(
          100_000, 300_000, 8, 3, 10 * SECOND, SECOND, 10 * SECOND, 100 * MILLISECOND, 2 * SECOND);

  private final SimWorld world = new SimWorld(1);
  private final SimulatedNetwork network =
      new SimulatedNetwork(1, world.clock(), world.scheduler("wire"));
  private final List<String> events = new ArrayList<>();

  private TestNode node(int number, Options options) {
    return new TestNode(number, world, network, events, options);
  }

  private TestNode node(int number) {
    return node(number, Options.DEFAULT).listen();
  }

  private Link connect(TestNode from, TestNode to) {
    from.run(0, () -> from.want(to));
    world.runFor(10 * MILLISECOND);
    Link link = from.want(to);
    assertTrue(link.isUp(), events::toString);
    return link;
  }

  private void assertEvents(String... expected) {
    assertEquals(List.of(expected), events);
    events.clear();
  }

  @Test
  void requestsAreRepliedAcknowledgedAndRefused() {
    TestNode one = node(1);
    TestNode two = node(2);
    Link link = connect(one, two);
    assertEvents("n2: opened by 1", "n1: up 2");
    TestNode.Replies replies = one.new Replies();
    one.run(
        0,
        () -> {
          assertNotEquals(Link.NOT_SENT, one.send(link, "a", replies, 1));
          assertNotEquals(Link.NOT_SENT, one.send(link, "b", replies, 2));
          assertNotEquals(Link.NOT_SENT, one.send(link, "c", replies, 3));
          assertTrue(link.begin((byte) 3, 8, SECOND) != null && link.endOneWay());
        });
    world.runFor(10 * MILLISECOND);
    assertEquals(4, two.requests.size());
    TestNode.Request first = two.requests.getFirst();
    assertEquals(List.of((byte) 9, 7L, "a"), List.of(first.kind(), first.epoch(), first.body()));
    assertEquals(0, two.requests.get(3).id());
    two.run(
        0,
        () -> {
          first.link().acknowledge(two.requests.get(1).id());
          first.link().refuse(two.requests.get(2).id(), (byte) 4, "no ärger");
          one.events.add("n2: answers");
          first.link().reply(first.id(), new ByteWriter(8).putByte('x').segment(), 0, 1);
        });
    world.runFor(10 * MILLISECOND);
    assertEvents(
        "n2: answers", "n1: refusal of 3: 4 no ärger", "n1: reply to 1: x", "n1: reply to 2: ");
    assertEquals(0, link.waiting());
    assertEquals(3, link.counts().messagesIn());
    assertEquals(4, link.counts().messagesOut());
    assertEquals(1, link.counts().framesOut());
    assertTrue(one.timestamps.contains(5L));
  }

  @Test
  void aRequestLeavesBeforeTheLogAndAReplyAfterIt() {
    TestNode one = node(1);
    TestNode two = node(2);
    Link link = connect(one, two);
    events.clear();
    two.echoes = true;
    List<Long> framesOutAtLog = new ArrayList<>();
    List<Long> repliesOutAtLog = new ArrayList<>();
    one.shards.getFirst().logWrite(() -> framesOutAtLog.add(link.counts().framesOut()));
    two.shards
        .getFirst()
        .logWrite(
            () -> {
              if (!two.requests.isEmpty()) {
                repliesOutAtLog.add(two.inbound.counts(two.shards.getFirst()).framesOut());
              }
            });
    one.run(
        0,
        () -> {
          framesOutAtLog.clear();
          one.send(link, "a", one.new Replies(), 1);
        });
    world.runUntil(() -> !events.isEmpty());
    assertEquals(1, framesOutAtLog.getFirst());
    assertEquals(0, repliesOutAtLog.getFirst());
    assertEvents("n1: reply to 1: a");
  }

  @Test
  void allThatWaitLearnThatALinkIsBrokenAndItIsDialledAgain() {
    TestNode one = node(1);
    TestNode two = node(2);
    Link link = connect(one, two);
    events.clear();
    one.run(
        0,
        () -> {
          one.send(link, "a", one.new Replies(), 1);
          one.send(link, "b", one.new Replies(), 2);
        });
    world.runFor(10 * MILLISECOND);
    network.reset(one.address.getAddress(), two.address.getAddress());
    world.runFor(MILLISECOND);
    assertFalse(link.isUp());
    assertEquals(Link.NOT_SENT, one.send(link, "c", one.new Replies(), 3));
    assertEquals(0, link.waiting());
    // replies to a closed link go nowhere
    two.requests.forEach(each -> each.link().acknowledge(each.id()));
    world.runFor(200 * MILLISECOND);
    assertTrue(link.isUp());
    assertEquals(2, link.counts().connections());
    events.sort(null);
    assertEvents(
        "n1: broken: 1",
        "n1: broken: 2",
        "n1: down 2: reset",
        "n1: up 2",
        "n2: closed by 1: reset",
        "n2: opened by 1");
  }

  @Test
  void aNodeThatIsThereIsDialledAtOnce() {
    TestNode one = node(1);
    TestNode two = node(2, Options.DEFAULT);
    one.run(0, () -> one.want(two));
    world.runFor(10 * SECOND);
    Link link = one.want(two);
    assertFalse(link.isUp());
    two.listen();
    Links links = one.links.getFirst();
    one.run(0, () -> links.dialNow(two.hostId));
    world.runFor(10 * MILLISECOND);
    assertTrue(link.isUp(), events::toString);
    events.clear();
    one.run(0, () -> links.dialNow(two.hostId));
    one.run(0, () -> links.dialNow(TestNode.hostId(3)));
    world.runFor(10 * SECOND);
    assertEvents();
  }

  @Test
  void aForgottenRequestLeaksNothingAndItsReplyIsCounted() {
    TestNode one = node(1);
    TestNode two = node(2);
    Link link = connect(one, two);
    events.clear();
    AtomicLong id = new AtomicLong();
    one.run(0, () -> id.set(one.send(link, "a", one.new Replies(), 1)));
    world.runFor(10 * MILLISECOND);
    link.forget(id.get());
    assertEquals(0, link.waiting());
    // the slot is used again, by another request
    one.run(0, () -> assertNotEquals(id.get(), one.send(link, "b", one.new Replies(), 2)));
    two.run(0, () -> two.requests.getFirst().link().acknowledge(two.requests.getFirst().id()));
    world.runFor(10 * MILLISECOND);
    assertEvents();
    assertEquals(1, link.waiting());
    assertEquals(1, link.counts().lateReplies());
  }

  @Test
  void aRequestWhoseTimeIsOverIsDropped() {
    TestNode one = node(1);
    TestNode two = node(2);
    Link link = connect(one, two);
    // the first frame shows how long the way takes at best
    one.run(0, () -> one.send(link, "a", one.new Replies(), 1));
    world.runFor(10 * MILLISECOND);
    assertEquals(1, two.requests.size());
    network.block(one.address.getAddress(), two.address.getAddress());
    one.run(0, () -> one.send(link, "b", 50 * MILLISECOND, one.new Replies(), 2));
    one.run(0, () -> one.send(link, "c", 500 * MILLISECOND, one.new Replies(), 3));
    world.runFor(100 * MILLISECOND);
    network.openAll();
    world.runFor(10 * MILLISECOND);
    assertEquals(2, two.requests.size());
    TestNode.Request last = two.requests.get(1);
    assertEquals("c", last.body());
    long waited = 500 * MILLISECOND - last.remainingNanos();
    assertTrue(waited > 98 * MILLISECOND && waited < 102 * MILLISECOND, () -> "waited " + waited);
    assertEquals(1, two.inbound.counts(two.shards.getFirst()).late());
    assertEquals(Link.NOT_SENT, one.send(link, "d", 0, one.new Replies(), 4));
    assertEquals(1, link.counts().late());
  }

  @Test
  void requestsFailAtOnceWhenThePeerDoesNotRead() {
    TestNode one = node(1, Options.DEFAULT.settings(SMALL));
    TestNode two = node(2);
    Link link = connect(one, two);
    network.block(one.address.getAddress(), two.address.getAddress());
    String large = "x".repeat(90_000);
    int sent = 0;
    for (int i = 0; i < 100; i++) {
      if (one.send(link, large, one.new Replies(), i) == Link.NOT_SENT) {
        break;
      }
      sent++;
      world.runFor(100_000);
    }
    // the window of the network and the bound of the link, and one message above it
    assertTrue(sent >= 4 && sent <= 7, "sent " + sent);
    assertEquals(1, link.counts().dropped());
    network.openAll();
    world.runFor(10 * MILLISECOND);
    assertEquals(sent, two.requests.size());
    assertNotEquals(Link.NOT_SENT, one.send(link, large, one.new Replies(), 1));
  }

  /** And not only what the system has taken of it, as it would be if a stream kept the rest. */
  @Test
  void whatWaitsCountsAsMemoryOfTheNode() {
    TestNode one = node(1, Options.DEFAULT.settings(SMALL));
    TestNode two = node(2, Options.DEFAULT.settings(SMALL).shards(1));
    two.listen();
    network.window(1_000, 1_000);
    Link link = connect(one, two);
    MemoryShare used = ((LargeSegments) one.environment.memory()).share();
    long idle = used.usedBytes();
    network.block(one.address.getAddress(), two.address.getAddress());
    String body = "x".repeat(90_000);
    for (int i = 0; i < 3; i++) {
      one.run(0, () -> assertTrue(one.send(link, body, one.new Replies(), 0) != Link.NOT_SENT));
      world.runFor(MILLISECOND);
    }
    assertTrue(used.usedBytes() >= 200_000, "only " + used.usedBytes() + " bytes count");
    network.openAll();
    world.runFor(SECOND);
    assertEquals(3, two.requests.size());
    two.requests.forEach(each -> assertEquals(body, each.body()));
    assertTrue(used.usedBytes() <= idle + (64 << 10), used.usedBytes() + " bytes are left");
  }

  @Test
  void theReplyTableIsBounded() {
    TestNode one = node(1, Options.DEFAULT.settings(SMALL));
    TestNode two = node(2);
    Link link = connect(one, two);
    for (int i = 0; i < 8; i++) {
      assertNotEquals(Link.NOT_SENT, one.send(link, "a", one.new Replies(), i));
    }
    assertEquals(Link.NOT_SENT, one.send(link, "b", one.new Replies(), 8));
    world.runFor(10 * MILLISECOND);
    assertEquals(8, two.requests.size());
  }

  @Test
  void aMessageAboveTheBoundOfThePeerIsNotSent() {
    TestNode one = node(1);
    TestNode two = node(2, Options.DEFAULT.settings(SMALL)).listen();
    Link link = connect(one, two);
    events.clear();
    assertEquals(Link.NOT_SENT, one.send(link, "x".repeat(100_001), one.new Replies(), 1));
    two.echoes = true;
    assertNotEquals(Link.NOT_SENT, one.send(link, "x".repeat(100_000), one.new Replies(), 2));
    world.runFor(10 * MILLISECOND);
    assertEvents("n1: reply to 2: " + "x".repeat(100_000));
    TestNode.Request request = two.requests.getFirst();
    assertEquals(100_000, request.body().length());
  }

  @Test
  void aReplyThatIsTooLongBecomesARefusal() {
    TestNode one = node(1);
    TestNode two = node(2, Options.DEFAULT.settings(SMALL)).listen();
    Link link = connect(one, two);
    events.clear();
    one.run(0, () -> one.send(link, "a", one.new Replies(), 1));
    world.runFor(10 * MILLISECOND);
    var body = new ByteWriter(100_001);
    two.run(
        0,
        () ->
            two.requests
                .getFirst()
                .link()
                .reply(two.requests.getFirst().id(), body.segment(), 0, 100_001));
    world.runFor(10 * MILLISECOND);
    assertEvents("n1: refusal of 1: 0 the reply of 100001 bytes is above 100000");
  }

  @Test
  void theRestOfAFrameIsDroppedWhenItsReceiverClosesTheLink() {
    TestNode one = node(1);
    TestNode two = node(2);
    Link link = connect(one, two);
    events.clear();
    two.closes = true;
    one.run(
        0,
        () -> {
          for (int i = 0; i < 3; i++) {
            one.send(link, "a", one.new Replies(), i);
          }
        });
    world.runFor(10 * MILLISECOND);
    assertEquals(1, two.requests.size());
    assertEvents(
        "n2: closed by 1: the receiver does not want it",
        "n1: down 2: closed by the other side",
        "n1: broken: 0",
        "n1: broken: 1",
        "n1: broken: 2");
  }
}
