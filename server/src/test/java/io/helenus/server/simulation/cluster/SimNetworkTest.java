package io.helenus.server.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.internode.ByteStream;
import io.helenus.server.internode.Network;
import io.helenus.server.internode.StreamHandler;
import io.helenus.storage.env.sim.SimRandomness;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the streams of a simulated network promise, and what faults do to them. */
class SimNetworkTest {
  private static final long SECOND = 1_000_000_000L;

  private final SimTime time = new SimTime();
  private final SimNetwork network = new SimNetwork(time, 1, 2);
  private final HostLife[] lives = new HostLife[2];
  private final Network[] views = new Network[2];
  private final List<End> accepted = new ArrayList<>();

  SimNetworkTest() {
    for (int host = 0; host < 2; host++) {
      network.address(host, address(host));
      start(host);
    }
  }

  private static InetSocketAddress address(int host) {
    try {
      byte[] bytes = {10, 0, 0, (byte) (host + 1)};
      return new InetSocketAddress(InetAddress.getByAddress(bytes), 7000);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private void start(int host) {
    HostClock clock = new HostClock(time, 0, 0, 0);
    lives[host] =
        new HostLife(
            time,
            clock,
            new SimRandomness(host),
            "node " + host,
            2,
            () -> {
              throw new AssertionError("no disk");
            });
    views[host] = network.of(host, lives[host]);
  }

  private Closeable listen(int host) throws IOException {
    return views[host].listen(
        address(host),
        loop -> {
          End end = new End(lives[host].loops().get(loop));
          accepted.add(end);
          return end;
        });
  }

  private End connect(int from, int to) {
    End end = new End(lives[from].loops().getFirst());
    views[from].connect(0, address(to), end);
    return end;
  }

  /** Records what happens to one end of a stream. */
  private static final class End implements StreamHandler {
    private final HostLife.Loop loop;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private int portions;
    private int drained;
    private @Nullable ByteStream stream;
    private @Nullable String closed;

    End(HostLife.Loop loop) {
      this.loop = loop;
    }

    private ByteStream stream() {
      ByteStream open = stream;
      if (open == null) {
        throw new AssertionError("not connected");
      }
      return open;
    }

    void send(byte[] bytes) {
      loop.execute(
          () -> {
            stream().write(MemorySegment.ofArray(bytes), 0, bytes.length);
            stream().flush();
          });
    }

    void close() {
      loop.execute(() -> stream().close());
    }

    @Override
    public void connected(ByteStream opened) {
      assertTrue(loop.isRunning() && stream == null && closed == null);
      stream = opened;
    }

    @Override
    public void received(MemorySegment bytes, int length) {
      assertTrue(loop.isRunning() && stream != null && closed == null);
      portions++;
      received.writeBytes(bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void drained() {
      drained++;
    }

    @Override
    public void closed(String reason) {
      assertTrue(loop.isRunning() && closed == null);
      closed = reason;
    }
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i * 7 + i / 256);
    }
    return bytes;
  }

  @Test
  void bytesArriveInOrderAndOncePortionByPortion() throws IOException {
    Closeable unused = listen(1);
    End near = connect(0, 1);
    time.runFor(SECOND);
    byte[] sent = bytes(300_000);
    near.send(sent);
    time.runFor(10 * SECOND);
    End far = accepted.getFirst();
    assertTrue(Arrays.equals(sent, far.received.toByteArray()));
    assertTrue(far.portions > 300_000 / SimStream.PORTION_LIMIT);
    assertEquals(address(1), near.stream().remote());
  }

  @Test
  void aSideThatDoesNotReadBoundsWhatTheOtherHandsOver() throws IOException {
    Closeable unused = listen(1);
    End near = connect(0, 1);
    time.runFor(SECOND);
    lives[1].pause();
    near.send(bytes(1 << 20));
    time.runFor(10 * SECOND);
    long[] pending = new long[1];
    near.loop.execute(() -> pending[0] = near.stream().pendingBytes());
    time.runFor(SECOND);
    assertTrue(pending[0] >= (1 << 20) - (256 << 10), pending[0] + " bytes");
    assertEquals(0, near.drained);
    lives[1].resume();
    time.runFor(60 * SECOND);
    assertEquals(1 << 20, accepted.getFirst().received.size());
    assertEquals(1, near.drained);
  }

  @Test
  void aCutDelaysOneWayOnly() throws IOException {
    Closeable unused = listen(1);
    End near = connect(0, 1);
    time.runFor(SECOND);
    End far = accepted.getFirst();
    network.path(0, 1).cut();
    near.send(bytes(10));
    far.send(bytes(20));
    time.runFor(30 * SECOND);
    assertEquals(0, far.received.size());
    assertEquals(20, near.received.size());
    network.path(0, 1).heal();
    time.runFor(SECOND);
    assertEquals(10, far.received.size());
  }

  @Test
  void aConnectionIsRefusedOrTimesOut() throws IOException {
    End refused = connect(0, 1);
    time.runFor(SECOND);
    assertEquals("Connection refused", refused.closed);
    Closeable listener = listen(1);
    network.path(1, 0).cut();
    End late = connect(0, 1);
    time.runFor(SimNetwork.CONNECT_NANOS + SECOND);
    assertEquals("connection timed out", late.closed);
    network.path(1, 0).heal();
    listener.close();
    End refusedAgain = connect(0, 1);
    time.runFor(SECOND);
    assertEquals("Connection refused", refusedAgain.closed);
  }

  @Test
  void anAddressIsOfOneMachineAndForOneListener() throws IOException {
    Closeable unused = listen(1);
    assertThrows(IOException.class, () -> listen(1));
    assertThrows(
        IOException.class,
        () -> views[0].listen(address(1), loop -> new End(lives[0].loops().get(loop))));
  }

  @Test
  void whoCloses() throws IOException {
    Closeable unused = listen(1);
    End near = connect(0, 1);
    time.runFor(SECOND);
    near.send(bytes(10));
    near.close();
    time.runFor(SECOND);
    End far = accepted.getFirst();
    assertEquals("closed", near.closed);
    assertEquals("closed by the other side", far.closed);
    assertEquals(10, far.received.size());
    assertEquals(0, network.openStreams());
  }

  @Test
  void aKilledProcessClosesItsStreams() throws IOException {
    Closeable unused = listen(1);
    End near = connect(0, 1);
    time.runFor(SECOND);
    lives[1].die(false);
    network.died(1, lives[1], false);
    time.runFor(SECOND);
    assertEquals("Connection reset by peer", near.closed);
    assertEquals(0, network.openStreams());
  }

  @Test
  void aMachineWithoutPowerSaysNothingUntilItIsBack() throws IOException {
    Closeable unused = listen(1);
    End near = connect(0, 1);
    time.runFor(SECOND);
    lives[1].die(true);
    network.died(1, lives[1], true);
    near.send(bytes(10));
    time.runFor(10 * SECOND);
    assertEquals(null, near.closed);
    lives[1].machineBooted();
    network.booted(1, lives[1]);
    time.runFor(SECOND);
    assertEquals("Connection reset by peer", near.closed);
  }

  @Test
  void theOtherSideOfAHalfOpenStreamLearnsItWhenItSends() throws IOException {
    Closeable unused = listen(1);
    End near = connect(0, 1);
    time.runFor(SECOND);
    End far = accepted.getFirst();
    assertTrue(network.breakStream(lives[0], new SimRandomness(1), true));
    time.runFor(10 * SECOND);
    assertEquals("Connection reset by peer", near.closed);
    assertEquals(null, far.closed);
    far.send(bytes(1));
    time.runFor(SECOND);
    assertEquals("Connection reset by peer", far.closed);
    assertFalse(network.breakStream(lives[0], new SimRandomness(1), true));
  }

  @Test
  void aBreakLosesWhatIsUnderWay() throws IOException {
    Closeable unused = listen(1);
    End near = connect(0, 1);
    time.runFor(SECOND);
    End far = accepted.getFirst();
    network.path(0, 1).stall(SECOND);
    near.send(bytes(10));
    time.runFor(SECOND / 2);
    network.breakStreams(lives[0]);
    time.runFor(10 * SECOND);
    assertEquals("Connection reset by peer", near.closed);
    assertEquals("Connection reset by peer", far.closed);
    assertEquals(0, far.received.size());
  }

  @Test
  void aStreamIsUsedOnItsEventLoopOnly() throws IOException {
    Closeable unused = listen(1);
    End near = connect(0, 1);
    time.runFor(SECOND);
    assertThrows(AssertionError.class, () -> near.stream().flush());
  }
}
