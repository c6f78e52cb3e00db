package io.helenus.server.internode;

import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.memory.LargeSegments;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node of tests with links only. What happens goes into a transcript; requests are collected, and
 * answered by the test or at once.
 */
final class TestNode {
  static final int PORT = 7000;
  static final UUID CLUSTER = new UUID(0xC1, 0xC1);

  /** A request that was received. */
  record Request(
      InboundLink link, long id, byte kind, long epoch, long remainingNanos, String body) {}

  final UUID hostId;
  final InetSocketAddress address;
  final LinkEnvironment environment;
  final List<Shard> shards = new ArrayList<>();
  final List<Links> links = new ArrayList<>();
  final Inbound inbound;
  final List<Request> requests = new ArrayList<>();
  final List<String> events;
  final List<Long> timestamps = new ArrayList<>();
  boolean echoes;
  boolean closes;
  @Nullable String refusal;
  long lastTimestamp = 5;
  long epoch = 7;
  private final String name;
  private @Nullable Closeable listener;

  /** What differs between the nodes of a test. */
  record Options(int host, long life, int shards, LinkSettings settings, String clusterName) {
    static final Options DEFAULT = new Options(0, 1, 1, LinkSettings.DEFAULT, "test");

    /** A node that is another host than its address says. */
    Options host(int number) {
      return new Options(number, life, shards, settings, clusterName);
    }

    Options life(long newLife) {
      return new Options(host, newLife, shards, settings, clusterName);
    }

    Options shards(int count) {
      return new Options(host, life, count, settings, clusterName);
    }

    Options settings(LinkSettings newSettings) {
      return new Options(host, life, shards, newSettings, clusterName);
    }

    Options clusterName(String newName) {
      return new Options(host, life, shards, settings, newName);
    }
  }

  TestNode(
      int number, SimWorld world, SimulatedNetwork network, List<String> events, Options options) {
    name = "n" + number;
    hostId = hostId(options.host() == 0 ? number : options.host());
    address = address(number);
    this.events = events;
    List<Scheduler> loops = new ArrayList<>();
    for (int i = 0; i < options.shards(); i++) {
      loops.add(world.scheduler(name + "-" + i));
      shards.add(new Shard(i, loops.get(i), world.clock(), TestNode::fail));
    }
    NodeIdentity self = identity(number, options);
    environment =
        new LinkEnvironment(
            network.host(address.getAddress(), loops),
            world.clock(),
            world.randomness().split(),
            new LargeSegments(),
            options.settings(),
            () -> self,
            1,
            this::check,
            () -> lastTimestamp,
            timestamps::add,
            () -> epoch);
    shards.forEach(shard -> links.add(new Links(shard, environment, new Listener())));
    inbound = new Inbound(environment, shards, shards.stream().map(s -> new Receiver()).toList());
  }

  private static void fail(Throwable e) {
    throw new AssertionError("the node was halted", e);
  }

  static UUID hostId(int number) {
    return new UUID(0xA, number);
  }

  static InetSocketAddress address(int number) {
    try {
      byte[] ip = {10, 0, 0, (byte) number};
      return new InetSocketAddress(InetAddress.getByAddress(ip), PORT);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  static NodeIdentity identity(int number, Options options) {
    InetSocketAddress address = address(number);
    return new NodeIdentity(
        CLUSTER,
        options.clusterName(),
        hostId(options.host() == 0 ? number : options.host()),
        options.life(),
        options.shards(),
        options.settings().maxMessageBytes(),
        address,
        new InetSocketAddress(address.getAddress(), 9042));
  }

  private @Nullable String check(NodeIdentity peer) {
    return peer.clusterName().equals("test")
        ? refusal
        : "not of cluster test: " + peer.clusterName();
  }

  TestNode listen() {
    try {
      listener = inbound.listen(address);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  void stopListening() {
    try {
      if (listener != null) {
        listener.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a task as a shard would. */
  void run(int shard, Runnable task) {
    shards.get(shard).execute(task);
  }

  /** The link of the first shard to a node, dialled. */
  Link want(TestNode other) {
    return links.getFirst().want(other.hostId, other.address);
  }

  long send(Link link, String body, ReplyHandler handler, int tag) {
    return send(link, body, 1_000_000_000L, handler, tag);
  }

  long send(Link link, String body, long remainingNanos, ReplyHandler handler, int tag) {
    var out = link.begin((byte) 9, epoch, remainingNanos);
    if (out == null) {
      return Link.NOT_SENT;
    }
    out.putBytes(body.getBytes(StandardCharsets.UTF_8));
    return link.end(handler, tag);
  }

  private void event(String text) {
    events.add(name + ": " + text);
  }

  static String text(MemorySegment bytes, long offset, int length) {
    return new String(Bytes.toArray(bytes, offset, length), StandardCharsets.UTF_8);
  }

  /** Writes replies to the transcript. */
  final class Replies implements ReplyHandler {
    @Override
    public void replied(int tag, MemorySegment body, long offset, int length) {
      event("reply to " + tag + ": " + text(body, offset, length));
    }

    @Override
    public void failed(int tag, byte code, String text) {
      event("refusal of " + tag + ": " + code + " " + text);
    }

    @Override
    public void broken(int tag) {
      event("broken: " + tag);
    }
  }

  private final class Listener implements LinkListener {
    @Override
    public void up(Link link, NodeIdentity peer) {
      event("up " + peer.hostId().getLeastSignificantBits());
    }

    @Override
    public void down(Link link, NodeIdentity peer, String reason) {
      event("down " + peer.hostId().getLeastSignificantBits() + ": " + reason);
    }

    @Override
    public void failed(Link link, @Nullable NodeIdentity peer, String reason) {
      event("failed " + link.address().getAddress().getHostAddress() + ": " + reason);
    }

    @Override
    public void heard(UUID host, long heardEpoch) {
      // too often for a transcript
    }
  }

  private final class Receiver implements RequestReceiver {
    @Override
    public void received(
        InboundLink link,
        long id,
        byte kind,
        long requestEpoch,
        long remainingNanos,
        MemorySegment body,
        long offset,
        int length) {
      requests.add(
          new Request(link, id, kind, requestEpoch, remainingNanos, text(body, offset, length)));
      if (closes) {
        link.close("the receiver does not want it");
      }
      if (echoes && id != 0) {
        link.reply(id, body, offset, length);
      }
    }

    @Override
    public void opened(InboundLink link, NodeIdentity peer) {
      event("opened by " + peer.hostId().getLeastSignificantBits());
    }

    @Override
    public void closed(InboundLink link, NodeIdentity peer, String reason) {
      event("closed by " + peer.hostId().getLeastSignificantBits() + ": " + reason);
    }

    @Override
    public void heard(UUID host, long heardEpoch) {
      // too often for a transcript
    }
  }
}
