package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the entries of a shard's logged batches in this node's {@link BatchLog}. The ids of the
 * entries and the times at which they are due for replay are also kept in memory, so that a replay
 * reads due entries by key and does nothing if no batch is unfinished. Their number is limited;
 * entries beyond the limit are found by scanning the table ({@link BatchLogScan}). Shard thread
 * only unless stated otherwise.
 */
public final class LocalBatchLog implements BatchLogKeeper {
  /** About 10 MiB at most. */
  static final int REMEMBERED_LIMIT = 65_536;

  private final Shard shard;
  private final ReplicaAccess replicas;
  private final Clock clock;
  private final long origin;
  private final long dueAfterNanos;

  /** The times at which entries are due, in the order in which they were stored or last tried. */
  private final Map<BatchId, Long> due = new LinkedHashMap<>();

  /** For each shard the token of the ids of its entries: that of the first one. */
  private final Map<Integer, Long> tokens = new HashMap<>();

  private long number;
  private boolean incomplete = true;
  private int setAside;
  private volatile boolean holdsEntries = true;

  /** Creates the batch log of a shard. Entries are due for replay after twice the write timeout. */
  public LocalBatchLog(
      Shard shard,
      ReplicaAccess replicas,
      Clock clock,
      Randomness randomness,
      long writeTimeoutNanos) {
    this.shard = shard;
    this.replicas = replicas;
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
   * Ids of a shard have one token and ascend: each entry is stored next to the one before it, where
   * memory is still in the processor's cache.
   */
  @Override
  public BatchId newId(long token) {
    long tokenOfShard = tokens.computeIfAbsent(replicas.shardOf(token), owner -> token);
    return new BatchId(tokenOfShard, origin, ++number);
  }

  @Override
  public void store(BatchId id, MemorySegment entry, int length, ReplicaAccess.WriteReply reply) {
    ByteWriter mutation = new ByteWriter(length + 128);
    storeWith(id, entry, length, new MutationWriter(mutation));
    replicas.write(
        shard,
        id.token(),
        mutation.segment(),
        mutation.size(),
        new ReplicaAccess.WriteReply() {
          @Override
          public void written(long nanos) {
            stored(id);
            reply.written(nanos);
          }

          @Override
          public void notWritten(Exception cause) {
            notStored(id);
            reply.notWritten(cause);
          }
        });
  }

  @Override
  public void storeWith(BatchId id, MemorySegment entry, int length, MutationWriter write) {
    remember(id, dueNanos());
    BatchLog.store(id, entry, length, clock.wallMicros(), write);
  }

  @Override
  public void stored(BatchId id) {
    // a replay may have looked for the entry before it was stored, and forgotten it
    remember(id, dueNanos());
  }

  @Override
  public void notStored(BatchId id) {
    forget(id);
  }

  @Override
  public void remove(BatchId id, ReplicaAccess.WriteReply reply) {
    ByteWriter mutation = BatchLog.removing(id, clock.wallMicros());
    replicas.write(
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
