package io.helenus.server.viewbuild;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.shard.Shard;
import io.helenus.server.view.ViewChanges;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.MutationWriter;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of views that can be computed again: without an entry in the batch log. On one
 * shard's thread.
 */
final class ViewChangesWrite implements ReplicaAccess.WriteReply {
  private final Consumer<@Nullable Exception> whenEnded;
  private int left;
  private @Nullable Exception failure;

  private ViewChangesWrite(int partitions, Consumer<@Nullable Exception> whenEnded) {
    this.left = partitions;
    this.whenEnded = whenEnded;
  }

  /**
   * Starts the write; there must be changes.
   *
   * @param whenEnded called when all are durable, or why some are not
   */
  static void start(
      ReplicaAccess replica,
      Shard shard,
      ViewChanges changes,
      Consumer<@Nullable Exception> whenEnded) {
    List<ViewChanges.Partition> partitions = changes.partitions();
    ViewChangesWrite write = new ViewChangesWrite(partitions.size(), whenEnded);
    for (ViewChanges.Partition changed : partitions) {
      ByteWriter mutation = new ByteWriter(1024);
      changed.write(0, new MutationWriter(mutation));
      replica.write(shard, changed.token(), mutation.segment(), mutation.size(), write);
    }
  }

  @Override
  public void written(long nanos) {
    ended();
  }

  @Override
  public void notWritten(Exception cause) {
    failure = cause;
    ended();
  }

  private void ended() {
    if (--left == 0) {
      whenEnded.accept(failure);
    }
  }
}
