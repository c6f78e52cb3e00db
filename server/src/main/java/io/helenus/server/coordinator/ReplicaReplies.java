package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.ReplyDigest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that the replicas of a {@link ReplicatedRead} have sent: data and digests by the number
 * of the replica, and the data that is being merged, which stays until there is other data to
 * merge. Owns the buffers from the coordinator's pool. Shard thread only.
 */
final class ReplicaReplies {
  private final Coordinator coordinator;
  private @Nullable ByteWriter[] data = {};
  private byte[] @Nullable [] digests = {};
  private List<ByteWriter> merging = List.of();
  private int[] mergingOf = {};

  ReplicaReplies(Coordinator coordinator) {
    this.coordinator = coordinator;
  }

  /** Begins with a number of replicas, of which there is nothing yet. */
  void begin(int replicas) {
    release();
    data = new ByteWriter[replicas];
    digests = new byte[replicas][];
  }

  /** Takes over a buffer with the data of a replica. */
  void putData(int replica, ByteWriter reply) {
    ByteWriter before = data[replica];
    if (before != null) {
      coordinator.release(before);
    }
    data[replica] = reply;
  }

  void putDigest(int replica, byte[] digest) {
    digests[replica] = digest;
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
    ByteWriter digest = new ByteWriter(ReplyDigest.BYTES);
    ReplyDigest.put(reply.segment(), 0, reply.size(), digest);
    byte[] expected = digest.toArray();
    for (int i = 0; i < digests.length; i++) {
      if ((ofDigests & 1 << i) != 0 && !Arrays.equals(expected, digests[i])) {
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
    List<ByteWriter> before = merging;
    merging = new ArrayList<>();
    mergingOf = new int[Integer.bitCount(replied)];
    List<MemorySegment> segments = new ArrayList<>();
    for (int i = 0; i < data.length; i++) {
      ByteWriter reply = data[i];
      if ((replied & 1 << i) != 0 && reply != null) {
        data[i] = null;
        mergingOf[merging.size()] = i;
        merging.add(reply);
        segments.add(reply.segment().asSlice(0, reply.size()));
      }
    }
    merge.replies(segments);
    before.forEach(coordinator::release);
  }

  /** The numbers of the replicas whose data is merged, in its order. */
  int[] merging() {
    return mergingOf;
  }

  /** Returns all buffers. */
  void release() {
    merging.forEach(coordinator::release);
    merging = List.of();
    for (int i = 0; i < data.length; i++) {
      ByteWriter reply = data[i];
      if (reply != null) {
        coordinator.release(reply);
        data[i] = null;
      }
    }
  }
}
