package io.helenus.server.cluster;

import io.helenus.server.cluster.FormingWorld.Bug;
import io.helenus.server.cluster.FormingWorld.Entry;
import io.helenus.server.cluster.FormingWorld.Undecided;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node of {@link FormingWorld}: drives the machine, and has a durable state that changes at its
 * sync points only, which a kill may precede.
 */
final class FormingNode {
  private static final long MS = FormingWorld.MS;
  private static final long REQUEST_TIMEOUT = 1000 * MS;

  final FormingWorld world;
  final int number;
  final List<Endpoint> seeds;
  Endpoint address;
  final List<String> reports = new ArrayList<>();
  @Nullable String stopped;
  boolean opened;

  // durable
  UUID hostId;
  private long starts;
  private Hello.Status status = Hello.Status.EMPTY;
  private @Nullable UUID clusterId;
  private int applied;

  // of a run
  long run;
  private @Nullable Forming machine;
  private AddressBook book = new AddressBook();
  private long life;
  private long killedAt;
  private long waits;
  private final Map<UUID, LinkEnd> links = new HashMap<>();

  private record LinkEnd(FormingNode peer, long peerRun, long life) {}

  FormingNode(FormingWorld world, int number, List<Endpoint> seeds) {
    this.world = world;
    this.number = number;
    this.seeds = seeds;
    this.address = new Endpoint("10.0.0." + number, 7000);
    this.hostId = new UUID(world.random.nextLong(), number);
  }

  boolean isUp() {
    return machine != null;
  }

  boolean runs(long aRun) {
    return machine != null && run == aRun;
  }

  boolean isMemberOf(UUID cluster) {
    return isUp() && status == Hello.Status.MEMBER && cluster.equals(clusterId);
  }

  @Nullable UUID memberOf() {
    return status == Hello.Status.MEMBER ? clusterId : null;
  }

  int applied() {
    return applied;
  }

  boolean isLinked(FormingNode other) {
    LinkEnd end = links.get(other.hostId);
    return end != null && end.peer == other && other.runs(end.peerRun);
  }

  void start() {
    if (isUp() || stopped != null) {
      return;
    }
    run++;
    starts++;
    opened = false;
    if (status == Hello.Status.EMPTY) {
      // it is durable from the time on that the node joins
      hostId = new UUID(world.random.nextLong(), number);
    }
    life = starts << 24 | world.random.nextInt(1 << 24);
    book = new AddressBook();
    if (status == Hello.Status.MEMBER && clusterId != null) {
      book.logged(world.members(clusterId, applied));
    }
    Hello self =
        new Hello("cluster", clusterId, hostId, life, status, "", "dc", address, address, Map.of());
    List<Endpoint> used =
        world.bug == Bug.SEEDS_FORGOTTEN && status == Hello.Status.MEMBER
            ? List.of(address)
            : seeds;
    machine = new Forming(self, Set.of(), used, book);
    long thisRun = run;
    on(thisRun, m -> m.start(world.now));
    every(thisRun, 200 * MS, this::followLog);
    every(thisRun, 1000 * MS, this::proposeAddress);
  }

  private void every(long aRun, long nanos, Runnable what) {
    world.after(
        nanos,
        () -> {
          if (runs(aRun)) {
            what.run();
            every(aRun, nanos, what);
          }
        });
  }

  /** Ends the process; peers notice at once, or only after their links have been silent. */
  void kill(boolean noticed) {
    if (!isUp()) {
      return;
    }
    machine = null;
    killedAt = world.now;
    List<LinkEnd> open = new ArrayList<>(links.values());
    links.clear();
    for (LinkEnd end : open) {
      long after = noticed ? 10 * MS : (3000 + world.random.nextInt(15_000)) * MS;
      long deadRun = run;
      world.after(after, () -> end.peer.unlinkRun(this, deadRun));
    }
  }

  /** Loses the disk: comes back with another host id. */
  void wipe() {
    hostId = new UUID(world.random.nextLong(), number);
    starts = 0;
    status = Hello.Status.EMPTY;
    clusterId = null;
    applied = 0;
  }

