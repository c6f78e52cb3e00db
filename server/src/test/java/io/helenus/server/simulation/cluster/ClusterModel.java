package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.Applied;
import io.helenus.server.simulation.Model;
import io.helenus.server.simulation.Row;
import io.helenus.server.simulation.Write;
import java.util.ArrayList;
import java.util.List;

/**
 * What the replicas of two tables may have, judged by consistency levels.
 *
 * <ul>
 *   <li>A write that was acknowledged at a level is on that many replicas. A read sees it for
 *       certain if there are too few other replicas for it to ask.
 *   <li>A write whose outcome is unknown, because it timed out, failed or was never answered, may
 *       be on any replica, now or later. So may one that was acknowledged by fewer.
 *   <li>A write that was refused as UNAVAILABLE is nowhere.
 *   <li>What a read has shown is on as many replicas as it asked: the rest was repaired before it
 *       was answered. Later reads show it, or something newer.
 *   <li>A read at any level shows nothing that was never written there, or that is older than what
 *       it cannot miss.
 *   <li>What was answered before a TRUNCATE was sent is nowhere once that has succeeded. What ran
 *       beside it is there or not, and reads that ran beside it may show anything.
 *   <li>Of a mutation, one replica has all or nothing, unless a read of a part of its partition has
 *       repaired a part of it.
 * </ul>
 *
 * <p>Nothing is purged: neither deletions nor what has expired.
 */
final class ClusterModel {
  /** So long a read may go on repairing after it was sent. */
  private static final long REPAIR_NANOS = 30_000_000_000L;

  final List<Model.Table> tables = new ArrayList<>();
  private final List<List<PartitionHistory>> partitions = new ArrayList<>();
  private final int replicas;

  /** How many truncations of each table are not over. */
  private final int[] truncating = new int[Model.TABLES];

  /** When the last truncation of each table was over. */
  private final long[] truncatedNanos = new long[Model.TABLES];

  /** Empty tables. */
  ClusterModel(int replicas) {
    this.replicas = replicas;
    for (int table = 0; table < Model.TABLES; table++) {
      Model.Table definition = new Model.Table(table);
      definition.hasW = true;
      tables.add(definition);
      partitions.add(new ArrayList<>());
      for (int p = 0; p < Model.PARTITIONS; p++) {
        partitions.getLast().add(new PartitionHistory());
      }
    }
  }

  int replicas() {
    return replicas;
  }

  PartitionHistory partition(Model.Table table, int p) {
    return partitions.get(table.index).get(p);
  }

  /** A write is sent. */
  List<Mutation> submitted(Write write, long nanos) {
    List<Mutation> mutations = new ArrayList<>();
    for (Write.Part part : write.parts) {
      Mutation mutation = new Mutation(part, nanos);
      mutations.add(mutation);
      for (Model.Table table : tables) {
        for (Applied applied : part.changes().get(table.index)) {
          partition(table, part.p()).add(applied.change, mutation);
        }
      }
    }
    return mutations;
  }

  /** The client of a write is answered. */
  void answered(List<Mutation> mutations, long nanos) {
    mutations.forEach(mutation -> mutation.answeredNanos = nanos);
  }

  /** A write was acknowledged by this many replicas. */
  void acknowledged(List<Mutation> mutations, int by, long nanos) {
    for (Mutation mutation : mutations) {
      if (!mutation.mayBeTruncated) {
        mutation.known.atLeast(by, nanos);
      }
    }
  }

  /** A write was refused, and nothing of it was sent to a replica. */
  void refused(List<Mutation> mutations) {
    mutations.forEach(mutation -> mutation.refused = true);
  }

  /** A truncation of a table is sent: until it is over, reads may show anything of before. */
  void truncating(Model.Table table) {
    truncating[table.index]++;
  }

  /** A truncation was refused, and nothing was done. */
  void notTruncated(Model.Table table, long nanos) {
    truncating[table.index]--;
    truncatedNanos[table.index] = nanos;
  }

  /**
   * A table was truncated: whatever was answered before that was sent is gone from all replicas,
   * and does not appear any more. What was in flight meanwhile may be gone or not.
   *
   * @param sentNanos when the truncation was sent first
   */
  void truncated(Model.Table table, long sentNanos, long nanos) {
    notTruncated(table, nanos);
    partitions.get(table.index).replaceAll(before -> before.truncated(sentNanos));
  }

  /** A read is sent. */
  void reading(ReadShape shape, int asked, long nanos) {
    if (!shape.isWhole() && asked > 1) {
      for (int p = 0; p < Model.PARTITIONS; p++) {
        if (shape.asksFor(p)) {
          partition(shape.table(), p).readInPart(nanos + REPAIR_NANOS);
        }
      }
    }
  }

  /**
   * Judges what a read has shown.
   *
   * @param asked how many replicas it asked
   * @param sentNanos when it was sent
   * @param nanos when it was answered
   * @param second what decided about expiry
   */
  void judge(ReadShape shape, List<Row> rows, int asked, long sentNanos, long nanos, long second) {
    int table = shape.table().index;
    if (truncating[table] > 0 || sentNanos <= truncatedNanos[table]) {
      return;
    }
    new ReadJudge(this, shape, rows).judge(asked, sentNanos, nanos, second);
  }
}
