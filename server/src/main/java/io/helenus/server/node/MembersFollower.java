package io.helenus.server.node;

import io.helenus.server.metadata.ClusterState;
import io.helenus.server.metadata.MetadataException;
import io.helenus.server.metadata.MetadataLog;
import io.helenus.server.metadata.Proposal;
import java.util.function.Consumer;

/** Passes on each state of the metadata log. On the scheduler of the log. */
final class MembersFollower implements MetadataLog.Follower {
  private final Consumer<? super ClusterState> then;

  MembersFollower(Consumer<? super ClusterState> then) {
    this.then = then;
  }

  @Override
  public void applied(long index, Proposal proposal, ClusterState state) {
    then.accept(state);
  }

  @Override
  public void replaced(ClusterState state) {
    then.accept(state);
  }

  @Override
  public void refused(MetadataException cause) {
    // the node's own follower of the log reports it
  }
}
