package io.helenus.server.coordinator;

import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.Randomness;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the entries of a shard's logged batches in this node's {@link BatchLog}, and remembers
 * which ones there are and when each is due for replay: so a replay reads what is due by its key,
 * and does nothing where no batch was left unfinished. What is remembered is bounded; beyond the
 * bound the table itself has to be read for what was left out. Shard thread only unless said
 * otherwise.
 */
public final class LocalBatchLog implements BatchLogKeeper {
  /** About 10 MiB at most. */
  static final int REMEMBERED_LIMIT = 65_536;

  private final Shard shard;
  private final ReplicaAccess replicas;
  private final Clock clock;
  private final Randomness randomness;
  private final long dueAfterNanos;

  /** When entries are due, the one stored or tried first at the front. */
  private final Map<BatchId, Long> due = new LinkedHashMap<>();

  private boolean incomplete = true;
  private int setAside;
  private volatile boolean holdsEntries = true;

  /** The batch log of a shard; its entries are due for replay after twice the write timeout. */
  public LocalBatchLog(
      Shard shard,
      ReplicaAccess replicas,
      Clock clock,
      Randomness randomness,
      long writeTimeoutNanos) {
    this.shard = shard;
    this.replicas = replicas;
    this.clock = clock;
    this.randomness = randomness;
    this.dueAfterNanos = 2 * writeTimeoutNanos;
  }

  /** Whether there may be entries. Any thread. */
  public boolean mayHoldEntries() {
    return holdsEntries;
  }

  @Override
  public BatchId newId(long token) {
    return new BatchId(token, randomness.nextLong(), randomness.nextLong());
  }

  @Override
  public void store(BatchId id, MemorySegment entry, int length, ReplicaAccess.WriteReply reply) {
    remember(id, dueNanos());
    ByteWriter mutation = BatchLog.storing(id, entry, length, clock.wallMicros());
    replicas.write(
        shard,
        id.token(),
        mutation.segment(),
        mutation.size(),
        new ReplicaAccess.WriteReply() {
          @Override
          public void written(long nanos) {
            remember(id, dueNanos()); // a replay may have looked for it in vain before
            reply.written(nanos);
          }

          @Override
          public void notWritten(Exception cause) {
            forget(id);
            reply.notWritten(cause);
          }
        });
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

  /** Remembers an entry, or, if there are too many, that not all are remembered. */
  void remember(BatchId id, long dueNanos) {
    if (due.size() < REMEMBERED_LIMIT) {
      due.putIfAbsent(id, dueNanos);
    } else {
      incomplete = true;
    }
    changed();
  }

  /** When an entry that was just stored would be due. */
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

  /** An entry is to be tried again later, after all others. */
  void retryAt(BatchId id, long dueNanos) {
    due.remove(id);
    remember(id, dueNanos);
  }

  /** There is no such entry any more. */
  void forget(BatchId id) {
    due.remove(id);
    changed();
  }

  /** An entry stays in the table and is not tried again in this run of the node. */
  void setAside(BatchId id) {
    setAside++;
    forget(id);
  }

  /** How many more entries can be remembered. */
  int room() {
    return REMEMBERED_LIMIT - due.size();
  }

  /** Whether the table may hold entries that are not remembered. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** All entries of the table are about to be, or have been, remembered. */
  void complete() {
    incomplete = false;
    changed();
  }

  private void changed() {
    holdsEntries = incomplete || setAside > 0 || !due.isEmpty();
  }
}
