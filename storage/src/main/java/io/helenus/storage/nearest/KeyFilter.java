package io.helenus.storage.nearest;

import io.helenus.storage.engine.ReadCursor.Status;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.lookup.FoundKeys;
import io.helenus.storage.lookup.IndexBlocks;
import io.helenus.storage.lookup.TermSources;
import io.helenus.storage.memory.SegmentSource;
import io.helenus.storage.read.ShardReads;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.vector.KeyListing;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lists the rows that another index finds, before the search for the nearest, unless there are
 * many. Shard thread only.
 */
final class KeyFilter {
  /** How many keys an index may find so that only their vectors are compared. */
  private static final int SMALLEST_LIMIT = 2048;

  private static final int LARGEST_LIMIT = 250_000;

  private final IndexBlocks blocks;
  private final ListedRows listed;
  private final double vectors;
  private final Runnable whenIdle;
  private @Nullable FoundKeys finding;
  private boolean tooMany;
  private double likelyShare = 1;
  private boolean idle;

  /**
   * Starts a list.
   *
   * @param files those of rows in which the keys are sought
   * @param vectors how many there are, some of which may be out of date
   * @param isTimeUp counts an entry, and tells whether the time slice is over
   * @param whenIdle called once after {@link #close}, when no block is being loaded any more
   */
  KeyFilter(
      ShardReads reads,
      SegmentSource memory,
      TermSources terms,
      ReadRequest request,
      List<Sstable> files,
      double vectors,
      BooleanSupplier isTimeUp,
      Runnable whenIdle) {
    this.vectors = vectors;
    this.whenIdle = whenIdle;
    blocks = new IndexBlocks(reads.cache(), this::becomeIdle, terms.onDamage());
    listed = new ListedRows(new KeyListing(memory), files);
    finding =
        new FoundKeys(
            terms,
            request,
            blocks,
            listed,
            isTimeUp,
            limit(vectors, request.lookup().nearestCount()));
  }

  /**
   * Comparing a vector costs less than looking for one in a graph and reading a row in vain: with n
   * vectors and m keys n/m rows are read for each that is kept.
   */
  static int limit(double vectors, int wanted) {
    return (int) Math.clamp(8 * Math.sqrt(vectors * wanted), SMALLEST_LIMIT, LARGEST_LIMIT);
  }

  /** Whether the list is not complete. */
  boolean isListing() {
    return finding != null;
  }

  /** Lists more keys; DONE at the end, or once there are too many. */
  Status advance() {
    FoundKeys current = finding;
    if (current == null) {
      return Status.DONE;
    }
    switch (current.advance()) {
      case WAITING -> {
        return Status.WAITING;
      }
      case YIELD -> {
        return Status.YIELD;
      }
      case TOO_MANY -> {
        tooMany = true;
        listed.listing().release();
        likelyShare = current.estimated() == 0 ? 1 : Math.min(1, current.estimated() / vectors);
      }
      case END -> {}
    }
    endFinding();
    return Status.DONE;
  }

  private void endFinding() {
    FoundKeys current = finding;
    finding = null;
    if (current != null) {
      current.close();
    }
  }

  /** The only rows that can be wanted; null if they are so many that the sink may reject others. */
  @Nullable KeyListing listing() {
    return tooMany ? null : listed.listing();
  }

  /** Which of the listed keys each of the files may have; empty if there are too many. */
  List<BitSet> inFiles() {
    return tooMany ? List.of() : listed.inFiles();
  }

  /** Which share of the vectors that are searched is likely to be of rows that are wanted. */
  double likelyShare() {
    return likelyShare;
  }

  /** Raises the failure of a load. */
  void requireNoFailure() {
    blocks.requireNoFailure();
  }

  /** Calls back once no block is being loaded any more. */
  void whenReady(Runnable continuation) {
    blocks.whenReady(continuation);
  }

  /** Ends the list; what is listed stays valid until {@link #release}. */
  void close() {
    endFinding();
    blocks.close();
  }

  private void becomeIdle() {
    idle = true;
    whenIdle.run();
  }

  /** Whether it has been closed and no block is being loaded. */
  boolean isIdle() {
    return idle;
  }

  /** Releases the memory of the listed keys. */
  void release() {
    listed.listing().release();
  }
}
