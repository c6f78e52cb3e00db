package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;

/**
 * What a {@link ReplicatedRead} asks of this node's replica: the entries with their deletions, as
 * those of other nodes send them. The shard's thread, except for {@link #isOverdue}.
 */
final class LocalReplicaRead implements ReplicaAccess.ReadReply {
  private final Coordinator coordinator;
  private final ReplicatedRead read;
  private final int replica;
  private final long deadlineNanos;
  private final ByteWriter reply;

  /** What is asked, as a copy: the read may end before the shard that reads for it. */
  private final ReadRequest copy;

  private int files = -1;

  /**
   * Creates it; nothing is read.
   *
   * @param replica the number of this node's replica
   * @param wanted what is asked
   */
  LocalReplicaRead(
      Coordinator coordinator,
      ReplicatedRead read,
      int replica,
      long deadlineNanos,
      ReadRequest wanted) {
    copy = coordinator.copies().of(wanted);
    this.coordinator = coordinator;
    this.read = read;
    this.replica = replica;
    this.deadlineNanos = deadlineNanos;
    this.reply = coordinator.takeBuffer();
  }

  /** Asks. */
  void start(long firstToken, long lastToken, int maxBytes) {
    RunningRead ignored =
        coordinator
            .replicas()
            .readRaw(coordinator.shard(), firstToken, lastToken, copy, maxBytes, reply, this);
  }

  @Override
  public void sources(int files, int blocks, long bytes) {
    if (!read.isEnded()) {
      read.sources(files, blocks, bytes);
    }
  }

  @Override
  public void files(int looked) {
    files = looked;
  }

  @Override
  public void read(boolean stopped, int rows, int tombstones, long nanos) {
    coordinator
        .metrics()
        .readByReplica(
            copy.tableId(),
            copy.keys().isPartition(),
            nanos,
            rows,
            tombstones,
            files,
            coordinator.shard().nanos());
    coordinator.copies().release(copy);
    ReplicaActivity.read(read.trace(), rows, tombstones);
    if (read.isEnded()) {
      coordinator.release(reply);
    } else {
      read.readLocally(replica, reply, tombstones);
    }
  }

  @Override
  public void notRead(Exception cause) {
    coordinator.metrics().notReadByReplica();
    coordinator.copies().release(copy);
    coordinator.release(reply);
    read.notReadLocally(replica, cause);
  }

  @Override
  public boolean isOverdue(long nowNanos) {
    return nowNanos - deadlineNanos >= 0;
  }

  @Override
  public void timedOut() {
    coordinator.metrics().notReadByReplica();
    coordinator.copies().release(copy);
    coordinator.release(reply);
    read.timedOut();
  }
}
