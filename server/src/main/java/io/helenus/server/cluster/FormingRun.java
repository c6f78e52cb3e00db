package io.helenus.server.cluster;

import io.helenus.server.internode.HandshakeCheck;
import io.helenus.server.internode.Link;
import io.helenus.server.internode.LinkEnvironment;
import io.helenus.server.internode.Network;
import io.helenus.server.internode.NodeIdentity;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Scheduler.Timer;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the actions of one {@link Forming}: dials addresses, exchanges Hello, fetches the
 * metadata and joins, and tells the machine what came of it. On the thread of the home shard,
 * except for {@link #check} and {@link #identity}.
 */
final class FormingRun {
  private static final Logger LOG = LoggerFactory.getLogger(FormingRun.class);
  private static final long HELLO_NANOS = 5_000_000_000L;
  private static final long SHORTEST_WAIT_NANOS = 1_000_000L;

  /** What precedes the text of a refusal that names its kind. */
  private static final String KIND = "refusal ";

  private final Shard home;
  private final Clock clock;
  private final Network network;
  private final PeerLinks links;
  private final Forming machine;
  private final AddressBook book;
  private final Members members;
  private final MembershipLog log;
  private final Executor resolver;
  private final NodeIdentity self;
  private final Outcome outcome;
  private final Map<Link, List<Endpoint>> dials = new IdentityHashMap<>();
  private final Map<Endpoint, UUID> hosts = new HashMap<>();
  private volatile Hello hello;
  private @Nullable Timer timer;
  private boolean running;

  /** How forming ends. On the thread of the home shard. */
  interface Outcome {
    /** This node is a member. */
    void open();

    /** This node cannot go on; the text says why, and what to do. */
    void stop(String text);
  }

  /**
   * Creates the run; {@link #start} begins it.
   *
   * @param self what this node says in handshakes, but for the cluster
   * @param environment of the links, whose network knows the addresses of host names
   * @param resolver looks them up, off the event loops
   */
  FormingRun(
      Shard home,
      LinkEnvironment environment,
      PeerLinks links,
      Forming machine,
      AddressBook book,
      Members members,
      MembershipLog log,
      Executor resolver,
      NodeIdentity self,
      Outcome outcome) {
    this.home = home;
    this.clock = environment.clock();
    this.network = environment.network();
    this.links = links;
    this.machine = machine;
    this.book = book;
    this.members = members;
    this.log = log;
    this.resolver = resolver;
    this.self = self;
    this.outcome = outcome;
    this.hello = machine.hello();
  }

  void start() {
    running = true;
    perform(machine.start(home.readClock()));
    connectMembers();
  }

  void stop() {
    running = false;
    cancelTick();
  }

  private void cancelTick() {
    Timer pending = timer;
    if (pending != null) {
      pending.cancel();
      timer = null;
    }
  }

  /** Wakes up when the machine wants to see the time, and not before: each input may change it. */
  private void awaitTick() {
    cancelTick();
    long wait = machine.waitNanos(home.readClock());
    if (running && wait != Long.MAX_VALUE) {
      timer = home.schedule(this::tick, Math.max(wait, SHORTEST_WAIT_NANOS));
    }
  }

  private void tick() {
    timer = null;
    if (running) {
      perform(machine.tick(home.readClock()));
    }
  }

  // ---- what this node says, and whom it talks to; any thread

  /** What this node says about itself in handshakes. */
  static NodeIdentity identity(NodeIdentity self, Hello now) {
    UUID cluster = now.clusterId();
    return new NodeIdentity(
        cluster == null ? NodeIdentity.NO_CLUSTER : cluster,
        self.clusterName(),
        self.hostId(),
        self.life(),
        self.shards(),
        self.maxMessageBytes(),
        self.broadcast(),
        self.client());
  }

  NodeIdentity identity() {
    return identity(self, hello);
  }

  /** The latest addresses of the members. */
  Map<UUID, MemberAddress> addresses() {
    return hello.members();
  }

  /** Whether this node talks to another; see {@link HandshakeCheck}. */
  @Nullable String check(NodeIdentity peer) {
    Hello now = hello;
    Member member = members.known(peer.hostId());
    boolean up = member != null && member.isUp() && !member.isLocal();
    MemberAddress known = now.members().get(peer.hostId());
    long connectedLife = up && known != null ? known.life() : 0;
    long silent = member == null ? Long.MAX_VALUE : clock.nanos() - member.heardNanos();
    Refusal refusal = Admission.check(now, helloOf(peer), connectedLife, silent);
    return refusal == null ? null : KIND + refusal.kind().code() + ": " + refusal.text();
  }

  private static Hello helloOf(NodeIdentity peer) {
    boolean empty = peer.clusterId().equals(NodeIdentity.NO_CLUSTER);
    return new Hello(
        peer.clusterName(),
        empty ? null : peer.clusterId(),
        peer.hostId(),
        peer.life(),
        empty ? Hello.Status.EMPTY : Hello.Status.MEMBER,
        "",
        "",
        endpoint(peer.broadcast()),
        endpoint(peer.client()),
        Map.of());
  }

  static Endpoint endpoint(InetSocketAddress address) {
    InetAddress ip = address.getAddress();
    return new Endpoint(
        ip == null ? address.getHostString() : ip.getHostAddress(), address.getPort());
  }

  // ---- events

  void reached(Link link, NodeIdentity peer) {
    if (!dials.containsKey(link)) {
      return;
    }
    ByteWriter mine = new ByteWriter(512);
    HelloFormat.write(machine.hello(), mine);
    long id =
        link.send(
            MessageKind.HELLO,
            0,
            HELLO_NANOS,
            mine.segment(),
            0,
            mine.size(),
            new HelloReply(link),
            0);
    if (id == Link.NOT_SENT) {
      notReached(link, null, "it was closed again");
    } else {
      home.schedule(() -> notReached(link, null, "it did not answer"), HELLO_NANOS);
    }
  }

  private final class HelloReply implements ReplyHandler {
    private final Link link;

    HelloReply(Link link) {
      this.link = link;
    }

    @Override
    public void replied(int tag, MemorySegment body, long offset, int length) {
      Hello peer;
      try {
        peer = HelloFormat.read(body, offset, length);
      } catch (IllegalArgumentException e) {
        notReached(link, null, String.valueOf(e.getMessage()));
        return;
      }
      List<Endpoint> dialled = ended(link);
      for (Endpoint endpoint : dialled) {
        hosts.put(endpoint, peer.hostId());
        perform(machine.answer(endpoint, peer, home.readClock()));
      }
      connectMembers();
    }

    @Override
    public void failed(int tag, byte code, String text) {
      notReached(link, null, text);
    }

    @Override
    public void broken(int tag) {
      notReached(link, null, "the link broke");
    }
  }

  private List<Endpoint> ended(Link link) {
    List<Endpoint> dialled = dials.remove(link);
    if (dialled == null) {
      return List.of();
    }
    links.hangUp(link);
    return dialled;
  }

  void notReached(Link link, @Nullable NodeIdentity peer, String reason) {
    for (Endpoint endpoint : ended(link)) {
      Refusal refusal = refusal(reason);
      perform(
          refusal == null
              ? machine.noAnswer(endpoint)
              : machine.refused(endpoint, refusal, home.readClock()));
    }
  }

  private static @Nullable Refusal refusal(String reason) {
    int colon = reason.indexOf(": ");
    if (!reason.startsWith(KIND) || colon < 0) {
      return null;
    }
    try {
      int code = Integer.parseInt(reason.substring(KIND.length(), colon));
      return new Refusal(Refusal.Kind.ofCode(code), reason.substring(colon + 2));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Another node has said Hello; the reply is this node's. */
  void hello(byte[] body, PeerLinks.Reply reply) {
    ByteWriter theirs = new ByteWriter(body.length).putBytes(body);
    Hello peer;
    try {
      peer = HelloFormat.read(theirs.segment(), 0, theirs.size());
    } catch (IllegalArgumentException e) {
      LOG.warn("Ignored what is no Hello: {}", e.getMessage());
      return;
    }
    ByteWriter mine = new ByteWriter(512);
    HelloFormat.write(machine.hello(), mine);
    reply.with(mine.toArray());
    perform(machine.inbound(peer, home.readClock()));
    connectMembers();
  }

  /** A node has opened a link, or answers on one. */
  void met(NodeIdentity peer) {
    if (machine.met(peer.hostId(), helloOf(peer).address())) {
      perform(List.of());
      connectMembers();
    }
  }

  /** A link to a node is open. */
  void connected(NodeIdentity peer) {
    perform(machine.connected(peer.hostId()));
  }

  /** The last link to a node is closed. */
  void disconnected(UUID host) {
    perform(machine.disconnected(host, home.readClock()));
  }

  /** The members by the metadata log have changed. */
  void membersLogged(Map<UUID, MemberAddress> addresses) {
    book.logged(addresses);
    perform(List.of());
    connectMembers();
  }

  /** Opens links to all members whose address is known. */
  private void connectMembers() {
    if (machine.hello().clusterId() == null) {
      return;
    }
    book.entries()
        .forEach(
            (host, address) ->
                resolve(address.node(), resolved -> links.connect(host, resolved), failure -> {}));
  }

  // ---- actions

  private void perform(List<FormingAction> actions) {
    hello = machine.hello();
    awaitTick();
    for (FormingAction action : actions) {
      switch (action) {
        case FormingAction.Dial(Endpoint to) -> dial(to);
        case FormingAction.Found() ->
            log.found(
                failure -> {
                  if (failure == null) {
                    perform(machine.founded(log.clusterId()));
                  } else {
                    outcome.stop("this node cannot found a cluster: " + failure);
                  }
                });
        case FormingAction.Fetch(Endpoint from) -> fetch(from);
        case FormingAction.Join(Endpoint via) -> join();
        case FormingAction.Open() -> outcome.open();
        case FormingAction.Report(String text) -> LOG.info("{}", text);
        case FormingAction.Stop(String text) -> {
          stop();
          outcome.stop(text);
        }
      }
    }
  }

  private void dial(Endpoint to) {
    resolve(
        to,
        address -> {
          if (running) {
            dials.computeIfAbsent(links.dial(address), any -> new ArrayList<>()).add(to);
          }
        },
        failure -> perform(machine.noAnswer(to)));
  }

  private interface Resolved {
    void to(InetSocketAddress address);
  }

  private interface NotResolved {
    void because(String reason);
  }

  private void resolve(Endpoint endpoint, Resolved then, NotResolved otherwise) {
    try {
      then.to(new InetSocketAddress(InetAddress.ofLiteral(endpoint.host()), endpoint.port()));
      return;
    } catch (IllegalArgumentException e) {
      // a name
    }
    resolver.execute(
        () -> {
          try {
            InetAddress ip = network.resolve(endpoint.host());
            home.execute(() -> then.to(new InetSocketAddress(ip, endpoint.port())));
          } catch (UnknownHostException e) {
            home.execute(() -> otherwise.because("no address is known for " + endpoint.host()));
          }
        });
  }

  private void fetch(Endpoint from) {
    UUID host = hosts.get(from);
    if (host == null) {
      perform(machine.fetchFailed("it was not met"));
      return;
    }
    resolve(from, address -> links.connect(host, address), failure -> {});
    log.fetch(
        host,
        failure -> {
          if (failure == null) {
            perform(machine.fetched(log.clusterId(), log.members()));
            connectMembers();
          } else {
            perform(machine.fetchFailed(failure));
          }
        });
  }

  private void join() {
    log.join(
        new MembershipLog.Joining() {
          @Override
          public void joined() {
            perform(machine.joined());
          }

          @Override
          public void refused(String reason) {
            perform(machine.joinRefused(reason));
          }

          @Override
          public void unknown(String reason) {
            perform(machine.joinUnknown(reason));
          }
        });
  }

  /** The addresses by which this node knows itself. */
  static Set<Endpoint> own(InetSocketAddress listen, InetSocketAddress broadcast) {
    return listen.equals(broadcast)
        ? Set.of(endpoint(listen))
        : Set.of(endpoint(listen), endpoint(broadcast));
  }
}
