package io.helenus.server.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that form a cluster, in one thread and from a seed: a network that delays, loses and is
 * cut, names that are resolved, and one history of decided entries for each cluster, since that the
 * metadata log has one is shown elsewhere.
 */
final class FormingWorld {
  static final long MS = 1_000_000L;
  private static final long DIAL_TIMEOUT = 1000 * MS;

  /** What a run does wrong on purpose, and a text of the failure that must come of it. */
  enum Bug {
    NONE(""),
    /** Seeds that do not answer count as empty. */
    SILENCE_IS_EMPTY("clusters"),
    /** A node joins before its host id is durable. */
    JOINING_NOT_SYNCED("stopped: address"),
    /** A node says that it has founded before that is durable. */
    FOUNDED_NOT_SYNCED("clusters were founded"),
    /** A node that founds does not hear the members that dial it. */
    CLAIM_NOT_HEARD("clusters"),
    /** Nobody is refused in a handshake. */
    EVERYBODY_ADMITTED("copy"),
    /** Of a member's addresses the first that was heard is kept. */
    FIRST_ADDRESS_KEPT("MOVE"),
    /** A member that restarts dials the addresses of its log only. */
    SEEDS_FORGOTTEN("MOVE");

    final String failure;

    Bug(String failure) {
      this.failure = failure;
    }
  }

  private record Event(long at, long order, Runnable what) {}

  /** One decided entry: a member has joined, or has another address. */
  record Entry(UUID host, MemberAddress address) {}

  final Random random;
  final Bug bug;
  final List<FormingNode> nodes = new ArrayList<>();
  final Map<String, String> names = new HashMap<>();
  final Map<UUID, List<Entry>> clusters = new LinkedHashMap<>();
  final Map<UUID, FormingNode> founders = new LinkedHashMap<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.order, b.order));
  private final TreeSet<String> cuts = new TreeSet<>();
  private long order;
  long now = 1;
  double loss;
  long slowestMs = 50;

  FormingWorld(long seed, Bug bug) {
    this.random = new Random(seed);
    this.bug = bug;
  }

  void after(long nanos, Runnable what) {
    events.add(new Event(now + nanos, order++, what));
  }

  long delay() {
    return (1 + random.nextInt((int) slowestMs)) * MS;
  }

  /** Runs until a time, or until nothing happens any more. */
  void runUntil(long end) {
    while (!events.isEmpty() && events.peek().at <= end) {
      Event next = events.poll();
      now = next.at;
      next.what.run();
    }
    now = end;
  }

  /** Cuts or restores the direction from one node to another. */
  void cut(FormingNode from, FormingNode to, boolean on) {
    String key = from.number + ">" + to.number;
    if (on && cuts.add(key)) {
      from.unlink(to);
      to.unlink(from);
    } else if (!on) {
      cuts.remove(key);
    }
  }

  void healAll() {
    cuts.clear();
    loss = 0;
  }

  /** Whether something that is sent now arrives. */
  boolean arrives(FormingNode from, FormingNode to) {
    return !isCut(from, to) && random.nextDouble() >= loss;
  }

  boolean isCut(FormingNode from, FormingNode to) {
    return cuts.contains(from.number + ">" + to.number);
  }

  @Nullable FormingNode at(Endpoint endpoint) {
    String host = names.getOrDefault(endpoint.host(), endpoint.host());
    for (FormingNode node : nodes) {
      if (node.isUp() && node.address.host().equals(host)) {
        return node;
      }
    }
    return null;
  }

  /** Connects, exchanges what the nodes say, and opens a link between members. */
  void dial(FormingNode from, Endpoint to) {
    long run = from.run;
    Hello sent = from.hello();
    after(
        delay(),
        () -> {
          FormingNode target = at(to);
          boolean lost = target != null && !arrives(from, target);
          if (target == null || lost) {
            after(
                lost ? DIAL_TIMEOUT : delay(),
                () -> from.on(run, machine -> noAnswer(from, machine, to)));
            return;
          }
          Refusal refusal = target.admit(sent);
          Hello reply = target.hello();
          long targetRun = target.run;
          if (refusal == null && bug != Bug.CLAIM_NOT_HEARD) {
            target.on(targetRun, machine -> machine.inbound(sent, now));
          }
          boolean back = arrives(target, from);
          after(
              back ? delay() : DIAL_TIMEOUT,
              () -> {
                if (!back) {
                  from.on(run, machine -> machine.noAnswer(to));
                } else if (refusal != null) {
                  from.on(run, machine -> machine.refused(to, refusal, now));
                } else {
                  from.on(run, machine -> machine.answer(to, reply, now));
                  link(from, run, target, targetRun);
                }
              });
        });
  }

  private List<FormingAction> noAnswer(FormingNode from, Forming machine, Endpoint to) {
    if (bug == Bug.SILENCE_IS_EMPTY) {
      Hello own = from.hello();
      Hello made =
          new Hello(
              own.clusterName(),
              null,
              new UUID(7, to.hashCode()),
              1,
              Hello.Status.EMPTY,
              own.firstSeed(),
              "dc",
              to,
              to,
              Map.of());
      return machine.answer(to, made, now);
    }
    return machine.noAnswer(to);
  }

  private void link(FormingNode a, long aRun, FormingNode b, long bRun) {
    if (a != b && a.runs(aRun) && b.runs(bRun) && !isCut(a, b) && !isCut(b, a)) {
      Hello aSays = a.hello();
      Hello bSays = b.hello();
      boolean members =
          aSays.status() == Hello.Status.MEMBER && bSays.status() == Hello.Status.MEMBER;
      if (members && b.admit(aSays) == null && a.admit(bSays) == null) {
        a.linked(b, bSays);
        b.linked(a, aSays);
      }
    }
  }

  /** The members by the first entries of a cluster's log. */
  Map<UUID, MemberAddress> members(UUID cluster, int entries) {
    Map<UUID, MemberAddress> members = new LinkedHashMap<>();
    for (Entry entry : clusters.getOrDefault(cluster, List.of()).subList(0, entries)) {
      members.put(entry.host, entry.address);
    }
    return members;
  }

  /** Decides an entry if a majority can be reached; returns null, or why it is refused. */
  @Nullable String decide(FormingNode proposer, UUID cluster, Entry entry, boolean join)
      throws Undecided {
    List<Entry> log = clusters.getOrDefault(cluster, List.of());
    Map<UUID, MemberAddress> members = members(cluster, log.size());
    int reached = 0;
    for (FormingNode node : nodes) {
      boolean near = node == proposer || (proposer.isLinked(node) && arrives(proposer, node));
      if (near && node.isMemberOf(cluster) && members.containsKey(node.hostId)) {
        reached++;
      }
    }
    if (reached <= members.size() / 2) {
      throw new Undecided();
    }
    proposer.applyUpTo(log.size());
    for (Map.Entry<UUID, MemberAddress> member : members.entrySet()) {
      boolean same = member.getKey().equals(entry.host);
      if (join && same) {
        return "host id " + entry.host + " is already a member";
      }
      if (join && member.getValue().node().equals(entry.address.node())) {
        return "address " + entry.address.node() + " belongs to " + member.getKey();
      }
    }
    log.add(entry);
    proposer.applyUpTo(log.size());
    return null;
  }

  /** No majority was reached. */
  static final class Undecided extends Exception {
    private static final long serialVersionUID = 1;
  }
}
