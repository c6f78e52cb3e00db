package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.internode.ByteStream;
import io.helenus.server.internode.Inbound;
import io.helenus.server.internode.InboundLink;
import io.helenus.server.internode.Link;
import io.helenus.server.internode.LinkEnvironment;
import io.helenus.server.internode.LinkListener;
import io.helenus.server.internode.LinkSettings;
import io.helenus.server.internode.Links;
import io.helenus.server.internode.NodeIdentity;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.server.internode.RequestReceiver;
import io.helenus.server.internode.StreamHandler;
import io.helenus.server.shard.Shard;
import io.helenus.server.transport.EventLoops;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.SystemClock;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.memory.LargeSegments;
import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Links over real sockets. */
@Timeout(120)
class SocketNetworkTest {
  private static final long SECOND = 1_000_000_000;

  private final List<ProcessOfTest> processes = new ArrayList<>();

  @AfterEach
  void stop() {
    processes.forEach(ProcessOfTest::stop);
  }

  private ProcessOfTest process(int number) throws IOException {
    ProcessOfTest process = new ProcessOfTest(number);
    processes.add(process);
    return process;
  }

  /** Two event loops with their links. What happens to them is queued as text. */
  private static final class ProcessOfTest implements LinkListener, RequestReceiver {
    final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    final UUID hostId;
    final InetSocketAddress address;
    final SocketNetwork network;
    final List<Shard> shards = new ArrayList<>();
    final List<Links> links = new ArrayList<>();
    final Inbound inbound;
    private final MultiThreadIoEventLoopGroup group;
    private final List<Throwable> halts = new ArrayList<>();
    private @Nullable Closeable listener;

    ProcessOfTest(int number) throws IOException {
      hostId = new UUID(0, number);
      group = EventLoops.create(2, task -> new Thread(task, "loop-of-" + number));
      List<IoEventLoop> loops = new ArrayList<>();
      group.forEach(loop -> loops.add((IoEventLoop) loop));
      network = new SocketNetwork(loops, halts::add);
      address = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next());
      SystemClock clock = new SystemClock();
      NodeIdentity self =
          new NodeIdentity(
              NodeIdentity.NO_CLUSTER, "test", hostId, 1, 2, 17 << 20, address, address);
      LinkEnvironment environment =
          new LinkEnvironment(
              network,
              clock,
              new SimRandomness(number),
              new LargeSegments(),
              LinkSettings.DEFAULT,
              () -> self,
              1,
              peer -> null,
              () -> 1,
              timestamp -> {},
              () -> 1);
      for (int i = 0; i < loops.size(); i++) {
        Shard shard = new Shard(i, new LoopScheduler(loops.get(i), clock), clock, halts::add);
        shards.add(shard);
        links.add(new Links(shard, environment, this));
      }
      inbound = new Inbound(environment, shards, List.of(this, this));
    }

    ProcessOfTest listen() throws IOException {
      listener = inbound.listen(address);
      return this;
    }

