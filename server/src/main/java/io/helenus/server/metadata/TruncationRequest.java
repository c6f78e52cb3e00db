package io.helenus.server.metadata;

import io.helenus.server.error.CqlError;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A TRUNCATE of a client, which is over when each member has carried it out. */
final class TruncationRequest implements ChangeRequest, MetadataLog.Watch {
  private static final String PREFIX = "Error during truncate: ";

  private final MetadataLog log;
  private final UUID hostId;
  private final int tableId;
  private final Executor answerOn;
  private final Metadata.TruncationCallback callback;

  /**
   * Creates the request.
   *
   * @param hostId the host id of this node
   */
  TruncationRequest(
      MetadataLog log,
      UUID hostId,
      int tableId,
      Executor answerOn,
      Metadata.TruncationCallback callback) {
    this.log = log;
    this.hostId = hostId;
    this.tableId = tableId;
    this.answerOn = answerOn;
    this.callback = callback;
  }

  @Override
  public @Nullable MetadataEntry plan(ClusterState state) {
    if (callback.isOver()) {
      return null;
    }
    if (state.schema().table(tableId) == null) {
      failed(error("the table was dropped"));
      return null;
    }
    return new MetadataEntry.TableTruncated(tableId);
  }

  @Override
  public void made(long index) {
    followed(hostId);
    log.watch(index, this);
  }

  @Override
  public void followed(UUID member) {
    answerOn.execute(() -> callback.truncated(member));
  }

  @Override
  public void lost(UUID member) {
    failed(error("node " + member + " is down, and truncates the table when it is back"));
  }

  @Override
  public boolean isOver() {
    return callback.isOver();
  }

  @Override
  public void failed(CqlError error) {
    answerOn.execute(() -> callback.failed(error));
  }

  @Override
  public CqlError error(String why) {
    return new CqlError.TruncateError(PREFIX + why);
  }

  @Override
  public CqlError unknown(String why, int voters) {
    return error(why);
  }
}
