package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.Model;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.ArrayList;
import java.util.List;

/**
 * TRUNCATEs of the model's tables by any node, beside everything else. If it is not known whether
 * one has succeeded, it is repeated in calm.
 */
final class Truncations {
  /** A TRUNCATE that is not over. */
  private record Sent(Model.Table table, long nanos) {}

  private final SimCluster cluster;
  private final ClusterClients clients;
  private final ClusterModel model;
  private final ClusterFaults faults;
  private final Counts counts;
  private final List<Sent> open = new ArrayList<>();

  Truncations(
      SimCluster cluster,
      ClusterClients clients,
      ClusterModel model,
      ClusterFaults faults,
      Counts counts) {
    this.cluster = cluster;
    this.clients = clients;
    this.model = model;
    this.faults = faults;
    this.counts = counts;
  }

  private static ClientRequest request(Model.Table table) {
    return ClientRequest.of("TRUNCATE sim." + table.name);
  }

  /** Sends a TRUNCATE. */
  void begin(SimRandomness choices, Model.Table table) {
    int host = clients.anyReady(choices);
    if (host < 0) {
      return;
    }
    Sent sent = new Sent(table, cluster.time().nanos());
    open.add(sent);
    model.truncating(table);
    clients.send(
        host, choices.below(cluster.loops(host)), request(table), answer -> answered(sent, answer));
  }

  private void answered(Sent sent, Answer answer) {
    if (answer instanceof Answer.Done) {
      counts.add("truncations");
      done(sent);
    } else if (answer instanceof Answer.Failure failure
        && (failure.code() == Answer.UNAVAILABLE || failure.code() == Answer.BOOTSTRAPPING)) {
      open.remove(sent);
      model.notTruncated(sent.table, cluster.time().nanos());
    } else {
      counts.add("unknown truncations");
    }
  }

  private void done(Sent sent) {
    open.remove(sent);
    model.truncated(sent.table, sent.nanos, cluster.time().nanos());
  }

  /** In calm: repeats those that may have succeeded or not. */
  void settle() {
    if (open.isEmpty()) {
      return;
    }
    faults.calm();
    clients.limit(0);
    for (Sent each : List.copyOf(open)) {
      Answer answer = clients.ask(0, request(each.table));
      if (!(answer instanceof Answer.Done)) {
        throw new ViolationError(
            Violation.UNEXPECTED_ERROR, request(each.table) + " in calm: " + answer);
      }
      done(each);
    }
  }
}