    void stop() {
      try {
        if (listener != null) {
          listener.close();
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
      assertEquals(List.of(), halts);
    }

    void expect(String event) throws InterruptedException {
      assertEquals(event, events.poll(30, TimeUnit.SECONDS));
    }

    @Override
    public void up(Link link, NodeIdentity peer) {
      events.add("up");
    }

    @Override
    public void down(Link link, NodeIdentity peer, String reason) {
      events.add("down");
    }

    @Override
    public void failed(Link link, @Nullable NodeIdentity peer, String reason) {
      events.add("failed: " + reason.replaceAll(":.*", ""));
    }

    @Override
    public void heard(UUID host, long epoch) {
      // frames are not of interest
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
      if (length == 0) {
        link.acknowledge(id);
      } else {
        link.reply(id, body, offset, length);
      }
    }

    @Override
    public void opened(InboundLink link, NodeIdentity peer) {
      events.add("opened");
    }

    @Override
    public void closed(InboundLink link, NodeIdentity peer, String reason) {
      events.add("closed");
    }
  }

  @Test
  void repliesOfAnySizeComeBack() throws Exception {
    ProcessOfTest one = process(1);
    ProcessOfTest two = process(2).listen();
    CountDownLatch left = new CountDownLatch(2 * (1_000 + 3));
    AtomicLong bytes = new AtomicLong();
    for (int i = 0; i < 2; i++) {
      int shard = i;
      one.shards.get(shard).execute(() -> one.links.get(shard).want(two.hostId, two.address));
      one.expect("up");
      two.expect("opened");
      one.shards.get(shard).execute(() -> sendAll(one.links.get(shard), two, left, bytes));
    }
    assertTrue(left.await(60, TimeUnit.SECONDS), () -> left.getCount() + " replies are missing");
    assertEquals(2 * (999 * 1_000 / 2 + (3 << 20) + 65_536 + 1), bytes.get());
  }

  private static void sendAll(
      Links links, ProcessOfTest to, CountDownLatch left, AtomicLong bytes) {
    ReplyHandler handler =
        new ReplyHandler() {
          @Override
          public void replied(int tag, MemorySegment body, long offset, int length) {
            for (int i = 0; i < length; i += 997) {
              assertEquals((byte) i, Bytes.getByte(body, offset + i));
            }
            assertEquals(tag, length);
            bytes.addAndGet(length);
            left.countDown();
          }

          @Override
          public void failed(int tag, byte code, String text) {
            throw new AssertionError(text);
          }

          @Override
          public void broken(int tag) {
            throw new AssertionError("broken");
          }
        };
    ByteWriter body = new ByteWriter(3 << 20);
    for (int i = 0; i < 3 << 20; i++) {
      body.putByte(i);
    }
    Link link = links.want(to.hostId, to.address);
    for (int i = 0; i < 1_000; i++) {
      send(link, body, i, handler);
    }
    send(link, body, 3 << 20, handler);
    send(link, body, 65_536, handler);
    send(link, body, 1, handler);
  }

  private static void send(Link link, ByteWriter body, int length, ReplyHandler handler) {
    assertNotEquals(
        Link.NOT_SENT,
        link.send((byte) 1, 1, 60 * SECOND, body.segment(), 0, length, handler, length));
  }

  @Test
  void aLinkComesUpOnceThePeerListensAndGoesDownWithIt() throws Exception {
    ProcessOfTest one = process(1);
    ProcessOfTest two = process(2);
    one.shards.getFirst().execute(() -> one.links.getFirst().want(two.hostId, two.address));
    String first = one.events.poll(30, TimeUnit.SECONDS);
    assertTrue(first != null && first.startsWith("failed: "), first);
    two.listen();
    two.expect("opened");
    String next = one.events.poll(30, TimeUnit.SECONDS);
    while (next != null && next.startsWith("failed: ")) {
      next = one.events.poll(30, TimeUnit.SECONDS);
    }
    assertEquals("up", next);
    two.inbound.closeAll("the test ends");
    two.expect("closed");
    one.expect("down");
    one.expect("up");
  }

  /** A stream to a socket that is read only when the test says so. */
  @Test
  void whatWaitsIsReportedUntilTheSystemHasTakenIt() throws Exception {
    ProcessOfTest one = process(1);
    int length = 64 << 20;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Waiting waiting = new Waiting(length);
      one.network.connect(0, (InetSocketAddress) server.getLocalSocketAddress(), waiting);
      try (Socket socket = server.accept()) {
        assertTrue(waiting.written.await(30, TimeUnit.SECONDS));
        assertTrue(waiting.pending.get() > 0 && waiting.pending.get() <= length + 1_000);
        assertFalse(waiting.drained.get());
        InputStream in = socket.getInputStream();
        assertEquals(length, in.readNBytes(length).length);
        assertTrue(waiting.empty.await(30, TimeUnit.SECONDS));
        assertEquals(0, waiting.pending.get());
        one.shards.getFirst().execute(waiting::close);
        assertEquals(-1, in.read());
        assertTrue(waiting.ended.await(30, TimeUnit.SECONDS));
      }
    }
  }

  private static final class Waiting implements StreamHandler {
    final int length;
    final AtomicLong pending = new AtomicLong();
    final AtomicBoolean drained = new AtomicBoolean();
    final CountDownLatch written = new CountDownLatch(1);
    final CountDownLatch empty = new CountDownLatch(1);
    final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable ByteStream stream;

    Waiting(int length) {
      this.length = length;
    }

    @Override
    public void connected(ByteStream opened) {
      stream = opened;
      ByteWriter bytes = new ByteWriter(1 << 20);
      for (int i = 0; i < length; i += 1 << 20) {
        opened.write(bytes.segment(), 0, 1 << 20);
      }
      opened.flush();
      pending.set(opened.pendingBytes());
      written.countDown();
    }

    void close() {
      if (stream != null) {
        stream.close();
      }
    }

    @Override
    public void received(MemorySegment bytes, int received) {
      throw new AssertionError("nothing is sent to it");
    }

    @Override
    public void drained() {
      drained.set(true);
      if (stream != null) {
        pending.set(stream.pendingBytes());
      }
      empty.countDown();
    }

    @Override
    public void closed(String reason) {
      ended.countDown();
    }
  }
}
