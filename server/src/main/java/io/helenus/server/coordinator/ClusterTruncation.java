package io.helenus.server.coordinator;

import io.helenus.server.metadata.Metadata;
import java.util.concurrent.Executor;

/** Truncates a table on all members of a cluster, as an entry of the metadata log. Any thread. */
public interface ClusterTruncation {
  /** As {@link Metadata#truncate}. */
  void truncate(int tableId, Executor answerOn, Metadata.TruncationCallback callback);
}
