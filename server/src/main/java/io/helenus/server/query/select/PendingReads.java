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
 * The reads of a SELECT that have not begun: named partitions one after the other, then a range of
 * tokens. Where a page ended inside a partition, the rest of that one comes first. Reused. Shard
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

  /** No reads. */
  void clear() {
    partitions = List.of();
    next = 0;
    resumed = null;
    scans = false;
  }

  /** Reads of these partitions, or of those from where a page ended. */
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
   * A read of a range of tokens, or of what comes after where a page ended.
   *
   * @param local whether keys have no tokens
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
    // Greater than every key of the partition, smaller than those of the next one.
    lower.putByte(0xFF);
    if (from.clustering() != null) {
      partitions = List.of(new PartitionList.Partition(token, from.prefix()));
      resumed = from;
    }
  }

  /** The next partition; null when only the range, or nothing, is left. */
  PartitionList.@Nullable Partition nextPartition() {
    return next < partitions.size() ? partitions.get(next++) : null;
  }

  /** Where the last page ended inside the partition that came just now; null for all others. */
  @Nullable PagingState takeResumed() {
    PagingState from = resumed;
    resumed = null;
    return from;
  }

  /** Whether partitions are left. */
  boolean hasPartitions() {
    return next < partitions.size();
  }

  /** The tokens of the range; null when there is none, or it was taken before. */
  @Nullable TokenBounds takeRange() {
    if (!scans) {
      return null;
    }
    scans = false;
    return tokens;
  }

  /** Puts the range into a request. */
  void putRange(ReadRequest request) {
    request.partitions(lower.segment(), 0, lower.size(), upper.segment(), 0, upper.size());
  }

  /** Puts what is left of a partition after a page into a request; false when nothing is. */
  static boolean putRest(
      PagingState from, ClusteringRanges ranges, boolean reversed, ReadRequest request) {
    return ranges.addRest(request, position(from, reversed), reversed);
  }

  /** The bound right after the last row; right before it where rows come in reverse. */
  private static byte[] position(PagingState from, boolean reversed) {
    byte[] clustering = from.clustering();
    if (clustering == null) {
      throw new IllegalStateException("nothing is left of the partition");
    }
    byte[] position = new byte[clustering.length + 1];
    position[0] = KeyFormat.SECTION_ROWS;
    System.arraycopy(clustering, 0, position, 1, clustering.length);
    position[position.length - 1] =
        (byte) (reversed ? KeyFormat.TAG_BOUND_BEFORE : KeyFormat.TAG_BOUND_AFTER);
    return position;
  }
}
