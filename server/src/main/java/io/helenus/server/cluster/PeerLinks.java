package io.helenus.server.cluster;

import io.helenus.server.internode.Inbound;
import io.helenus.server.internode.InboundLink;
import io.helenus.server.internode.Link;
import io.helenus.server.internode.LinkCounts;
import io.helenus.server.internode.LinkEnvironment;
import io.helenus.server.internode.LinkListener;
import io.helenus.server.internode.Links;
import io.helenus.server.internode.NodeIdentity;
import io.helenus.server.internode.RequestReceiver;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The links between this node and others: from each shard one to each node that was met, and those
 * that others have opened. What concerns the whole node is passed on to its first shard, the home
 * of metadata and membership; requests of replicas stay on the shard where they arrive. On the
 * first shard's thread, unless stated otherwise.
 */
public final class PeerLinks {
  /** With how many nodes that are no members this node talks. */
  private static final int STRANGERS_LIMIT = 64;

  /** Learns what concerns the whole node. On the first shard's thread. */
  public interface Home {
    /**
     * A link to a node is open.
     *
     * @param ofHome whether it is that of the first shard, which carries the messages of nodes
     */
    void connected(NodeIdentity peer, boolean ofHome);

    /** A link to a node is closed, which was open. */
    void broken(NodeIdentity peer, String reason);

    /** A link to an address, of whoever is there, is open. */
    void reached(Link link, NodeIdentity peer);

    /** A link to an address could not be opened, or is closed; null if nobody answered. */
    void notReached(Link link, @Nullable NodeIdentity peer, String reason);

    /** A link of the first shard to a node could not be opened; it is dialled again. */
    void notConnected(UUID host);

    /** A node has applied more entries of the metadata log than this one, up to an index. */
    void ahead(UUID host, long index);

    /** A node has opened a link to this one. */
    void opened(NodeIdentity peer);

    /**
     * A message for the whole node.
     *
     * @param reply takes the reply; ignored for messages that ask for none
     */
    void received(UUID host, byte kind, byte[] body, Reply reply);
  }

  /** Takes the reply to a message. On the first shard's thread. */
  @FunctionalInterface
  public interface Reply {
    /** Replies with bytes. */
    void with(byte[] body);
  }

  /** Learns of the links of a shard to members, on its thread. */
  @FunctionalInterface
  public interface LinkUser {
    /** The shard has a link to a member, which is dialled whenever it is down. */
    void linked(int shard, Member member, Link link);
  }

  private final List<Shard> shards;
  private final Shard home;
  private final Members members;
  private final LinkUser user;
  private final List<Links> links = new ArrayList<>();
  private final List<Receiver> receivers = new ArrayList<>();
  private final Inbound inbound;
  private final Map<UUID, InetSocketAddress> wanted = new LinkedHashMap<>();
  private final LongSupplier applied;

  /** By shard, up to which entry others are known to be ahead: once is enough for each. */
  private final long[] aheadReported;

  private @Nullable Home listener;

  /**
   * Creates the links; none is open. To be called before the first task of the shards.
   *
   * @param members the nodes that are met become members here
   * @param user is given the links to members
   */
  public PeerLinks(
      List<Shard> shards, LinkEnvironment environment, Members members, LinkUser user) {
    this.shards = List.copyOf(shards);
    this.home = this.shards.getFirst();
    this.members = members;
    this.user = user;
    this.applied = environment.epoch();
    this.aheadReported = new long[shards.size()];
    for (Shard shard : this.shards) {
      links.add(new Links(shard, environment, new Listener(shard)));
      receivers.add(new Receiver(shard));
    }
    inbound = new Inbound(environment, this.shards, receivers);
  }

  /** Begins: what happens is reported from now on. */
  public void listen(Home to) {
    listener = to;
  }

  /**
   * Takes links on an address until the result is closed. Any thread.
   *
   * @throws IOException if the address cannot be used; the message says why
   */
  public Closeable accept(InetSocketAddress address) throws IOException {
    return inbound.listen(address);
  }

  /** Gives the requests of other nodes to the replica. On the thread of the shard. */
  public void serve(Shard shard, RequestReceiver requests) {
    receivers.get(shard.index()).requests = requests;
  }

  /** Opens links from all shards to a node, and keeps them open; changes the address if it has. */
  public void connect(UUID host, InetSocketAddress address) {
    if (host.equals(members.local().hostId()) || address.equals(wanted.put(host, address))) {
      return;
    }
    Member member = members.of(host);
    for (Shard shard : shards) {
      home.send(
          shard,
          () -> {
            Link link = links.get(shard.index()).want(host, address);
            user.linked(shard.index(), member, link);
          });
    }
  }

