package io.helenus.server.coordinator;

import io.helenus.server.internode.ReplyHandler;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReplicaDifferences;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * One round of read repair: sends replicas the mutations that a {@link ReplicatedRead} has found
 * that they lack, and reports to it which replicas have all of theirs. Shard thread only.
 */
final class ReadRepair implements ReplyHandler {
  private final Coordinator coordinator;
  private final ReplicatedRead read;
  private final ReplicaSet replicas;

  /** How many mutations a replica has not confirmed, by its number. */
  private final int[] left;

  /** The requests sent to other nodes, and the numbers of their replicas, by tag. */
  private long[] sent = new long[4];

  private int[] sentTo = new int[4];
  private int sentCount;

  /** Creates a round; nothing is sent. */
  ReadRepair(Coordinator coordinator, ReplicatedRead read, ReplicaSet replicas) {
    this.coordinator = coordinator;
    this.read = read;
    this.replicas = replicas;
    this.left = new int[replicas.size()];
  }

  /**
   * Sends what is lacking; the differences are not used after that.
   *
   * @param of the numbers of the replicas, in the order of the differences
   */
  void start(ReplicaDifferences differences, int[] of) {
    for (int i = 0; i < of.length; i++) {
      left[of[i]] = differences.count(i);
    }
    for (int i = 0; i < of.length; i++) {
      int count = differences.count(i);
      for (int m = 0; m < count && !read.isEnded(); m++) {
        MemorySegment mutations = differences.mutations(i).segment();
        int from = differences.offset(i, m);
        write(of[i], mutations, from, differences.offset(i, m + 1) - from);
      }
    }
  }

  private void write(int replica, MemorySegment mutations, int offset, int length) {
    long token = coordinator.mutations().token(mutations, offset, length);
    if (replicas.member(replica).isLocal()) {
      new LocalWrite(replica, mutations, offset, length).start(token);
      return;
    }
    if (sentCount == sent.length) {
      sent = Arrays.copyOf(sent, 2 * sentCount);
      sentTo = Arrays.copyOf(sentTo, 2 * sentCount);
    }
    int tag = sentCount++;
    sentTo[tag] = replica;
    sent[tag] =
        coordinator
            .others()
            .write(
                replicas.member(replica),
                token,
                mutations,
                offset,
                length,
                true,
                read.remainingNanos(),
                tag,
                TracedReply.of(read.trace(), this));
    if (sent[tag] == RemoteReplicas.NOT_SENT) {
      read.broken(replica);
    }
  }

  private void written(int replica) {
    if (--left[replica] == 0) {
      read.replicaRepaired(replica);
    }
  }

  @Override
  public void replied(int tag, MemorySegment body, long offset, int length) {
    sent[tag] = RemoteReplicas.NOT_SENT;
    written(sentTo[tag]);
  }

  @Override
  public void failed(int tag, byte code, String text) {
    sent[tag] = RemoteReplicas.NOT_SENT;
    read.failed(sentTo[tag], code, text);
  }

  @Override
  public void broken(int tag) {
    sent[tag] = RemoteReplicas.NOT_SENT;
    read.broken(sentTo[tag]);
  }

  /** Waits for replies no longer. */
  void close() {
    for (int tag = 0; tag < sentCount; tag++) {
      if (sent[tag] != RemoteReplicas.NOT_SENT) {
        coordinator.others().forget(replicas.member(sentTo[tag]), sent[tag]);
        sent[tag] = RemoteReplicas.NOT_SENT;
      }
    }
  }

  /** A mutation for this node's replica, with bytes of its own: the read may end before it. */
  private final class LocalWrite implements ReplicaAccess.WriteReply {
    private final int replica;
    private final ByteWriter mutation;

    LocalWrite(int replica, MemorySegment mutations, int offset, int length) {
      this.replica = replica;
      mutation = coordinator.takeBuffer();
      mutation.putBytes(mutations, offset, length);
    }

    void start(long token) {
      ReplicaActivity.writing(read.trace(), mutation.segment(), 0, mutation.size());
      RunningWrite ignored =
          coordinator
              .replicas()
              .write(coordinator.shard(), token, mutation.segment(), mutation.size(), this);
    }

    @Override
    public void written(long nanos) {
      coordinator.mutations().measure(mutation, -1, nanos, coordinator.shard().nanos());
      coordinator.release(mutation);
      ReadRepair.this.written(replica);
    }

    @Override
    public void notWritten(Exception cause) {
      coordinator.release(mutation);
      read.failedLocally(replica, cause);
    }
  }
}
