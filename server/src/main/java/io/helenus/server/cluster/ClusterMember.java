package io.helenus.server.cluster;

import io.helenus.server.internode.Link;
import io.helenus.server.internode.LinkCounts;
import io.helenus.server.internode.LinkEnvironment;
import io.helenus.server.internode.NodeIdentity;
import io.helenus.server.internode.RequestReceiver;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Scheduler.Timer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * This node's part in a cluster of several: it finds the others, keeps links to them, knows who
 * answers, and carries the messages of the metadata log. Built before the node serves anything;
 * {@link #form} then makes it a member. On the thread of the first shard, unless stated otherwise.
 */
public final class ClusterMember implements PeerLinks.Home, FormingRun.Outcome {
  /** How long a message of the metadata log, or a report, is worth sending. */
  private static final long METADATA_NANOS = 10_000_000_000L;

  /** How long a member that starts again waits for others before it serves with what it has. */
  private static final long RESUME_NANOS = 1_000_000_000L;

  private static final int UNREAD_LIMIT = 1_000;

  /**
   * What a node is configured as.
   *
   * @param listen where it takes links
   * @param self what it says about itself, without a cluster
   * @param dataCenter its data centre
   * @param seeds as they were given, at least one
   * @param phiThreshold {@code phi_convict_threshold}
   */
  public record Configuration(
      InetSocketAddress listen,
      NodeIdentity self,
      String dataCenter,
      List<Endpoint> seeds,
      double phiThreshold) {
    /** Copies the list. */
    public Configuration {
      seeds = List.copyOf(seeds);
    }
  }

  private final Configuration configuration;
  private final Shard home;
  private final MembershipLog log;
  private final PeerLinks links;
  private final Liveness liveness;
  private final FormingRun forming;
  private final AddressBook book;
  private final Consumer<? super RuntimeException> fatal;
  private final CompletableFuture<Void> formed = new CompletableFuture<>();
  private final Map<UUID, Integer> openLinks = new HashMap<>();
  private final int shards;
  private final List<Liveness.Listener> listeners = new ArrayList<>();
  private BiConsumer<UUID, byte[]> metadata = (host, message) -> {};
  private Consumer<UUID> reachable = host -> {};
  private @Nullable BiConsumer<UUID, byte[]> reports;

  /** The last report of each node that is not alive yet as far as this one knows. */
  private final Map<UUID, byte[]> unread = new HashMap<>();

  private boolean opened;
  private long controlMessages;
  private ObjLongConsumer<UUID> ahead = (host, index) -> {};
  private @Nullable Closeable accepting;

  /** What a member that starts again waits for; null if it is none. */
  private final @Nullable Resumption resumption;

  /** This node cannot be, or stay, a member; the message says why, and what to do. */
  public static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedException(String message) {
      super(message);
    }
  }

  /**
   * Builds it; nothing is dialled. To be called before the first task of the shards.
   *
   * @param environment the links' environment, but for whom this node is and whom it talks to
   * @param log the metadata log of this node
   * @param resolver looks up host names, off the event loops
   * @param user is given the links to members
   * @param fatal stops the node
   */
  public ClusterMember(
      Configuration configuration,
      List<Shard> shards,
      LinkEnvironment environment,
      Members members,
      MembershipLog log,
      Executor resolver,
      PeerLinks.LinkUser user,
      Consumer<? super RuntimeException> fatal) {
    this.configuration = configuration;
    this.home = shards.getFirst();
    this.log = log;
    this.shards = shards.size();
    this.fatal = fatal;
    NodeIdentity self = configuration.self();
    book = new AddressBook();
    boolean member = log.isMember(self.hostId());
    boolean begun = log.hasCluster();
    if (begun) {
      book.logged(log.members());
    }
    resumption = member ? new Resumption(others(log, self.hostId())) : null;
    Hello hello =
        new Hello(
            self.clusterName(),
            begun ? log.clusterId() : null,
            self.hostId(),
            self.life(),
            member ? Hello.Status.MEMBER : begun ? Hello.Status.JOINING : Hello.Status.EMPTY,
            "",
            configuration.dataCenter(),
            FormingRun.endpoint(self.broadcast()),
            FormingRun.endpoint(self.client()),
            Map.of());
    Forming machine =
        new Forming(
            hello,
            FormingRun.own(configuration.listen(), self.broadcast()),
            configuration.seeds(),
            book);
    LinkEnvironment named =
        new LinkEnvironment(
            environment.network(),
            environment.clock(),
            environment.randomness(),
            environment.memory(),
            environment.settings(),
            this::identity,
            environment.digestVersion(),
            this::refusal,
            environment.lastTimestamp(),
            environment.timestampHeard(),
            environment.epoch());
    links = new PeerLinks(shards, named, members, user);
    forming =
        new FormingRun(home, environment, links, machine, book, members, log, resolver, self, this);
    liveness =
        new Liveness(
            home,
            members,
            configuration.phiThreshold(),
            environment.settings().heartbeatNanos(),
            this::changed);
  }

  private static Set<UUID> others(MembershipLog log, UUID self) {
    Set<UUID> others = new HashSet<>(log.members().keySet());
    others.remove(self);
    return others;
  }

  private NodeIdentity identity() {
    return forming.identity();
  }

  private @Nullable String refusal(NodeIdentity peer) {
    return forming.check(peer);
  }

  /**
   * Is told of each node that is alive from now on, or is not; at once, of those that are. Any
   * thread.
   */
  public void listen(Liveness.Listener listener) {
    home.execute(
        () -> {
          listeners.add(listener);
          liveness.alive().forEach(host -> listener.changed(host, true));
        });
  }

  private void changed(UUID host, boolean alive) {
    listeners.forEach(each -> each.changed(host, alive));
    readReport(host);
  }

  /**
   * Reads what a node has reported when it is alive and all shards have a link to it: from then on
   * it is sent requests, and a shard whose link is not open yet could send it none.
   */
  private void readReport(UUID host) {
    if (!liveness.isAlive(host) || openLinks.getOrDefault(host, 0) < shards) {
      return;
    }
    BiConsumer<UUID, byte[]> receiver = reports;
    byte[] report = receiver == null ? null : unread.remove(host);
    if (receiver != null && report != null) {
      receiver.accept(host, report);
    }
  }

  /** Is given the messages of the metadata log, with the host that has sent them. */
  public void metadata(BiConsumer<UUID, byte[]> receiver) {
    metadata = receiver;
  }

  /** Is told who has applied more of the metadata log than this node, and up to which entry. */
  public void ahead(ObjLongConsumer<UUID> receiver) {
    ahead = receiver;
  }

  /**
   * Takes links, and becomes a member. Any thread.
   *
   * @return completes when this node is one; with a {@link StoppedException} if it cannot be
   * @throws IOException if the listen address cannot be used; the message says why
   */
  public CompletableFuture<Void> form() throws IOException {
    accepting = links.accept(configuration.listen());
    home.execute(
        () -> {
          links.listen(this);
          liveness.start();
          forming.start();
        });
    return formed;
  }

  @Override
  public void open() {
    opened = true;
    if (resumption != null) {
      Timer ignored = home.schedule(() -> formed.complete(null), RESUME_NANOS);
    }
    checkFormed();
  }

  private void checkFormed() {
    if (opened && (resumption == null || resumption.isOver())) {
      formed.complete(null);
    }
  }

  /** Asks a member for what was decided while this one was away. */
  private void resume(UUID host) {
    Resumption waiting = resumption;
    if (waiting != null && !formed.isDone()) {
      log.fetch(
          host,
          failure -> {
            if (failure == null) {
              waiting.followed(host);
            } else {
              waiting.notReached(host);
            }
            checkFormed();
          });
    }
  }

  @Override
  public void notConnected(UUID host) {
    if (resumption != null && !formed.isDone()) {
      resumption.notReached(host);
      checkFormed();
    }
  }

  @Override
  public void stop(String text) {
    StoppedException stopped = new StoppedException(text);
    if (!formed.completeExceptionally(stopped)) {
      fatal.accept(stopped);
    }
  }

  // ---- links

  @Override
  public void connected(NodeIdentity peer, boolean ofHome) {
    forming.met(peer);
    if (openLinks.merge(peer.hostId(), 1, Integer::sum) == 1) {
      forming.connected(peer);
    }
    liveness.connected(peer.hostId());
    readReport(peer.hostId());
    if (ofHome) {
      reachable.accept(peer.hostId());
      resume(peer.hostId());
    }
  }

  @Override
  public void broken(NodeIdentity peer, String reason) {
    liveness.broken(peer.hostId(), reason);
    if (openLinks.merge(peer.hostId(), -1, Integer::sum) == 0) {
      unread.remove(peer.hostId());
      forming.disconnected(peer.hostId());
    }
  }

  @Override
  public void reached(Link link, NodeIdentity peer) {
    forming.reached(link, peer);
  }

  @Override
  public void notReached(Link link, @Nullable NodeIdentity peer, String reason) {
    forming.notReached(link, peer, reason);
  }

  @Override
  public void ahead(UUID host, long index) {
    ahead.accept(host, index);
  }

  @Override
  public void opened(NodeIdentity peer) {
    forming.met(peer);
    // what this node has reported is forgotten where its link had broken, on that side only
    if (openLinks.getOrDefault(peer.hostId(), 0) > 0) {
      reachable.accept(peer.hostId());
    }
  }

  @Override
  public void received(UUID host, byte kind, byte[] body, PeerLinks.Reply reply) {
    if (kind == MessageKind.HELLO) {
      forming.hello(body, reply);
    } else if (kind == MessageKind.REPORT) {
      reported(host, body);
    } else {
      metadata.accept(host, body);
    }
  }

  private void reported(UUID host, byte[] body) {
    if (unread.size() < UNREAD_LIMIT || unread.containsKey(host)) {
      unread.put(host, body);
    }
    readReport(host);
  }

  /**
   * Is given what the nodes that are alive report about themselves, with their host ids; to be
   * called after {@link #listen}, so that it knows them. Any thread.
   */
  public void reports(BiConsumer<UUID, byte[]> receiver) {
    home.execute(
        () -> {
          reports = receiver;
          liveness.alive().forEach(this::readReport);
        });
  }

  /**
   * Is told whenever {@link #sendReport} reaches a member that may not know what was sent before.
   */
  public void reachable(Consumer<UUID> listener) {
    home.execute(() -> reachable = listener);
  }

  /** Sends a report about this node to all members to which there is a link. */
  public void sendReport(byte[] message) {
    for (UUID host : openLinks.keySet()) {
      send(host, MessageKind.REPORT, message);
    }
  }

  /** Sends a message of the metadata log; it is lost if there is no link. */
  public void sendMetadata(UUID host, byte[] message) {
    send(host, MessageKind.METADATA, message);
  }

  private void send(UUID host, byte kind, byte[] message) {
    Link link = links.link(host);
    if (link == null) {
      return;
    }
    ByteWriter out = link.begin(kind, 0, METADATA_NANOS);
    if (out != null) {
      out.putBytes(message);
      controlMessages++;
      boolean ignored = link.endOneWay();
    }
  }

  /** The members by the metadata log have changed. */
  public void membersLogged(Map<UUID, MemberAddress> addresses) {
    forming.membersLogged(addresses);
  }

  /** A node says whether it serves requests. */
  public void serves(UUID host, boolean does) {
    liveness.serves(host, does);
  }

  /** Gives the requests of other nodes to a shard's replica. On its thread. */
  public void serve(Shard shard, RequestReceiver requests) {
    links.serve(shard, requests);
  }

  // ---- what is shown

  /** Where a member is, by what was heard last; null if nothing was. Any thread. */
  public @Nullable MemberAddress address(UUID host) {
    return forming.addresses().get(host);
  }

  /** The suspicion of each node. Any thread. */
  public Map<UUID, Double> phis() {
    return liveness.phis();
  }

  /** What the links of a shard have done, outgoing ones first. On the shard's thread. */
  public List<LinkCounts> counts(Shard shard) {
    return links.counts(shard);
  }

  /** How many links from this node to others are open. */
  public int openLinks() {
    return openLinks.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** How many messages of the metadata log and reports were sent. */
  public long controlMessages() {
    return controlMessages;
  }

  /** Takes no further links, and closes all. Any thread. */
  public void close() throws IOException {
    Closeable open = accepting;
    if (open != null) {
      open.close();
    }
    home.execute(
        () -> {
          forming.stop();
          liveness.stop();
          links.close("this node stops");
        });
  }
}
