package io.helenus.server.query.select;

import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.restriction.PartitionList;
import io.helenus.server.query.restriction.TokenBounds;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a SELECT that have not started: named partitions in order, then a token range. If
 * the last page ended inside a partition, the rest of that partition comes first. Reused. Shard
 * thread only.
 */
final class PendingReads {
  private final ByteWriter lower = new ByteWriter(128);
  private final ByteWriter upper = new ByteWriter(16);
  private List<PartitionList.Partition> partitions = List.of();
  private int next;
  private @Nullable PagingState resumed;
  private TokenBounds tokens = TokenBounds.ALL;
  private boolean scans;

  /** Removes all reads. */
  void clear() {
    partitions = List.of();
    next = 0;
    resumed = null;
    scans = false;
  }

  /** Adds reads of these partitions, starting where the last page ended. */
  void partitions(List<PartitionList.Partition> wanted, @Nullable PagingState from) {
    clear();
    partitions = wanted;
    if (from != null) {
      next = after(wanted, from);
      resumed = from.clustering() == null ? null : from;
    }
  }

  private static int after(List<PartitionList.Partition> wanted, PagingState from) {
    for (int i = 0; i < wanted.size(); i++) {
      if (Arrays.equals(wanted.get(i).prefix(), from.prefix())) {
        return from.clustering() == null ? i + 1 : i;
      }
    }
    throw PagingState.invalid();
  }

  /**
   * Adds a read of a token range, starting where the last page ended.
   *
   * @param local whether the table is node-local, so that its keys have no tokens
   */
  void range(TokenBounds bounds, boolean local, @Nullable PagingState from) {
    clear();
    tokens = bounds;
    scans = !bounds.isEmpty();
    lower.clear();
    upper.clear();
    if (!local && bounds.last() != Long.MAX_VALUE) {
      KeyFormat.putToken(bounds.last() + 1, upper);
    }
    if (from != null) {
      resumeRange(from, local);
    } else if (!local && bounds.first() != Long.MIN_VALUE) {
      KeyFormat.putToken(bounds.first(), lower);
    }
  }

  private void resumeRange(PagingState from, boolean local) {
    lower.putBytes(from.prefix());
    long token = 0;
    if (!local) {
      if (from.prefix().length <= KeyFormat.TOKEN_BYTES) {
        throw PagingState.invalid();
      }
      token = KeyFormat.token(lower.segment(), 0);
      if (!tokens.contains(token)) {
        throw PagingState.invalid();
      }
      tokens = new TokenBounds(token, tokens.last());
    }
    // Greater than every key of this partition, less than those of the next one.
    lower.putByte(0xFF);
    if (from.clustering() != null) {
      partitions = List.of(new PartitionList.Partition(token, from.prefix()));
      resumed = from;
    }
  }

  /** The next partition; null if only the range or nothing remains. */
  PartitionList.@Nullable Partition nextPartition() {
    return next < partitions.size() ? partitions.get(next++) : null;
  }

  /**
   * Where the last page ended inside the partition just returned; null for all other partitions.
   */
  @Nullable PagingState takeResumed() {
    PagingState from = resumed;
    resumed = null;
    return from;
  }

  /** Whether partitions remain. */
  boolean hasPartitions() {
    return next < partitions.size();
  }

  /** The token range; null if there is no range or it has already been taken. */
  @Nullable TokenBounds takeRange() {
    if (!scans) {
      return null;
    }
    scans = false;
    return tokens;
  }

  /** Sets the range of a request. */
  void putRange(ReadRequest request) {
    request.partitions(lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size());
  }

  /**
   * Restricts a request to the rest of a partition after a page; returns false if nothing remains.
   */
  static boolean putRest(
      PagingState from, ClusteringRanges ranges, boolean reversed, ReadRequest request) {
    return ranges.addRest(request, position(from, reversed), reversed);
  }

  /** The bound just after the last row, or just before it if rows are read in reverse. */
  private static byte[] position(PagingState from, boolean reversed) {
    byte[] clustering = from.clustering();
    if (clustering == null) {
      throw new IllegalStateException("nothing remains of the partition");
    }
    byte[] position = new byte[clustering.length + 1];
    position[0] = KeyFormat.SECTION_ROWS;
    System.arraycopy(clustering, 0, position, 1, clustering.length);
    position[position.length - 1] =
        (byte) (reversed ? KeyFormat.TAG_BOUND_BEFORE : KeyFormat.TAG_BOUND_AFTER);
    return position;
  }
}
