package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.server.shard.TokenSlices;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a shard's logged batches in this node's {@link BatchLog}: the ids and the times at
 * which they are due for replay are kept in memory, so that a replay reads due entries by key and
 * does nothing if no batch is unfinished. Their number is limited; entries beyond the limit are
 * found by scanning the table ({@link BatchLogScan}). It writes nothing by itself: what stores or
 * removes an entry is a write of a replica. Shard thread only unless stated otherwise.
 */
public final class BatchLogEntries {
  /** About 10 MiB at most. */
  static final int REMEMBERED_LIMIT = 65_536;

  private final Shard shard;
  private final TokenSlices slices;
  private final Clock clock;
  private final long origin;
  private final long dueAfterNanos;

  /** The times at which entries are due, in the order in which they were stored or last tried. */
  private final Map<BatchId, Long> due = new LinkedHashMap<>();

  private long number;
  private boolean incomplete = true;
  private int setAside;
  private volatile boolean holdsEntries = true;

  /**
   * Creates the entries of a shard; those of the previous run are not known yet. Entries are due
   * for replay after twice the write timeout.
   */
  public BatchLogEntries(
      Shard shard, TokenSlices slices, Clock clock, Randomness randomness, long writeTimeoutNanos) {
    this.shard = shard;
    this.slices = slices;
    this.clock = clock;
    this.origin = randomness.nextLong();
    this.number = randomness.nextLong();
    this.dueAfterNanos = 2 * writeTimeoutNanos;
  }

  /** Whether the table may contain entries. Any thread. */
  public boolean mayHoldEntries() {
    return holdsEntries;
  }

  /**
   * Returns a new id for the entry of a batch whose first partition has this token. Ids have the
   * last token of the slice that the partition is in, and ascend: each entry is stored next to the
   * one before it, where memory is still in the processor's cache.
   */
  public BatchId newId(long token) {
    return new BatchId(slices.of(token).last(), origin, ++number);
  }

  /**
   * Appends what stores an entry to a write of the id's shard, of which it becomes a part. Its
   * outcome is to be reported by {@link #stored} or {@link #notStored}.
   */
  public void storeWith(BatchId id, MemorySegment entry, int length, MutationWriter write) {
    remember(id, dueNanos());
    BatchLog.store(id, entry, length, clock.wallMicros(), write);
  }

  /** A write that stores the entry is durable. */
  public void stored(BatchId id) {
    // a replay may have looked for the entry before it was stored, and forgotten it
    remember(id, dueNanos());
  }

  /** A write that would have stored the entry was refused. */
  public void notStored(BatchId id) {
    forget(id);
  }

  /** Removes an entry from a replica; it is forgotten when that is durable. */
  public void remove(BatchId id, ReplicaAccess replica, ReplicaAccess.WriteReply reply) {
    ByteWriter mutation = BatchLog.removing(id, clock.wallMicros());
    replica.write(
        shard,
        id.token(),
        mutation.segment(),
        mutation.size(),
        new ReplicaAccess.WriteReply() {
          @Override
          public void written(long nanos) {
            forget(id);
            reply.written(nanos);
          }

          @Override
          public void notWritten(Exception cause) {
            reply.notWritten(cause);
          }
        });
  }

  /** Remembers an entry; if there are too many, records only that the list is incomplete. */
  void remember(BatchId id, long dueNanos) {
    if (due.size() < REMEMBERED_LIMIT) {
      due.putIfAbsent(id, dueNanos);
    } else {
      incomplete = true;
    }
    changed();
  }

  /** The time at which an entry stored now is due. */
  long dueNanos() {
    return shard.nanos() + dueAfterNanos;
  }

  /** The entry that has waited longest, if it is due. */
  @Nullable BatchId firstDue(long nowNanos) {
    for (Map.Entry<BatchId, Long> first : due.entrySet()) {
      return first.getValue() - nowNanos <= 0 ? first.getKey() : null;
    }
    return null;
  }

  /** Schedules an entry to be retried after all others. */
  void retryAt(BatchId id, long dueNanos) {
    due.remove(id);
    remember(id, dueNanos);
  }

  /** Forgets an entry that no longer exists. */
  void forget(BatchId id) {
    due.remove(id);
    changed();
  }

  /** Leaves an entry in the table without retrying it until the node restarts. */
  void setAside(BatchId id) {
    setAside++;
    forget(id);
  }

  /** The number of further entries that can be remembered. */
  int room() {
    return REMEMBERED_LIMIT - due.size();
  }

  /** Whether the table may hold entries that are not remembered. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** Records that all entries of the table have been remembered, or are about to be. */
  void complete() {
    incomplete = false;
    changed();
  }

  private void changed() {
    holdsEntries = incomplete || setAside > 0 || !due.isEmpty();
  }
}
