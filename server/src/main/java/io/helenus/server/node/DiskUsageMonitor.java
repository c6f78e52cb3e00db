package io.helenus.server.node;

import io.helenus.server.error.CqlException;
import io.helenus.server.guardrails.DiskUsage;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.shard.Shard;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.TableStatistics;
import io.helenus.storage.env.Scheduler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures every 30 s how much of the disk the data uses, and logs it if that violates the
 * guardrail {@code data_disk_usage_percentage}: files and memtables, divided by the files and the
 * free space, as in Cassandra. Runs on the I/O pool, its timer on a shard; does nothing if the
 * guardrail is off.
 */
final class DiskUsageMonitor {
  private static final Logger LOGGER = LoggerFactory.getLogger(DiskUsageMonitor.class);
  static final long INTERVAL_NANOS = 30_000_000_000L;

  /** The least time between two warnings and between two errors. */
  static final long REPEAT_NANOS = 30 * 60 * 1_000_000_000L;

  private final World world;
  private final Shard shard;
  private final Storage storage;
  private final Supplier<Collection<TableDescriptor>> tables;
  private final Guardrails guardrails;
  private final long maxDiskBytes;
  private Scheduler.@Nullable Timer timer;
  private boolean stopped;
  private long nextWarningNanos = Long.MIN_VALUE;
  private long nextErrorNanos = Long.MIN_VALUE;

  /**
   * Creates a monitor that has not started.
   *
   * @param tables the tables of the node
   * @param maxDiskBytes the size that a larger disk is taken to have; negative for that of the disk
   */
  DiskUsageMonitor(
      World world,
      Shard shard,
      Storage storage,
      Supplier<Collection<TableDescriptor>> tables,
      Guardrails guardrails,
      long maxDiskBytes) {
    this.world = world;
    this.shard = shard;
    this.storage = storage;
    this.tables = tables;
    this.guardrails = guardrails;
    this.maxDiskBytes = maxDiskBytes;
  }

  /** Starts measuring. Shard thread. */
  void start() {
    if (!stopped && guardrails.hasAny(Limit.DATA_DISK_USAGE_PERCENTAGE)) {
      world.io().execute(this::measure);
    }
  }

  /** Stops measuring. Shard thread. */
  void stop() {
    stopped = true;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  private void measure() {
    long percent = -1;
    try {
      percent = percent(world.files().usableBytes());
    } catch (IOException e) {
      LOGGER.warn("Cannot measure the use of the disk: {}", e.getMessage());
    }
    long measured = percent;
    shard.execute(() -> measured(measured));
  }

  /** The part of the disk that is used, rounded up. */
  private long percent(long usableBytes) {
    long fileBytes = 0;
    long memtableBytes = 0;
    for (TableDescriptor table : tables.get()) {
      TableStatistics statistics = storage.statistics(table.id());
      fileBytes += statistics.fileBytes();
      memtableBytes += statistics.memtableBytes();
    }
    double disk = (double) fileBytes + usableBytes;
    double total = Math.max(1, maxDiskBytes < 0 ? disk : Math.min(disk, maxDiskBytes));
    return (long) Math.ceil(100 * (fileBytes + memtableBytes) / total);
  }

  private void measured(long percent) {
    if (percent >= 0) {
      guardrails.diskUsage().set(state(percent));
    }
    if (!stopped) {
      timer = shard.schedule(this::start, INTERVAL_NANOS);
    }
  }

  private DiskUsage.State state(long percent) {
    List<String> warnings = new ArrayList<>(1);
    try {
      guardrails.check(Limit.DATA_DISK_USAGE_PERCENTAGE, percent, "", warnings::add);
    } catch (CqlException e) {
      logError(e.error().message());
      return DiskUsage.State.FULL;
    }
    if (warnings.isEmpty()) {
      return DiskUsage.State.SPACIOUS;
    }
    logWarning(warnings.getFirst());
    return DiskUsage.State.STUFFED;
  }

  private void logWarning(String warning) {
    long now = world.clock().nanos();
    if (now >= nextWarningNanos) {
      nextWarningNanos = now + REPEAT_NANOS;
      guardrails.diskUsage().warnOnce();
      LOGGER.warn(warning);
    }
  }

  private void logError(String error) {
    long now = world.clock().nanos();
    if (now >= nextErrorNanos) {
      nextErrorNanos = now + REPEAT_NANOS;
      LOGGER.error(error);
    }
  }
}
