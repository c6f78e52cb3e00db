package io.helenus.server.simulation.cluster;

import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.server.simulation.Model;
import io.helenus.server.simulation.Row;
import io.helenus.server.simulation.Write;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The clients of all nodes: they send requests, and hand the outcomes to the model. */
final class ClusterClients {
  /** After this long, a request that a running node has not answered is a bug. */
  private static final long ANSWER_NANOS = 20_000_000_000L;

  /** A request that is not answered yet. */
  private static final class Pending {
    private final int host;
    private final int life;
    private final ClientRequest request;
    private final long sentNanos;

    Pending(int host, int life, ClientRequest request, long sentNanos) {
      this.host = host;
      this.life = life;
      this.request = request;
      this.sentNanos = sentNanos;
    }
  }

  private final SimCluster cluster;
  private final ClusterModel model;
  private final ClusterFaults faults;
  private final Counts counts;
  private final Set<Pending> pending = new LinkedHashSet<>();

  ClusterClients(SimCluster cluster, ClusterModel model, ClusterFaults faults, Counts counts) {
    this.cluster = cluster;
    this.model = model;
    this.faults = faults;
    this.counts = counts;
  }

  // requests

  /** A node that takes requests; -1 for none. */
  int anyReady(SimRandomness choices) {
    int first = choices.below(cluster.size());
    for (int i = 0; i < cluster.size(); i++) {
      int host = (first + i) % cluster.size();
      if (cluster.isReady(host)) {
        return host;
      }
    }
    return -1;
  }

  /** Sends a request to a node, which may never answer. */
  void send(int host, int loop, ClientRequest request, Consumer<Answer> answered) {
    SimMember member = cluster.member(host);
    if (member == null) {
      throw new AssertionError("node " + host + " does not run");
    }
    Pending sent = new Pending(host, cluster.life(host), request, cluster.time().nanos());
    pending.add(sent);
    cluster.trace("to " + host + ": " + request);
    member.request(
        loop,
        request,
        answer -> {
          if (pending.remove(sent)) {
            cluster.trace("  from " + host + ": " + text(answer) + " for " + request);
            requireReason(sent, answer);
            answered.accept(answer);
          }
        });
  }

  private static String text(Answer answer) {
    return answer instanceof Answer.Rows rows ? rows.rows().size() + " rows" : answer.toString();
  }

  private void requireReason(Pending sent, Answer answer) {
    if (!(answer instanceof Answer.Failure failure)) {
      return;
    }
    boolean ofCluster =
        switch (failure.code()) {
          case Answer.UNAVAILABLE,
              Answer.OVERLOADED,
              Answer.BOOTSTRAPPING,
              Answer.WRITE_TIMEOUT,
              Answer.READ_TIMEOUT,
              Answer.READ_FAILURE,
              Answer.WRITE_FAILURE,
              Answer.SERVER_ERROR ->
              true;
          default -> false;
        };
    counts.add(failure.code() == Answer.UNAVAILABLE ? "unavailable" : "errors");
    if (!ofCluster && sent.request.isOfModel() || !faults.mayFail(sent.sentNanos)) {
      throw new ViolationError(Violation.UNEXPECTED_ERROR, sent.request + ": " + failure);
    }
  }

  /** Waits until no more than this many requests are in flight. */
  void limit(int most) {
    while (true) {
      pending.removeIf(this::isForgotten);
      if (pending.size() <= most) {
        return;
      }
      if (!cluster.time().step()) {
        throw new ViolationError(Violation.NO_ANSWER, "nothing is left to do");
      }
    }
  }

  /** Whether the node that was asked is gone; fails if it should have answered by now. */
  private boolean isForgotten(Pending sent) {
    boolean gone = !cluster.isRunning(sent.host) || cluster.life(sent.host) != sent.life;
    if (gone) {
      counts.add("requests never answered");
    } else if (cluster.time().nanos() - sent.sentNanos > ANSWER_NANOS
        && !cluster.isPaused(sent.host)) {
      throw new ViolationError(Violation.NO_ANSWER, "of node " + sent.host + ": " + sent.request);
    }
    return gone;
  }

