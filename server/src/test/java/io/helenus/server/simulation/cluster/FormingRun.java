package io.helenus.server.simulation.cluster;

import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.testing.ViolationError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Nodes with empty disks form a cluster: they are started in any order while some are killed,
 * paused and cut off. Each says which cluster it is a member of, and there is never a second one;
 * once all faults are over, every node knows all members, also after all of them were killed and
 * came back elsewhere.
 */
final class FormingRun {
  private static final long MILLI = 1_000_000L;
  private static final long FORMED_NANOS = 120_000 * MILLI;

  private final int hosts;
  private final SimCluster cluster;
  private final ClusterFaults faults;
  private final Counts counts = new Counts();

  /** Machines with empty disks, all of them off. */
  FormingRun(long seed, int hosts, NodeFactory factory, Consumer<String> trace) {
    this.hosts = hosts;
    cluster = new SimCluster(seed, hosts, SyncMode.BATCH, factory, trace);
    faults = new ClusterFaults(cluster, SyncMode.BATCH, counts);
  }

  /** Runs; the first steps start the nodes, the others begin faults. */
  void run(List<Long> steps) {
    try {
      List<Integer> off = new ArrayList<>();
      for (int host = 0; host < hosts; host++) {
        off.add(host);
      }
      for (long step : steps) {
        SimRandomness choices = new SimRandomness(step);
        if (!off.isEmpty() && choices.percent(60)) {
          cluster.start(off.remove(choices.below(off.size())));
        } else if (choices.percent(40)) {
          faults.begin(choices);
        }
        cluster.time().runFor((choices.percent(50) ? 0 : choices.below(3_000)) * MILLI);
      }
      correctSeeds();
      requireFormed();
      for (int host = 0; host < hosts; host++) {
        cluster.kill(host, true);
        cluster.move(host);
      }
      requireFormed();
    } catch (RuntimeException | AssertionError e) {
      throw ViolationError.of(e);
    }
  }

  /**
   * A node that waits for a cluster at addresses where nobody is any more is started again with the
   * present ones, as its operator would do. Members find each other without.
   */
  private void correctSeeds() {
    for (int host = 0; host < hosts; host++) {
      boolean waits = cluster.member(host) instanceof SimMember member && member.members() == 0;
      if (waits && cluster.hasOldSeeds(host)) {
        cluster.kill(host, false);
        cluster.start(host);
      }
    }
  }

  private void requireFormed() {
    faults.heal();
    cluster.await(this::isFormed, FORMED_NANOS, "one cluster of " + hosts + " nodes");
    counts.add("clusters formed");
  }

  private boolean isFormed() {
    for (int host = 0; host < hosts; host++) {
      boolean knowsAll =
          cluster.isReady(host)
              && cluster.member(host) instanceof SimMember member
              && member.members() == hosts;
      if (!knowsAll) {
        return false;
      }
    }
    return true;
  }
}
