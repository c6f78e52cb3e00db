package io.helenus.server.simulation.cluster;

import io.helenus.server.metadata.ForgottenVotes;
import io.helenus.server.metadata.MetadataBug;
import io.helenus.storage.env.sim.FileSystemBug;
import io.helenus.storage.local.LocalStorage;
import io.helenus.storage.testing.Violation;
import java.util.function.LongFunction;

/**
 * A bug that is planted in all nodes of a cluster, what it is found as, and the first seed that
 * finds it.
 */
enum ClusterBug {
  /** See {@link LinkBug#REPLY_COUNTED_TWICE}. */
  REPLY_COUNTED_TWICE(LinkBug.REPLY_COUNTED_TWICE, 74),

  /** See {@link LinkBug#WRITE_NOT_AWAITED}. */
  WRITE_NOT_AWAITED(LinkBug.WRITE_NOT_AWAITED, 7),

  /** See {@link LinkBug#REPAIR_NOT_AWAITED}. */
  REPAIR_NOT_AWAITED(LinkBug.REPAIR_NOT_AWAITED, 3),

  /** See {@link LinkBug#BROKEN_LINK_COUNTED}. */
  BROKEN_LINK_COUNTED(LinkBug.BROKEN_LINK_COUNTED, 7),

  /** See {@link LinkBug#DEADLINE_LEAKS}. */
  DEADLINE_LEAKS(LinkBug.DEADLINE_LEAKS, 16),

  /** See {@link LinkBug#STALE_PLACEMENT}. */
  STALE_PLACEMENT(LinkBug.STALE_PLACEMENT, 2),

  /** See {@link LinkBug#WRITE_AFTER_TRUNCATION}. */
  WRITE_AFTER_TRUNCATION(LinkBug.WRITE_AFTER_TRUNCATION, 5),

  /** What was promised and accepted for the next entry is not synced: it is decided twice. */
  VOTE_NOT_SYNCED(
      ClusterRun.Setup::several,
      RealNode.Factory.ofFiles(ForgottenVotes::new),
      Violation.DIVERGED_HISTORY,
      66),

  /** See {@link MetadataBug#FORMER_VOTERS}: they decide a slot which others decide, too. */
  FORMER_VOTERS(MetadataBug.FORMER_VOTERS, Violation.DIVERGED_HISTORY, 39),

  /** See {@link MetadataBug#STALE_PROPOSAL}: of two changes of a table, only one is there. */
  STALE_PROPOSAL(MetadataBug.STALE_PROPOSAL, Violation.LOST_WRITE, 4),

  /** A replica purges deletions, whatever the others have. */
  PURGED_AT_ONCE(
      ClusterRun.Setup::several,
      RealNode.Factory.of(
          (environment, options, tables) ->
              LocalStorage.open(environment, options, tables, (table, now) -> now)),
      Violation.RESURRECTED,
      7),

  /** The commit log of a node alone is not synced. */
  LOG_NOT_SYNCED(ClusterRun.Setup::one, withoutSyncs(), Violation.LOST_WRITE, 46),

  /** The commit logs of three nodes are not synced. */
  LOGS_NOT_SYNCED(ClusterRun.Setup::three, withoutSyncs(), Violation.LOST_WRITE, 167);

  final LongFunction<ClusterRun.Setup> setups;
  final RealNode.Factory factory;
  final Violation violation;
  final long firstSeed;

  ClusterBug(LinkBug bug, long firstSeed) {
    this(
        bug == LinkBug.STALE_PLACEMENT ? ClusterRun.Setup::five : ClusterRun.Setup::several,
        new RealNode.Factory(bug),
        switch (bug) {
          case DEADLINE_LEAKS -> Violation.LEAK;
          case WRITE_AFTER_TRUNCATION -> Violation.WRONG_ROW;
          default -> Violation.LOST_WRITE;
        },
        firstSeed);
  }

  ClusterBug(MetadataBug bug, Violation violation, long firstSeed) {
    this(ClusterRun.Setup::several, new RealNode.Factory(bug), violation, firstSeed);
  }

  ClusterBug(
      LongFunction<ClusterRun.Setup> setups,
      RealNode.Factory factory,
      Violation violation,
      long firstSeed) {
    this.setups = setups;
    this.factory = factory;
    this.violation = violation;
    this.firstSeed = firstSeed;
  }

  private static RealNode.Factory withoutSyncs() {
    return RealNode.Factory.ofFiles(
        files -> FileSystemBug.dropSyncs(files, path -> path.startsWith("commitlog/")));
  }
}
