package io.helenus.server.cluster;

import io.helenus.server.cluster.Hello.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The machine by which nodes that are started with a list of seeds become one cluster, and find
 * each other again after a restart, wherever they come back.
 *
 * <pre>
 * ASKING --may found--> FOUNDING --founded--------------------> MEMBER
 *   |  ^                                                          ^
 *   |  +--no member any more, or outcome unknown---+              |
 *   +--a seed is a member--> FETCHING --fetched--> JOINING --joined
 * any --refused, with a text that says what to do--> STOPPED
 * </pre>
 *
 * <p>Only the node that is listed first may found, and only if each other seed has answered that it
 * is empty and names the same first seed. So two nodes found only if their lists have no seed in
 * common. A first seed that has lost its disk is kept from it by the other seeds, which are members
 * then; and should all of them have lost theirs, by the remaining members, which redial its address
 * and so claim it within the second that it waits.
 *
 * <p>Members are joined only at an address of the list: an address may have belonged to a node of
 * another cluster, which still dials it.
 *
 * <p>Pure; one thread. Times are in nanoseconds of a monotonic clock. Each input returns what is to
 * be done.
 */
public final class Forming {
  /** After what time a node that is no member yet looks again. */
  static final long TICK_NANOS = 100_000_000L;

  /** How often an address is dialled. */
  static final long REDIAL_NANOS = 500_000_000L;

  /** For how long no member must claim the address of a node that founds. */
  static final long UNCLAIMED_NANOS = 1_000_000_000L;

  /** After how long a host id that is alive elsewhere means a copied folder, not a restart. */
  static final long COPY_NANOS = 10_000_000_000L;

  /** How long a node waits before it reports what it waits for. */
  static final long QUIET_NANOS = 2_000_000_000L;

  /** How often it does so at most. */
  static final long REPORT_NANOS = 5_000_000_000L;

  enum State {
    ASKING,
    FOUNDING,
    FETCHING,
    JOINING,
    MEMBER,
    STOPPED
  }

  private final Hello self;
  private final SequencedSet<Endpoint> seeds;
  private final AddressBook book;
  private final Redialling redialling = new Redialling(REDIAL_NANOS);

  /** The addresses that turned out to be this node's. */
  private final Set<Endpoint> own;

  private final SeedAnswers answers;
  private final Set<UUID> connected = new HashSet<>();

  /** The last text about each matter, so that none is repeated. */
  private final Map<String, String> reported = new HashMap<>();

  /** Since when an address refuses this node because its host id is alive. */
  private final Map<Endpoint, Long> aliveElsewhere = new HashMap<>();

  private State state = State.ASKING;
  private @Nullable UUID clusterId;
  private Status status;

  /** The member that this node joins through. */
  private @Nullable Endpoint via;

  /** Why the cluster has refused the join, unless it was chosen before. */
  private @Nullable String joinRefusal;

  private boolean metPeer;

  /** When it is reported next what this node waits for. */
  private long reportNanos;

  private List<FormingAction> actions = new ArrayList<>();

  /**
   * Creates the machine of a node that was started with seeds.
   *
   * @param self what the durable state says, without members
   * @param ownAddresses the addresses by which this node knows itself: listen and broadcast address
   * @param seeds the seeds as they were given, at least one
   * @param book with the addresses of the metadata log, if the node is a member
   */
  public Forming(Hello self, Set<Endpoint> ownAddresses, List<Endpoint> seeds, AddressBook book) {
    if (seeds.isEmpty()) {
      throw new IllegalArgumentException("no seeds");
    }
    this.self = self;
    this.own = new HashSet<>(ownAddresses);
    this.own.add(self.node());
    this.seeds = new LinkedHashSet<>(seeds);
    this.book = book;
    this.answers = new SeedAnswers(this.seeds);
    this.clusterId = self.clusterId();
    this.status = self.status() == Status.FIRST_SEED ? Status.EMPTY : self.status();
  }

  /** The node begins. A member is one at once. */
  public List<FormingAction> start(long now) {
    reportNanos = now + QUIET_NANOS;
    if (status == Status.MEMBER) {
      becomeMember();
    }
    return tick(now);
  }

  /** What this node says in handshakes now. */
  public Hello hello() {
    return new Hello(
        self.clusterName(),
        clusterId,
        self.hostId(),
        self.life(),
        status == Status.EMPTY && own.contains(seeds.getFirst()) ? Status.FIRST_SEED : status,
        seeds.getFirst().toString(),
        self.dataCenter(),
        self.node(),
        self.client(),
        book.entries());
  }

  /**
   * After what time {@link #tick} is to be called, unless there is another input before: {@link
   * Long#MAX_VALUE} if time alone changes nothing, as for a member with a link to each other one.
   */
  public long waitNanos(long now) {
    return switch (state) {
      case STOPPED -> Long.MAX_VALUE;
      case MEMBER -> redialling.waitNanos(targets(), now);
      case ASKING, FOUNDING, FETCHING, JOINING -> TICK_NANOS;
    };
  }

