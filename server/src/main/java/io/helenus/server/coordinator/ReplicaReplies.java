package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.ReplyDigest;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that the replicas of a {@link ReplicatedRead} have sent: data and digests by the number
 * of the replica, and the data that is being merged, which stays until there is other data to
 * merge. Owns the buffers from the coordinator's pool. Shard thread only.
 */
final class ReplicaReplies {
  private static final ByteWriter[] NO_DATA = {};
  private static final long[] NO_DIGESTS = {};
  private static final int[] NOBODY = {};

  private final Coordinator coordinator;
  private @Nullable ByteWriter[] data = NO_DATA;

  /** The two halves of each digest. */
  private long[] digests = NO_DIGESTS;

  /** The replicas whose digests are of this version, a bit for each. */
  private int known;

  /** By the number of the replica, too. */
  private @Nullable ByteWriter[] merging = NO_DATA;

  private int[] mergingOf = NOBODY;

  ReplicaReplies(Coordinator coordinator) {
    this.coordinator = coordinator;
  }

  /** Begins with a number of replicas, of which there is nothing yet. */
  void begin(int replicas) {
    release();
    data = new ByteWriter[replicas];
    merging = NO_DATA;
    digests = new long[2 * replicas];
    known = 0;
  }

  /** Takes over a buffer with the data of a replica. */
  void putData(int replica, ByteWriter reply) {
    ByteWriter before = data[replica];
    if (before != null) {
      coordinator.release(before);
    }
    data[replica] = reply;
  }

  /** Takes the digest of a replica's data. */
  void putDigest(int replica, MemorySegment body, long offset, int length) {
    if (ReplyDigest.isOne(body, offset, length)) {
      known |= 1 << replica;
      digests[2 * replica] = ReplyDigest.low(body, offset);
      digests[2 * replica + 1] = ReplyDigest.high(body, offset);
    } else {
      known &= ~(1 << replica);
    }
  }

  /**
   * Whether digests are that of the data.
   *
   * @param ofData the replica whose data it is
   * @param ofDigests the replicas that have sent digests, a bit for each
   */
  boolean agree(int ofData, int ofDigests) {
    ByteWriter reply = data[ofData];
    if (reply == null) {
      throw new IllegalStateException("digests are compared before there is data");
    }
    if ((ofDigests & ~known) != 0) {
      return false;
    }
    long[] own = ReplyDigest.of(reply.segment(), 0, reply.size());
    for (int i = 0; i < data.length; i++) {
      if ((ofDigests & 1 << i) != 0 && (digests[2 * i] != own[0] || digests[2 * i + 1] != own[1])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Hands data to a merge, and returns the buffers that it has read until now.
   *
   * @param replied the replicas whose data it is, a bit for each
   */
  void merge(int replied, ReplicaMerge merge) {
    @Nullable ByteWriter[] before = merging;
    merging = data;
    data = new ByteWriter[merging.length];
    mergingOf = new int[Integer.bitCount(replied)];
    MemorySegment[] segments = new MemorySegment[mergingOf.length];
    int count = 0;
    for (int i = 0; i < merging.length; i++) {
      ByteWriter reply = merging[i];
      if (reply == null) {
        continue;
      }
      if ((replied & 1 << i) != 0) {
        segments[count] = reply.segment().asSlice(0, reply.size());
        mergingOf[count++] = i;
      } else {
        data[i] = reply;
        merging[i] = null;
      }
    }
    merge.replies(List.of(segments));
    release(before);
  }

  /** The numbers of the replicas whose data is merged, in its order. */
  int[] merging() {
    return mergingOf;
  }

  /** Returns all buffers. */
  void release() {
    release(merging);
    release(data);
  }

  private void release(@Nullable ByteWriter[] buffers) {
    for (int i = 0; i < buffers.length; i++) {
      ByteWriter buffer = buffers[i];
      if (buffer != null) {
        coordinator.release(buffer);
        buffers[i] = null;
      }
    }
  }
}
