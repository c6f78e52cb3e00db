package io.helenus.server.internode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.internode.TestNode.Options;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.env.sim.SimWorld;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How links begin, and what is refused. */
class HandshakeTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;

  private final SimWorld world = new SimWorld(1);
  private final SimulatedNetwork network =
      new SimulatedNetwork(1, world.clock(), world.scheduler("wire"));
  private final List<String> events = new ArrayList<>();

  private TestNode node(int number, Options options) {
    return new TestNode(number, world, network, events, options).listen();
  }

  private void assertEvents(String... expected) {
    assertEquals(List.of(expected), events);
    events.clear();
  }

  /** The bytes that docs/internode.md describes. */
  @Test
  void theBytesOfAHandshakeAreThoseOfTheDocument() throws MalformedBytesException {
    NodeIdentity node = TestNode.identity(3, Options.DEFAULT.life(5).shards(2));
    ByteWriter out = new ByteWriter(16);
    new Handshake(1, 2, 3, 4, node).write(out);
    String nodeHex =
        "00000000000000c100000000000000c1"
            + "000000000000000a0000000000000003"
            + "0000000000000005"
            + "0002"
            + "01100000"
            + "0004"
            + "74657374"
            + "040a0000031b58"
            + "040a0000032352";
    assertEquals("0001000200030004" + nodeHex, HexFormat.of().formatHex(out.toArray()));
    assertEquals(new Handshake(1, 2, 3, 4, node), Handshake.read(out.segment(), 0, out.size()));
    out.clear();
    Handshake.Answer refused = new Handshake.Answer(1, 3, 4, node, "no");
    refused.write(out);
    assertEquals("01000100030004" + nodeHex + "00026e6f", HexFormat.of().formatHex(out.toArray()));
    assertEquals(refused, Handshake.Answer.read(out.segment(), 0, out.size()));
    // fields of later releases are ignored, missing ones are not
    out.putLong(7);
    assertEquals(refused, Handshake.Answer.read(out.segment(), 0, out.size()));
    for (int i = 0; i < out.size() - 8; i++) {
      int length = i;
      assertThrows(
          MalformedBytesException.class, () -> Handshake.Answer.read(out.segment(), 0, length));
    }
  }

  @Test
  void theWrongClusterNameIsRefusedWithTheTextOfTheOtherSide() {
    TestNode one = node(1, Options.DEFAULT.clusterName("other"));
    TestNode two = node(2, Options.DEFAULT);
    one.run(0, () -> one.want(two));
    world.runFor(50 * MILLISECOND);
    assertEvents("n1: failed 10.0.0.2: not of cluster test: other");
    assertEquals(2, one.want(two).peer().hostId().getLeastSignificantBits());
    // and on the side that dials
    two.run(0, () -> two.want(one));
    world.runFor(50 * MILLISECOND);
    assertTrue(
        events.contains("n2: failed 10.0.0.1: not of cluster test: other"), events::toString);
  }

  @Test
  void aRefusedLinkIsDialledAgainUntilItIsAccepted() {
    TestNode one = node(1, Options.DEFAULT);
    TestNode two = node(2, Options.DEFAULT);
    two.refusal = "not yet";
    one.run(0, () -> one.want(two));
    world.runFor(7 * SECOND);
    // after 0.1, 0.2, 0.4, 0.8, 1.6, 2 and 2 s, each shortened by up to a half
    assertTrue(events.size() >= 6 && events.size() <= 10, events::toString);
    assertTrue(network.openEnds() <= 2);
    two.refusal = null;
    world.runFor(2 * SECOND + 50 * MILLISECOND);
    assertEquals("n1: up 2", events.getLast());
  }

  @Test
  void anotherNodeAtTheAddressIsNotTaken() {
    TestNode one = node(1, Options.DEFAULT);
    TestNode two = node(2, Options.DEFAULT);
    one.run(0, () -> one.links.getFirst().want(TestNode.hostId(3), two.address));
    world.runFor(50 * MILLISECOND);
    assertEquals(
        "n1: failed 10.0.0.2: "
            + two.address
            + " is node "
            + two.hostId
            + ", not "
            + TestNode.hostId(3),
        events.get(1));
  }

  @Test
  void anAddressWithoutAKnownHostTellsItsHost() {
    TestNode one = node(1, Options.DEFAULT);
    TestNode two = node(2, Options.DEFAULT.life(9).shards(3));
    one.run(0, () -> one.links.getFirst().want(two.address));
    world.runFor(50 * MILLISECOND);
    NodeIdentity peer = one.links.getFirst().want(two.address).peer();
    assertNotNull(peer);
    assertEquals(two.environment.self().get(), peer);
    assertEvents("n2: opened by 1", "n1: up 2");
  }

  @Test
  void aNodeThatDialsItselfSeesItself() {
    TestNode one = node(1, Options.DEFAULT);
    one.refusal = "it is this node";
    one.run(0, () -> one.links.getFirst().want(one.address));
    world.runFor(50 * MILLISECOND);
    NodeIdentity peer = one.links.getFirst().want(one.address).peer();
    assertTrue(peer != null && peer.isSameRun(one.environment.self().get()));
    assertEvents("n1: failed 10.0.0.1: it is this node");
  }

  @Test
  void aVersionThatIsNotSpokenIsRefusedByBothNumbers() {
    TestNode two = node(2, Options.DEFAULT);
    Raw raw = dial(two);
    ByteWriter body = new ByteWriter(64);
    new Handshake(2, 3, 1, 0, TestNode.identity(1, Options.DEFAULT)).write(body);
    raw.sendEnvelope(body);
    world.runFor(10 * MILLISECOND);
    assertEquals(
        "this node speaks version 1 of the protocol between nodes, the other one 2 to 3",
        raw.answer().refusal());
    // the stream is closed if the other side does not do so
    world.runFor(11 * SECOND);
    assertEquals("closed by the other side", raw.closed);
  }

  @Test
  void theDigestVersionIsTheOlderOfBoth() {
    TestNode two = node(2, Options.DEFAULT);
    Raw raw = dial(two);
    ByteWriter body = new ByteWriter(64);
    new Handshake(1, 3, 4, 0, TestNode.identity(1, Options.DEFAULT)).write(body);
    raw.sendEnvelope(body);
    world.runFor(10 * MILLISECOND);
    assertEquals(1, raw.answer().digestVersion());
    assertEquals(1, raw.answer().version());
    assertEquals("", raw.answer().refusal());
  }

  @Test
  void whatIsNoHandshakeClosesTheStreamAndNothingElse() {
    TestNode two = node(2, Options.DEFAULT);
    String[] garbage = {
      "16030100", // TLS
      "474554202f20485454502f312e310d0a", // HTTP
      "484c4e317fffffff00000000", // 2 GiB
      "484c4e31ffffffff00000000", // -1
      "484c4e31000010010000000000", // above 4 KiB
      "484c4e3100000001deadbeef00", // a wrong checksum
    };
    List<Raw> raws = new ArrayList<>();
    for (String each : garbage) {
      Raw raw = dial(two);
      raw.send(HexFormat.of().parseHex(each));
      raws.add(raw);
    }
    Raw empty = dial(two);
    empty.sendEnvelope(new ByteWriter(16));
    raws.add(empty);
    world.runFor(10 * MILLISECOND);
    raws.forEach(raw -> assertNotNull(raw.closed));
    assertEvents();
    assertEquals(0, network.openEnds());
  }

  @Test
  void aHandshakeThatDoesNotComeInTimeClosesTheStream() {
    TestNode two = node(2, Options.DEFAULT);
    Raw silent = dial(two);
    Raw half = dial(two);
    half.send(HexFormat.of().parseHex("484c4e3100000050"));
    world.runFor(9 * SECOND);
    assertEquals(4, network.openEnds());
    world.runFor(2 * SECOND);
    assertEquals("closed by the other side", silent.closed);
    assertEquals("closed by the other side", half.closed);
    assertEquals(0, network.openEnds());
  }

  @Test
  void streamsWithoutAHandshakeAreBounded() {
    TestNode one = node(1, Options.DEFAULT);
    TestNode two =
        node(
            2,
            Options.DEFAULT.settings(
                new LinkSettings(
                    1 << 20, 1 << 20, 16, 3, 10 * SECOND, SECOND, 10 * SECOND, SECOND, SECOND)));
    List<Raw> raws = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      raws.add(dial(two));
    }
    assertEquals("closed by the other side", raws.getFirst().closed);
    raws.stream().skip(1).forEach(raw -> assertNull(raw.closed));
    // who says who it is finds a place, however many do not
    for (int i = 0; i < 3; i++) {
      raws.add(dial(two));
      int shard = 0;
      int number = i;
      one.run(
          shard,
          () -> {
            if (number > 0) {
              one.links.getFirst().close(one.want(two));
            }
            one.want(two);
          });
      world.runFor(50 * MILLISECOND);
      assertTrue(one.want(two).isUp(), events::toString);
    }
    assertTrue(raws.stream().filter(raw -> raw.closed == null).count() <= 3);
  }

  private int dialled;

  /** A stream without a node. */
  private Raw dial(TestNode to) {
    Raw raw = new Raw();
    var loop = world.scheduler("raw");
    network
        .host(TestNode.address(100 + dialled++).getAddress(), List.of(loop))
        .connect(0, to.address, raw);
    world.runFor(5 * MILLISECOND);
    return raw;
  }

  private static final class Raw implements StreamHandler {
    private @Nullable ByteStream stream;
    private final ByteWriter received = new ByteWriter(64);
    @Nullable String closed;

    void send(byte[] bytes) {
      assertNotNull(stream);
      ByteWriter out = new ByteWriter(bytes.length).putBytes(bytes);
      stream.write(out.segment(), 0, out.size());
      stream.flush();
    }

    void sendEnvelope(ByteWriter body) {
      assertNotNull(stream);
      ByteWriter out = new ByteWriter(64).putInt(Handshake.MAGIC).putInt(body.size()).putInt(0);
      out.putBytes(body.segment(), 0, body.size());
      out.setInt(8, EnvelopeReader.checksum(new Crc32c(), out.segment(), 4, body.size()));
      send(out.toArray());
    }

    Handshake.Answer answer() {
      assertEquals(Handshake.MAGIC, Bytes.getInt(received.segment(), 0));
      try {
        return Handshake.Answer.read(received.segment(), 12, received.size() - 12);
      } catch (MalformedBytesException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void connected(ByteStream opened) {
      stream = opened;
    }

    @Override
    public void received(MemorySegment bytes, int length) {
      received.putBytes(bytes, 0, length);
    }

    @Override
    public void drained() {
      // not of interest
    }

    @Override
    public void closed(String reason) {
      closed = reason;
    }
  }
}
