package io.helenus.server.internode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.internode.TestNode.Options;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.MemoryShare;
import io.helenus.storage.memory.PageDiscard;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bytes in any portions, changed, cut off, and made up by a peer that computes checksums. */
class LinkFuzzTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 300);

  @Test
  void envelopesInAnyPortionsAreTheSame() throws MalformedBytesException {
    for (int seed = 0; seed < SEEDS; seed++) {
      SimRandomness random = new SimRandomness(seed);
      List<byte[]> bodies = bodies(random);
      ByteWriter stream = stream(bodies);
      List<byte[]> read = new ArrayList<>();
      MemoryShare share = MemoryShare.unlimited();
      LargeSegments memory = new LargeSegments(share, PageDiscard.NONE, 1 << 20);
      EnvelopeReader reader = new EnvelopeReader(memory, 200_000);
      feed(stream, stream.size(), random, reader, read);
      assertSame(bodies, read, bodies.size(), seed);
      reader.release();
      assertEquals(0, share.usedBytes(), "seed " + seed);
    }
  }

  /** Whatever changes, nothing that was not sent is received, and what came before is. */
  @Test
  void aChangedOrCutStreamDeliversABeginningOfIt() {
    int refused = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      SimRandomness random = new SimRandomness(seed);
      List<byte[]> bodies = bodies(random);
      ByteWriter stream = stream(bodies);
      int length = stream.size();
      boolean cut = random.percent(30);
      if (cut) {
        length = random.below(length);
      } else {
        int at = random.below(length);
        stream.setByte(at, Bytes.getByte(stream.segment(), at) ^ 1 << random.below(8));
      }
      List<byte[]> read = new ArrayList<>();
      EnvelopeReader reader = new EnvelopeReader(new LargeSegments(), 200_000);
      try {
        feed(stream, length, random, reader, read);
      } catch (MalformedBytesException e) {
        assertTrue(!cut, "seed " + seed);
        refused++;
      }
      assertTrue(read.size() < bodies.size(), "seed " + seed);
      assertSame(bodies, read, read.size(), seed);
    }
    assertTrue(refused > SEEDS / 2, "refused " + refused);
  }

  private static List<byte[]> bodies(SimRandomness random) {
    List<byte[]> bodies = new ArrayList<>();
    int count = 1 + random.below(10);
    for (int i = 0; i < count; i++) {
      byte[] body = new byte[random.percent(20) ? random.below(200_000) : random.below(100)];
      for (int k = 0; k < body.length; k++) {
        body[k] = (byte) (k * 31 + body.length);
      }
      bodies.add(body);
    }
    return bodies;
  }

  private static ByteWriter stream(List<byte[]> bodies) {
    ByteWriter out = new ByteWriter(64).putInt(Handshake.MAGIC);
    bodies.forEach(body -> envelope(out, body));
    return out;
  }

  private static void envelope(ByteWriter out, byte[] body) {
    int at = out.size();
    out.putInt(body.length).putInt(0).putBytes(body);
    int sum = EnvelopeReader.checksum(new Crc32c(), out.segment(), at, body.length);
    out.setInt(at + 4, sum);
  }

  private static void feed(
      ByteWriter stream, int length, SimRandomness random, EnvelopeReader reader, List<byte[]> read)
      throws MalformedBytesException {
    int at = 0;
    int largest = random.percent(50) ? 20 : 100_000;
    while (at < length) {
      int portion = Math.min(length - at, 1 + random.below(largest));
      ByteWriter part = new ByteWriter(portion).putBytes(stream.segment(), at, portion);
      at += portion;
      reader.read(
          part.segment(),
          portion,
          (bytes, offset, size) -> read.add(Bytes.toArray(bytes, offset, size)));
    }
  }

  private static void assertSame(List<byte[]> sent, List<byte[]> read, int count, int seed) {
    assertEquals(count, read.size(), "seed " + seed);
    for (int i = 0; i < count; i++) {
      assertTrue(Arrays.equals(sent.get(i), read.get(i)), "seed " + seed);
    }
  }

  /** A peer that sends nonsense with correct checksums harms its own stream only. */
  @Test
  void requestsThatAreMadeUpHarmNobodyElse() {
    int closed = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      SimRandomness random = new SimRandomness(seed);
      World world = new World(seed);
      Link healthy = world.connect();
      Peer peer = new Peer(random);
      world.hostOfPeer().connect(0, world.two.address, peer);
      world.runFor(5 * MILLISECOND);
      peer.handshake();
      world.runFor(5 * MILLISECOND);
      for (int i = 0; i < 20; i++) {
        peer.send(random.percent(50) ? peer.requests() : peer.changed(peer.requests()));
      }
      world.runFor(20 * MILLISECOND);
      closed += peer.closed == null ? 0 : 1;
      world.assertWorks(healthy, seed);
    }
    assertTrue(closed > SEEDS / 4 && closed < SEEDS, "closed " + closed);
  }

  @Test
  void repliesThatAreMadeUpHarmNobodyElse() throws IOException {
    int broken = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      SimRandomness random = new SimRandomness(seed);
      World world = new World(seed);
      Link healthy = world.connect();
      Peer peer = new Peer(random);
      world.hostOfPeer().listen(TestNode.address(3), loop -> peer);
      Links links = world.one.links.getFirst();
      world.one.run(0, () -> links.want(TestNode.hostId(3), TestNode.address(3)));
      world.runFor(5 * MILLISECOND);
      peer.answer();
      world.runFor(5 * MILLISECOND);
      Link bad = links.get(TestNode.hostId(3));
      assertNotNull(bad);
      for (int i = 0; i < 10; i++) {
        long id = world.one.send(bad, "a", 60 * SECOND, world.one.new Replies(), i);
        assertNotEquals(Link.NOT_SENT, id);
        peer.ids.add(id);
      }
      for (int i = 0; i < 20; i++) {
        peer.send(random.percent(50) ? peer.replies() : peer.changed(peer.replies()));
      }
      world.runFor(20 * MILLISECOND);
      broken += bad.isUp() ? 0 : 1;
      links.close(bad);
      assertEquals(0, bad.waiting(), "seed " + seed);
      world.runFor(20 * MILLISECOND);
      long told = world.events.stream().filter(World::isOutcome).count();
      assertEquals(10, told, "seed " + seed);
      world.assertWorks(healthy, seed);
    }
    assertTrue(broken > SEEDS / 4 && broken < SEEDS, "broken " + broken);
  }

  /** Two nodes, and a third host. */
  private static final class World {
    final SimWorld world;
    final SimulatedNetwork network;
    final List<String> events = new ArrayList<>();
    final TestNode one;
    final TestNode two;

    World(long seed) {
      world = new SimWorld(seed);
      network = new SimulatedNetwork(seed, world.clock(), world.scheduler("wire"));
      one = new TestNode(1, world, network, events, Options.DEFAULT).listen();
      two = new TestNode(2, world, network, events, Options.DEFAULT).listen();
      two.echoes = true;
    }

    Network hostOfPeer() {
      return network.host(TestNode.address(3).getAddress(), List.of(world.scheduler("peer")));
    }

    void runFor(long nanos) {
      world.runFor(nanos);
    }

    Link connect() {
      one.run(0, () -> one.want(two));
      runFor(5 * MILLISECOND);
      events.clear();
      return one.want(two);
    }

    static boolean isOutcome(String event) {
      return event.startsWith("n1: reply")
          || event.startsWith("n1: refusal")
          || event.startsWith("n1: broken");
    }

    void assertWorks(Link healthy, int seed) {
      events.clear();
      one.run(0, () -> one.send(healthy, "hello", one.new Replies(), 77));
      runFor(10 * MILLISECOND);
      assertTrue(events.contains("n1: reply to 77: hello"), () -> "seed " + seed + events);
      assertEquals(1, healthy.counts().connections());
    }
  }

  /** The third host, which speaks the protocol almost correctly. */
  private static final class Peer implements StreamHandler {
    private final SimRandomness random;
    final List<Long> ids = new ArrayList<>();
    private @Nullable ByteStream stream;
    @Nullable String closed;

    Peer(SimRandomness random) {
      this.random = random;
    }

    private void write(ByteWriter out) {
      if (stream != null) {
        stream.write(out.segment(), 0, out.size());
        stream.flush();
      }
    }

    void handshake() {
      ByteWriter body = new ByteWriter(64);
      new Handshake(1, 1, 1, 0, TestNode.identity(3, Options.DEFAULT)).write(body);
      write(stream(List.of(body.toArray())));
    }

    void answer() {
      ByteWriter body = new ByteWriter(64);
      new Handshake.Answer(1, 1, 0, TestNode.identity(3, Options.DEFAULT), "").write(body);
      write(stream(List.of(body.toArray())));
    }

    void send(byte[] body) {
      ByteWriter out = new ByteWriter(64);
      envelope(out, body);
      write(out);
    }

    private ByteWriter frame() {
      return new ByteWriter(64).putLong(random.nextLong()).putLong(7).putLong(8);
    }

    byte[] requests() {
      ByteWriter out = frame();
      int count = random.below(4);
      for (int i = 0; i < count; i++) {
        int length = random.below(30);
        out.putLong(random.below(3)).putByte(random.below(256)).putInt(1_000_000);
        out.putLong(3).putInt(length);
        out.reserve(length);
      }
      return out.toArray();
    }

    byte[] replies() {
      ByteWriter out = frame();
      int count = random.below(4);
      for (int i = 0; i < count; i++) {
        long id = random.percent(80) ? ids.get(random.below(ids.size())) : random.nextLong();
        int length = random.below(30);
        switch (random.below(3)) {
          case 0 -> out.putByte(ReplyReader.ACKNOWLEDGEMENTS).putInt(1).putLong(id);
          case 1 -> {
            out.putByte(ReplyReader.REPLY).putLong(id).putInt(length);
            out.reserve(length);
          }
          default -> {
            out.putByte(ReplyReader.REFUSAL).putLong(id).putByte(5).putShort(length);
            out.reserve(length);
          }
        }
      }
      return out.toArray();
    }

    byte[] changed(byte[] body) {
      byte[] changed = body.clone();
      if (random.percent(30)) {
        return Arrays.copyOf(changed, random.below(changed.length));
      }
      int at = random.percent(50) ? random.below(changed.length) : changed.length - 1;
      changed[at] ^= (byte) (1 << random.below(8));
      return changed;
    }

    @Override
    public void connected(ByteStream opened) {
      stream = opened;
    }

    @Override
    public void received(MemorySegment bytes, int length) {
      // what the node sends is of no interest
    }

    @Override
    public void drained() {
      // nothing waits
    }

    @Override
    public void closed(String reason) {
      closed = reason;
    }
  }
}
