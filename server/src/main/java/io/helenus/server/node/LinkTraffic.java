package io.helenus.server.node;

import io.helenus.server.cluster.ClusterMember;
import io.helenus.server.internode.LinkCounts;
import io.helenus.server.metrics.ShardMetrics;
import io.helenus.server.shard.Shard;
import io.helenus.server.system.ClusterFacts;
import io.helenus.server.system.ClusterFacts.Messages;
import io.helenus.server.system.ClusterFacts.Traffic;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What the links of all shards have carried. Each shard leaves what it has counted once a second,
 * so that whoever asks disturbs none. Any thread.
 */
final class LinkTraffic {
  private static final long PERIOD_NANOS = 1_000_000_000L;

  private final ClusterMember cluster;
  private final AtomicReferenceArray<OfShard> latest;

  /**
   * What one shard has counted.
   *
   * @param control messages of the metadata log and reports; those of the first shard
   */
  private record OfShard(
      LinkCounts links, int open, long control, long readRepairs, long mismatches) {
    static final OfShard NOTHING = new OfShard(LinkCounts.NONE, 0, 0, 0, 0);

    OfShard plus(OfShard other) {
      return new OfShard(
          links.plus(other.links),
          open + other.open,
          control + other.control,
          readRepairs + other.readRepairs,
          mismatches + other.mismatches);
    }
  }

  LinkTraffic(ClusterMember cluster, int shards) {
    this.cluster = cluster;
    latest = new AtomicReferenceArray<>(shards);
  }

  /** Begins to count the links of a shard. On its thread. */
  void start(Shard shard, ShardMetrics metrics) {
    boolean home = shard.index() == 0;
    latest.set(
        shard.index(),
        new OfShard(
            cluster.counts(shard).stream().reduce(LinkCounts.NONE, LinkCounts::plus),
            home ? cluster.openLinks() : 0,
            home ? cluster.controlMessages() : 0,
            metrics.readRepairs(),
            metrics.digestMismatches()));
    shard.schedule(() -> start(shard, metrics), PERIOD_NANOS);
  }

  /** The sum of all shards. */
  Traffic sum() {
    OfShard sum = OfShard.NOTHING;
    for (int i = 0; i < latest.length(); i++) {
      OfShard shard = latest.get(i);
      sum = shard == null ? sum : sum.plus(shard);
    }
    LinkCounts links = sum.links;
    return new Traffic(
        new Messages(0, links.largeOut(), 0),
        new Messages(0, links.messagesOut() - links.largeOut() - sum.control, links.dropped()),
        new Messages(0, links.heartbeatsOut() + sum.control, 0),
        sum.readRepairs,
        sum.mismatches,
        0,
        Map.of(),
        new ClusterFacts.LinkTotals(
            sum.open,
            links.bytesIn(),
            links.bytesOut(),
            links.messagesIn(),
            links.messagesOut(),
            links.dropped(),
            links.late() + links.lateReplies(),
            links.connections()));
  }
}