  /** Opens a link to whoever is at an address; the outcome is reported. */
  public Link dial(InetSocketAddress address) {
    return links.getFirst().want(address);
  }

  /** Closes a link that was dialled. */
  public void hangUp(Link link) {
    links.getFirst().close(link);
  }

  /** The first shard's link to a node; null if none is wanted. */
  public @Nullable Link link(UUID host) {
    return links.getFirst().get(host);
  }

  /** What the links of a shard have done, outgoing ones first. On the shard's thread. */
  public List<LinkCounts> counts(Shard shard) {
    return List.of(links.get(shard.index()).counts(), inbound.counts(shard));
  }

  /** Closes all links. */
  public void close(String reason) {
    for (Shard shard : shards) {
      shard.execute(links.get(shard.index())::closeAll);
    }
    inbound.closeAll(reason);
  }

  private void atHome(Shard from, Consumer<Home> event) {
    from.send(
        home,
        () -> {
          Home known = listener;
          if (known != null) {
            event.accept(known);
          }
        });
  }

  private void heard(Shard shard, UUID host, long epoch) {
    Member member = members.known(host);
    if (member != null) {
      member.heard(shard.nanos());
    }
    if (epoch > applied.getAsLong() && epoch > aheadReported[shard.index()]) {
      aheadReported[shard.index()] = epoch;
      atHome(shard, to -> to.ahead(host, epoch));
    }
  }

  /** A node that has opened links is answered on links of our own. */
  private void opened(NodeIdentity peer) {
    UUID host = peer.hostId();
    boolean known = wanted.containsKey(host);
    if (known || wanted.size() < STRANGERS_LIMIT) {
      connect(host, peer.broadcast());
    }
    if (known) {
      for (Shard shard : shards) {
        home.send(shard, () -> links.get(shard.index()).dialNow(host));
      }
    }
  }

  /** Reports what happens to the links of a shard. */
  private final class Listener implements LinkListener {
    private final Shard shard;

    Listener(Shard shard) {
      this.shard = shard;
    }

    @Override
    public void up(Link link, NodeIdentity peer) {
      if (link.expected() == null) {
        atHome(shard, to -> to.reached(link, peer));
      } else {
        members.of(peer.hostId()).heard(shard.nanos());
        atHome(shard, to -> to.connected(peer, shard == home));
      }
    }

    @Override
    public void down(Link link, NodeIdentity peer, String reason) {
      if (link.expected() == null) {
        atHome(shard, to -> to.notReached(link, peer, reason));
      } else {
        atHome(shard, to -> to.broken(peer, reason));
      }
    }

    @Override
    public void failed(Link link, @Nullable NodeIdentity peer, String reason) {
      UUID expected = link.expected();
      if (expected == null) {
        atHome(shard, to -> to.notReached(link, peer, reason));
      } else if (shard == home) {
        atHome(shard, to -> to.notConnected(expected));
      }
    }

    @Override
    public void heard(UUID hostId, long epoch) {
      PeerLinks.this.heard(shard, hostId, epoch);
    }
  }

  /** Receives what others ask of a shard. */
  private final class Receiver implements RequestReceiver {
    private final Shard shard;
    private @Nullable RequestReceiver requests;

    Receiver(Shard shard) {
      this.shard = shard;
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
      if (MessageKind.isForNode(kind)) {
        UUID host = link.peer().hostId();
        byte[] copy = Bytes.toArray(body, offset, length);
        Reply reply =
            answer ->
                home.send(
                    shard,
                    () -> {
                      ByteWriter bytes = new ByteWriter(answer.length).putBytes(answer);
                      link.reply(id, bytes.segment(), 0, bytes.size());
                    });
        atHome(shard, to -> to.received(host, kind, copy, reply));
        return;
      }
      RequestReceiver ready = requests;
      if (ready != null) {
        ready.received(link, id, kind, epoch, remainingNanos, body, offset, length);
      }
      // otherwise this node is starting: whoever asks has not been told that it is up
    }

    @Override
    public void opened(InboundLink link, NodeIdentity peer) {
      atHome(
          shard,
          to -> {
            PeerLinks.this.opened(peer);
            to.opened(peer);
          });
    }

    @Override
    public void closed(InboundLink link, NodeIdentity peer, String reason) {
      // our own link to the node breaks too, and is reported
    }

    @Override
    public void heard(UUID hostId, long epoch) {
      PeerLinks.this.heard(shard, hostId, epoch);
    }
  }
}