  /** Sends a request to a node and waits for the answer; null if it died before. */
  @Nullable Answer ask(int host, ClientRequest request) {
    Answer[] answer = new Answer[1];
    if (!cluster.isReady(host)) {
      return null;
    }
    send(host, 0, request, given -> answer[0] = given);
    while (answer[0] == null && pending.stream().anyMatch(each -> each.request == request)) {
      limit(pending.size() - 1);
    }
    return answer[0];
  }

  // writes

  void write(SimRandomness choices, Write write, ConsistencyLevel level) {
    int host = anyReady(choices);
    if (host < 0) {
      return;
    }
    List<Mutation> mutations = model.submitted(write, cluster.time().nanos());
    send(
        host,
        choices.below(cluster.loops(host)),
        ClientRequest.of(write, level),
        answer -> written(write, level, mutations, answer));
  }

  private void written(
      Write write, ConsistencyLevel level, List<Mutation> mutations, Answer answer) {
    // what times out on a single node may still be on its way into the log, which has no order
    // with a TRUNCATE there
    if (!(answer instanceof Answer.Failure) || model.replicas() > 1) {
      model.answered(mutations, cluster.time().nanos());
    }
    if (!(answer instanceof Answer.Failure failure)) {
      int by = ClusterRun.blockFor(level, model.replicas());
      model.acknowledged(mutations, by, cluster.time().nanos());
      counts.add("writes");
    } else if (failure.code() == Answer.UNAVAILABLE || failure.code() == Answer.BOOTSTRAPPING) {
      model.refused(mutations);
    } else {
      cluster.trace("  unknown: " + write.cql);
      counts.add("unknown outcomes");
    }
  }

  // reads

  void read(SimRandomness choices, ReadShape shape, ConsistencyLevel level) {
    int host = anyReady(choices);
    if (host >= 0) {
      int loop = choices.below(cluster.loops(host));
      read(host, loop, shape, level, rows -> counts.add("reads"));
    }
  }

  /** Reads, judges what was answered, and passes it on if there was no error. */
  private void read(
      int host, int loop, ReadShape shape, ConsistencyLevel level, Consumer<List<Row>> then) {
    long sent = cluster.time().nanos();
    long second = cluster.seconds();
    int asked = ClusterRun.blockFor(level, model.replicas());
    model.reading(shape, asked, sent);
    List<Row> rows = new ArrayList<>();
    Consumer<List<Row>> judged =
        all -> {
          model.judge(shape, all, asked, sent, cluster.time().nanos(), second);
          then.accept(all);
        };
    readPage(host, loop, ClientRequest.of(shape, level, second), rows, judged);
  }

  private void readPage(
      int host, int loop, ClientRequest request, List<Row> rows, Consumer<List<Row>> then) {
    send(
        host,
        loop,
        request,
        answer -> {
          if (answer instanceof Answer.Rows page) {
            rows.addAll(page.rows());
            byte[] state = page.pagingState();
            if (request.pageSize() > 0 && page.rows().size() > request.pageSize()) {
              throw new ViolationError(Violation.WRONG_ROW, "a page is too long: " + request);
            }
            if (state == null) {
              then.accept(rows);
            } else if (cluster.isReady(host)) {
              readPage(host, loop, request.next(state), rows, then);
            }
          }
        });
  }

  /** Reads a table at ALL; then each node, asked alone, has the same rows. */
  void compareReplicas(Model.Table table) {
    ReadShape whole = ReadShape.whole(table, List.of());
    for (int host = 0; host < cluster.size(); host++) {
      long second;
      List<Row> all;
      List<Row> own;
      do {
        second = cluster.seconds();
        all = readNow((host + 1) % cluster.size(), whole, ConsistencyLevel.ALL);
        own = readNow(host, whole, ConsistencyLevel.ONE);
        // or else something may have expired in between
      } while (second != cluster.seconds());
      if (!own.equals(all)) {
        throw new ViolationError(
            Violation.DIVERGED_REPLICAS,
            "node " + host + " has " + own + "\n  after a read of all showed " + all);
      }
    }
    counts.add("comparisons of replicas");
  }

  private List<Row> readNow(int host, ReadShape shape, ConsistencyLevel level) {
    List<List<Row>> answer = new ArrayList<>();
    read(host, 0, shape, level, answer::add);
    limit(0);
    if (answer.isEmpty()) {
      throw new ViolationError(Violation.UNREADABLE, shape.cql() + " at " + level);
    }
    return answer.getFirst();
  }
}
