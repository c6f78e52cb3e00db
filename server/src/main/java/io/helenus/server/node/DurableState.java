package io.helenus.server.node;

import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.coordinator.BatchLog;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.metadata.Metadata;
import io.helenus.server.metadata.MetadataLog;
import io.helenus.server.metadata.TimestampReservation;
import io.helenus.server.query.definition.ColumnMaskCompiler;
import io.helenus.server.query.definition.ViewWhereCompiler;
import io.helenus.server.query.modification.ServerTimestamps;
import io.helenus.server.schema.Schema;
import io.helenus.server.shard.Shard;
import io.helenus.server.viewbuild.ViewBuildLog;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.local.StorageEnvironment;
import io.helenus.storage.memory.NodeMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node keeps on disk: the metadata log, the reservation of server timestamps, and the
 * tables, opened from the files of its previous run in this order. Any thread.
 */
final class DurableState {
  private static final Logger LOG = LoggerFactory.getLogger(DurableState.class);

  /** After this long a truncation that has failed is tried again. */
  private static final long RETRY_NANOS = 1_000_000_000L;

  /** Tables of this node that are in no schema: the storage always has them. */
  private static final List<TableDescriptor> LOCAL_LOGS =
      List.of(BatchLog.TABLE, ViewBuildLog.TABLE);

  private final MetadataLog metadataLog;
  private final TimestampReservation reservation;
  private final ServerTimestamps timestamps;
  private final CompletableFuture<Void> timestampsReserved;
  private final Storage storage;
  private final Metadata metadata;

  /** Opens the files. Blocks. */
  DurableState(Enrollment enrollment, Guardrails guardrails, Node.StorageOpener opener)
      throws IOException {
    World world = enrollment.world();
    Settings settings = enrollment.settings();
    List<Shard> shards = enrollment.shards();
    metadataLog = enrollment.metadataLog();
    reservation = enrollment.reservation();
    timestamps = enrollment.timestamps();
    timestampsReserved = enrollment.timestampsReserved();
    PartitionReports reports = new PartitionReports(guardrails, () -> metadataLog.state().schema());
    storage =
        opener.open(
            environment(world, shards, enrollment.memory()),
            NodeOptions.storage(settings, shards.size(), reports.limits()),
            withLocalLogs(metadataLog.state().tables()));
    metadata =
        new Metadata(
            metadataLog,
            enrollment.localLog().hostId(),
            enrollment.life(),
            new NodeTables(storage, shards.getFirst()),
            world.clock(),
            world.randomness(),
            shards.getFirst(),
            world.fatal(),
            settings.isOn(Setting.DYNAMIC_DATA_MASKING_ENABLED)
                ? new ColumnMaskCompiler(new FunctionContext(world.clock(), world.randomness()))
                : null,
            settings.isOn(Setting.MATERIALIZED_VIEWS_ENABLED)
                ? new ViewWhereCompiler(new FunctionContext(world.clock(), world.randomness()))
                : null,
            guardrails);
  }

  private static StorageEnvironment environment(
      World world, List<Shard> shards, NodeMemory memory) {
    return new StorageEnvironment(
        world.files(),
        world.clock(),
        world.randomness(),
        List.copyOf(shards),
        world.io(),
        world.search(),
        world.background(),
        world.fatal(),
        memory);
  }

  /** The storage as the metadata sees it. */
  private record NodeTables(Storage storage, Shard first) implements Metadata.StoredTables {
    @Override
    public void changed(Tables tables, Consumer<? super Exception> whenDone) {
      storage.tablesChanged(withLocalLogs(tables), whenDone);
    }

    @Override
    public void truncate(List<Integer> tableIds, long index, Runnable whenDone) {
      storage.truncate(
          tableIds,
          index,
          failure -> {
            if (failure == null) {
              whenDone.run();
              return;
            }
            LOG.error("Cannot truncate tables {} yet, will retry", tableIds, failure);
            Scheduler.Timer ignored =
                first.schedule(() -> truncate(tableIds, index, whenDone), RETRY_NANOS);
          });
    }

    @Override
    public long truncatedBy(int tableId) {
      return storage.truncationEpoch(tableId);
    }
  }

  private static Tables withLocalLogs(Tables tables) {
    List<TableDescriptor> live = new ArrayList<>(tables.live());
    live.addAll(LOCAL_LOGS);
    return new Tables(tables.epoch(), live, tables.lastTableId());
  }

  Storage storage() {
    return storage;
  }

  /** The log that {@link #metadata} follows. */
  MetadataLog metadataLog() {
    return metadataLog;
  }

  Metadata metadata() {
    return metadata;
  }

  ServerTimestamps timestamps() {
    return timestamps;
  }

  /** The schema as requests see it. */
  Schema schema() {
    return metadata.state().schema();
  }

  /** The tables that have data. */
  Collection<TableDescriptor> tables() {
    return withLocalLogs(metadataLog.state().tables()).live();
  }

  /** Whether a table still exists. */
  static boolean isTable(int id, Schema schema) {
    return schema.table(id) != null || LOCAL_LOGS.stream().anyMatch(each -> each.id() == id);
  }

  /** Completes when server timestamps may be given out. */
  CompletableFuture<Void> timestampsReserved() {
    return timestampsReserved;
  }

  /** Flushes, releases the unused server timestamps, and closes the metadata log. */
  CompletableFuture<Void> stop() {
    CompletableFuture<Void> flushed = new CompletableFuture<>();
    storage.flushBeforeStop(failure -> complete(flushed, failure));
    return flushed
        .thenCompose(ignored -> reservation.release(timestamps.firstUnused()))
        .thenRun(metadataLog::close);
  }

  /** Completes a future with what storage reports: null or a failure. */
  static void complete(CompletableFuture<Void> done, @Nullable Exception failure) {
    if (failure == null) {
      done.complete(null);
    } else {
      done.completeExceptionally(failure);
    }
  }
}