  /** Starts with a copy of another node's folder. */
  void copyFolderOf(FormingNode other) {
    hostId = other.hostId;
    starts = other.starts;
    status = other.status;
    clusterId = other.clusterId;
    applied = other.applied;
  }

  Hello hello() {
    Hello hello = machine().hello();
    if (world.bug == Bug.FIRST_ADDRESS_KEPT && clusterId != null) {
      Map<UUID, MemberAddress> old = new HashMap<>(hello.members());
      old.replaceAll((host, a) -> new MemberAddress(a.node(), a.client(), MemberAddress.HINT));
      return new Hello(
          hello.clusterName(),
          hello.clusterId(),
          hello.hostId(),
          MemberAddress.HINT,
          hello.status(),
          hello.firstSeed(),
          hello.dataCenter(),
          hello.node(),
          hello.client(),
          old);
    }
    return hello;
  }

  private Forming machine() {
    if (machine == null) {
      throw new AssertionError("node " + number + " is down");
    }
    return machine;
  }

  /** Whether a peer is let in, as the driver asks. A silent link to its former life is closed. */
  @Nullable Refusal admit(Hello peer) {
    LinkEnd end = links.get(peer.hostId());
    long silent = end == null || end.peer.runs(end.peerRun) ? 0 : world.now - end.peer.killedAt;
    Refusal refusal = Admission.check(hello(), peer, end == null ? 0 : end.life, silent);
    if (world.bug == Bug.EVERYBODY_ADMITTED) {
      return null;
    }
    if (refusal == null && end != null && end.life != peer.life()) {
      unlinkRun(end.peer, end.peerRun);
    }
    return refusal;
  }

  void linked(FormingNode peer, Hello says) {
    links.put(peer.hostId, new LinkEnd(peer, peer.run, says.life()));
    on(run, m -> m.connected(peer.hostId));
  }

  void unlink(FormingNode peer) {
    unlinkRun(peer, peer.run);
  }

  private void unlinkRun(FormingNode peer, long peerRun) {
    for (UUID host : List.copyOf(links.keySet())) {
      LinkEnd end = links.get(host);
      if (isUp() && end != null && end.peer == peer && end.peerRun == peerRun) {
        links.remove(host);
        on(run, m -> m.disconnected(host, world.now));
      }
    }
  }

  /** Gives the machine an input, if the process that it was meant for still runs. */
  void on(long aRun, Function<Forming, List<FormingAction>> input) {
    if (runs(aRun)) {
      List<FormingAction> actions = input.apply(machine());
      awaitTick(aRun);
      actions.forEach(this::carryOut);
    }
  }

  /** The machine sees the time when it wants to, and after inputs only. */
  private void awaitTick(long aRun) {
    long number = ++waits;
    long wait = machine().waitNanos(world.now);
    if (wait != Long.MAX_VALUE) {
      world.after(
          wait,
          () -> {
            if (number == waits) {
              on(aRun, m -> m.tick(world.now));
            }
          });
    }
  }

  private void carryOut(FormingAction action) {
    switch (action) {
      case FormingAction.Dial(Endpoint to) -> world.dial(this, to);
      case FormingAction.Found() -> found();
      case FormingAction.Fetch(Endpoint from) -> fetch(from);
      case FormingAction.Join(Endpoint via) -> join(via);
      case FormingAction.Open() -> opened = true;
      case FormingAction.Report(String text) -> reports.add(text);
      case FormingAction.Stop(String text) -> {
        stopped = text;
        kill(true);
      }
    }
  }

  private void later(long aRun, Runnable what) {
    world.after(
        world.delay(),
        () -> {
          if (runs(aRun)) {
            what.run();
          }
        });
  }

