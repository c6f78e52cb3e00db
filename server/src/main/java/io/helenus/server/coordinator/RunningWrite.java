package io.helenus.server.coordinator;

/** The handle that takes back the mutation of a write in progress. */
public interface RunningWrite {
  /** A write that has already ended. */
  RunningWrite ENDED = () -> true;

  /**
   * Takes back the bytes of the mutation, because the deadline has passed. A replica that has not
   * begun the write does not begin it any more and replies so; one that has may still succeed.
   * Called on the shard of the request, once.
   *
   * @return true if the replica does not read the bytes any more; if not, it is reading them at the
   *     moment, and either its reply or {@link ReplicaAccess.WriteReply#released} follows
   */
  boolean withdraw();
}