  /** Time has passed; see {@link #waitNanos}. Earlier calls do no harm. */
  public List<FormingAction> tick(long now) {
    if (state == State.ASKING) {
      ask(now);
    }
    if (state != State.STOPPED) {
      for (Endpoint due : redialling.due(targets(), now)) {
        actions.add(new FormingAction.Dial(due));
      }
    }
    return taken();
  }

  /** A node that was dialled has said Hello. */
  public List<FormingAction> answer(Endpoint from, Hello peer, long now) {
    redialling.ended(from);
    aliveElsewhere.remove(from);
    if (peer.hostId().equals(self.hostId())) {
      metOwnHostId(from, peer);
      return taken();
    }
    if (isForeign(peer)) {
      metForeign(from, peer);
      return taken();
    }
    learn(peer);
    if (seeds.contains(from)) {
      answers.answered(from, peer, now);
      String conflict = status == Status.MEMBER ? null : answers.conflict();
      if (conflict != null) {
        stop(conflict);
      } else if (state == State.ASKING) {
        ask(now);
      }
    }
    return taken();
  }

  /** Another node has connected and said Hello. */
  public List<FormingAction> inbound(Hello peer, long now) {
    if (!peer.hostId().equals(self.hostId()) && !isForeign(peer)) {
      learn(peer);
      if (status != Status.MEMBER && peer.clusterId() != null) {
        answers.claimed(peer, now);
      }
    }
    return taken();
  }

  /** A node that was dialled refuses this one. */
  public List<FormingAction> refused(Endpoint from, Refusal refusal, long now) {
    redialling.ended(from);
    answers.silent(from);
    switch (refusal.kind()) {
      case CLUSTER_NAME, CLUSTER_ID -> wrongCluster(from, refusal.text());
      case SAME_HOST, OLDER_LIFE -> stop(refusal.text());
      case HOST_ALIVE -> {
        long since = aliveElsewhere.computeIfAbsent(from, endpoint -> now);
        if (now - since >= COPY_NANOS) {
          stop(refusal.text());
        }
      }
    }
    return taken();
  }

  /** A node that was dialled did not answer. */
  public List<FormingAction> noAnswer(Endpoint from) {
    redialling.ended(from);
    answers.silent(from);
    return taken();
  }

  /** This node has founded a cluster, durably. */
  public List<FormingAction> founded(UUID newClusterId) {
    if (state == State.FOUNDING) {
      clusterId = newClusterId;
      becomeMember();
    }
    return taken();
  }

  /**
   * The metadata of the cluster was fetched.
   *
   * @param fromCluster the cluster's id
   * @param members the addresses of its members by the metadata log
   */
  public List<FormingAction> fetched(UUID fromCluster, Map<UUID, MemberAddress> members) {
    if (state != State.FETCHING || via == null) {
      return taken();
    }
    if (clusterId != null && !clusterId.equals(fromCluster)) {
      askAgain("the metadata of " + via + " is that of cluster " + fromCluster);
      return taken();
    }
    clusterId = fromCluster;
    status = Status.JOINING;
    book.logged(members);
    if (members.containsKey(self.hostId())) {
      // an earlier attempt was chosen, and the answer was lost
      becomeMember();
      return taken();
    }
    if (joinRefusal != null) {
      stop("this node cannot join the cluster: " + joinRefusal);
    }
    members.forEach(
        (host, address) -> {
          if (address.node().equals(self.node())) {
            stop(addressTaken(host));
          }
        });
    if (state == State.FETCHING) {
      state = State.JOINING;
      actions.add(new FormingAction.Join(via));
    }
    return taken();
  }

  /** The metadata could not be fetched. */
  public List<FormingAction> fetchFailed(String reason) {
    if (state == State.FETCHING) {
      askAgain("the metadata could not be fetched from " + via + ": " + reason);
    }
    return taken();
  }

  /** This node is a member, and the entry that says so is durable here. */
  public List<FormingAction> joined() {
    if (state == State.JOINING) {
      becomeMember();
    }
    return taken();
  }

  /**
   * The cluster does not take this node, by an entry of the metadata log. This may have been the
   * second attempt after one that was chosen without this node's knowledge; so it looks into the
   * metadata again, of the same member, which has that entry.
   */
  public List<FormingAction> joinRefused(String reason) {
    if (state == State.JOINING && via != null) {
      joinRefusal = reason;
      state = State.FETCHING;
      actions.add(new FormingAction.Fetch(via));
    }
    return taken();
  }

  /** It is not known whether this node is a member; it looks into the metadata again. */
  public List<FormingAction> joinUnknown(String reason) {
    if (state == State.JOINING) {
      askAgain("it is not known yet whether this node has joined: " + reason);
    }
    return taken();
  }