  private void found() {
    UUID made = new UUID(world.random.nextLong(), 0);
    long thisRun = run;
    Runnable sync =
        () -> {
          List<Entry> log = new ArrayList<>();
          log.add(new Entry(hostId, new MemberAddress(address, address, MemberAddress.HINT)));
          world.clusters.put(made, log);
          world.founders.put(made, this);
          become(made, 1);
        };
    Runnable tell = () -> on(thisRun, m -> m.founded(made));
    if (world.bug == Bug.FOUNDED_NOT_SYNCED) {
      world.clusters.put(made, new ArrayList<>());
      world.founders.put(made, this);
      later(thisRun, tell);
      world.after(
          500 * MS,
          () -> {
            if (runs(thisRun)) {
              sync.run();
            }
          });
    } else {
      later(
          thisRun,
          () -> {
            sync.run();
            later(thisRun, tell);
          });
    }
  }

  private void become(UUID cluster, int entries) {
    status = Hello.Status.MEMBER;
    clusterId = cluster;
    applied = entries;
  }

  private void fetch(Endpoint from) {
    long thisRun = run;
    later(
        thisRun,
        () -> {
          FormingNode member = world.at(from);
          UUID cluster = member == null ? null : member.memberOf();
          if (member == null
              || cluster == null
              || !world.arrives(this, member)
              || !world.arrives(member, this)) {
            failLater(thisRun);
            return;
          }
          int entries = member.applied;
          Map<UUID, MemberAddress> members = world.members(cluster, entries);
          later(
              thisRun,
              () -> {
                if (members.containsKey(hostId)) {
                  become(cluster, entries);
                }
                on(thisRun, m -> m.fetched(cluster, members));
              });
        });
  }

  private void failLater(long thisRun) {
    world.after(REQUEST_TIMEOUT, () -> on(thisRun, m -> m.fetchFailed("no answer")));
  }

  private void join(Endpoint via) {
    long thisRun = run;
    UUID cluster = machine().hello().clusterId();
    later(
        thisRun,
        () -> {
          if (world.bug != Bug.JOINING_NOT_SYNCED) {
            status = Hello.Status.JOINING;
            clusterId = cluster;
          }
          later(thisRun, () -> propose(thisRun, via, cluster));
        });
  }

  private void propose(long thisRun, Endpoint via, @Nullable UUID cluster) {
    FormingNode member = world.at(via);
    Runnable unknown = () -> on(thisRun, m -> m.joinUnknown("timed out"));
    if (member == null || cluster == null || !member.isMemberOf(cluster)) {
      world.after(REQUEST_TIMEOUT, unknown);
      return;
    }
    if (!world.arrives(this, member)) {
      world.after(REQUEST_TIMEOUT, unknown);
      return;
    }
    Entry entry = new Entry(hostId, new MemberAddress(address, address, MemberAddress.HINT));
    try {
      String refusal = world.decide(member, cluster, entry, true);
      int entries = member.applied;
      if (!world.arrives(member, this)) {
        world.after(REQUEST_TIMEOUT, unknown);
      } else if (refusal != null) {
        later(thisRun, () -> on(thisRun, m -> m.joinRefused(refusal)));
      } else {
        later(
            thisRun,
            () -> {
              become(cluster, entries);
              later(thisRun, () -> on(thisRun, m -> m.joined()));
            });
      }
    } catch (Undecided e) {
      world.after(REQUEST_TIMEOUT, unknown);
    }
  }

  void applyUpTo(int entries) {
    if (clusterId != null && entries > applied) {
      applied = entries;
      book.logged(world.members(clusterId, applied));
      on(run, m -> List.of());
    }
  }

  private void followLog() {
    for (LinkEnd end : List.copyOf(links.values())) {
      if (end.peer.runs(end.peerRun)) {
        applyUpTo(end.peer.applied);
      }
    }
  }

  private void proposeAddress() {
    MemberAddress changed = book.toPropose(hostId);
    if (opened && changed != null && clusterId != null) {
      try {
        String refusal = world.decide(this, clusterId, new Entry(hostId, changed), false);
        if (refusal != null) {
          reports.add(refusal);
        }
      } catch (Undecided e) {
        reports.add("address not proposed");
      }
    }
  }
}