  /** A link to a member is open; it is not dialled any more. */
  public List<FormingAction> connected(UUID host) {
    connected.add(host);
    metPeer = true;
    return taken();
  }

  /**
   * A node was let in that has opened a link, or answers on one. A member is where it says, in the
   * life that it says: it need not say Hello besides. Returns whether that is new.
   */
  public boolean met(UUID host, MemberAddress address) {
    return book.of(host) != null && book.learn(host, address);
  }

  /** The last link to a member is closed. */
  public List<FormingAction> disconnected(UUID host, long now) {
    connected.remove(host);
    return tick(now);
  }

  private void ask(long now) {
    Endpoint member = answers.member(clusterId);
    if (member != null) {
      via = member;
      state = State.FETCHING;
      actions.add(new FormingAction.Fetch(member));
    } else if (mayFound(now)) {
      state = State.FOUNDING;
      actions.add(new FormingAction.Found());
    } else if (now - reportNanos >= 0) {
      reportNanos = now + REPORT_NANOS;
      report("waiting", answers.waitingFor(own, clusterId));
    }
  }

  /** Whether this node, which knows no member, may make a new cluster. */
  private boolean mayFound(long now) {
    if (status != Status.EMPTY || !own.contains(seeds.getFirst())) {
      return false;
    }
    return seeds.size() == 1 || answers.allEmptyFor(UNCLAIMED_NANOS, own, now);
  }

  private SequencedSet<Endpoint> targets() {
    SequencedSet<Endpoint> targets = new LinkedHashSet<>();
    if (status != Status.MEMBER) {
      targets.addAll(seeds);
    } else {
      for (UUID host : book.hosts()) {
        if (!host.equals(self.hostId()) && !connected.contains(host)) {
          targets.addAll(book.endpoints(host));
        }
      }
      if (!targets.isEmpty() || !metPeer) {
        targets.addAll(seeds);
      }
      // its former address, as long as the log has it: a copy of its folder may run there
      targets.addAll(book.endpoints(self.hostId()));
    }
    targets.removeAll(own);
    return targets;
  }

  private void learn(Hello peer) {
    if (clusterId == null || !clusterId.equals(peer.clusterId())) {
      return;
    }
    MemberAddress later = peer.members().get(self.hostId());
    if (later != null && later.life() > self.life()) {
      stop(Admission.olderLife(self.hostId(), later.node()));
      return;
    }
    peer.members().forEach(book::learn);
    if (peer.status() == Status.MEMBER) {
      metPeer = true;
      book.learn(peer.hostId(), peer.address());
    }
  }

  private boolean isForeign(Hello peer) {
    return !peer.clusterName().equals(self.clusterName())
        || (clusterId != null && peer.clusterId() != null && !clusterId.equals(peer.clusterId()));
  }

  private void metForeign(Endpoint from, Hello peer) {
    UUID cluster = clusterId;
    wrongCluster(
        from,
        cluster != null && peer.clusterName().equals(self.clusterName())
            ? Admission.otherCluster(peer, cluster)
            : Admission.otherName(peer, self.clusterName()));
  }

  private void metOwnHostId(Endpoint from, Hello peer) {
    if (peer.life() == self.life()) {
      own.add(from);
    } else {
      stop(Admission.sameHost(self.hostId(), from));
    }
  }

  /**
   * An address leads to another cluster. A member that reaches others of its own goes on: the
   * address may have been given to somebody else.
   */
  private void wrongCluster(Endpoint from, String text) {
    if (seeds.contains(from) && !(status == Status.MEMBER && metPeer)) {
      stop(text);
    } else {
      report(from.toString(), text);
    }
  }

  private String addressTaken(UUID host) {
    return "address "
        + self.node()
        + " belongs to node "
        + host
        + " of the cluster: give this node another address, or start it with the data folder of"
        + " that node";
  }

  private void becomeMember() {
    status = Status.MEMBER;
    state = State.MEMBER;
    book.learn(self.hostId(), self.address());
    actions.add(new FormingAction.Open());
  }

  private void askAgain(String text) {
    state = State.ASKING;
    joinRefusal = null;
    if (via != null) {
      answers.silent(via);
    }
    report("joining", text);
  }

  private void report(String matter, String text) {
    if (state != State.STOPPED && !text.equals(reported.put(matter, text))) {
      actions.add(new FormingAction.Report(text));
    }
  }

  private void stop(String text) {
    if (state != State.STOPPED) {
      state = State.STOPPED;
      actions.clear();
      actions.add(new FormingAction.Stop(text));
    }
  }

  private List<FormingAction> taken() {
    List<FormingAction> taken = actions;
    actions = new ArrayList<>();
    return taken;
  }
}
