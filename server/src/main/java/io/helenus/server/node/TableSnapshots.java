package io.helenus.server.node;

import io.helenus.server.admin.Snapshots;
import io.helenus.server.query.statement.AutoSnapshots;
import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.StorageException;
import java.io.IOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the snapshots before DROP and TRUNCATE, named as Cassandra's: {@code
 * truncated-MILLIS-TABLE}. Files are written on I/O threads. Any thread.
 */
final class TableSnapshots implements AutoSnapshots {
  private static final Logger LOG = LoggerFactory.getLogger(TableSnapshots.class);

  private final World world;
  private final Storage storage;
  private final Snapshots snapshots;
  private final Supplier<Schema> visible;
  private final boolean enabled;

  /**
   * Takes snapshots of stored tables.
   *
   * @param visible the schema that is visible on this node
   * @param enabled whether any are taken
   */
  TableSnapshots(
      World world,
      Storage storage,
      Snapshots snapshots,
      Supplier<Schema> visible,
      boolean enabled) {
    this.world = world;
    this.storage = storage;
    this.snapshots = snapshots;
    this.visible = visible;
    this.enabled = enabled;
  }

  @Override
  public void take(
      Reason reason,
      Schema schema,
      List<TableSchema> tables,
      Executor answerOn,
      Consumer<? super Exception> whenDone) {
    List<TableSchema> chosen =
        enabled ? tables.stream().filter(TableSnapshots::isChosen).toList() : List.of();
    if (chosen.isEmpty()) {
      whenDone.accept(null);
    } else {
      new Run(reason, schema, chosen, answerOn, whenDone).next();
    }
  }

  private static boolean isChosen(TableSchema table) {
    return table.storageId() > 0 && table.options().allowAutoSnapshot();
  }

  /** The snapshots before one statement, one after the other. */
  private final class Run {
    private final String prefix;
    private final long startMillis = world.clock().wallMicros() / 1000;
    private final Schema schema;
    private final Iterator<TableSchema> tables;
    private final Executor answerOn;
    private final Consumer<? super Exception> whenDone;

    Run(
        Reason reason,
        Schema schema,
        List<TableSchema> tables,
        Executor answerOn,
        Consumer<? super Exception> whenDone) {
      this.prefix = reason.name().toLowerCase(Locale.ROOT) + "-";
      this.schema = schema;
      this.tables = tables.iterator();
      this.answerOn = answerOn;
      this.whenDone = whenDone;
    }

    /**
     * Begins with the next table. Its memtables are flushed first, which costs nothing if they are
     * empty, because only then it is certain whether it has data.
     */
    void next() {
      if (!tables.hasNext()) {
        answerOn.execute(() -> whenDone.accept(null));
        return;
      }
      TableSchema table = tables.next();
      storage.flush(
          table.storageId(),
          failure -> {
            if (failure != null) {
              ended(table, failure);
            } else if (storage.statistics(table.storageId()).files() == 0) {
              next();
            } else {
              snapshots.turns().take(() -> world.io().execute(() -> begin(table)));
            }
          });
    }

    /** On an I/O thread. */
    private void begin(TableSchema table) {
      String tag;
      String folder;
      try {
        tag = unusedTag(table);
        folder = snapshots.createFolder(tag, table);
      } catch (Throwable e) {
        Exception failure = world.fatal().contain(e);
        snapshots.turns().end();
        ended(table, failure);
        return;
      }
      storage.snapshot(
          table.storageId(),
          folder,
          false,
          failure -> world.io().execute(() -> complete(table, tag, folder, failure)));
    }

    private String unusedTag(TableSchema table) throws IOException {
      long millis = startMillis;
      while (snapshots.exists(prefix + millis + "-" + table.name())) {
        millis++;
      }
      return prefix + millis + "-" + table.name();
    }

    /** On an I/O thread. */
    private void complete(
        TableSchema table, String tag, String folder, @Nullable Exception notLinked) {
      Exception failure = notLinked;
      try {
        if (failure == null) {
          KeyspaceSchema keyspace = Objects.requireNonNull(schema.keyspace(table.keyspace()));
          snapshots.complete(folder, keyspace, table, Instant.ofEpochMilli(startMillis));
        }
      } catch (Throwable e) {
        failure = world.fatal().contain(e);
      }
      if (failure != null) {
        deleteIncomplete(tag, table);
      }
      snapshots.turns().end();
      ended(table, failure);
    }

    private void deleteIncomplete(String tag, TableSchema table) {
      try {
        snapshots.delete(tag, List.of(table.keyspace()));
      } catch (Throwable e) {
        Exception failure = world.fatal().contain(e);
        LOG.warn("Cannot delete the incomplete snapshot {} of {}", tag, table, failure);
      }
    }

    private void ended(TableSchema table, @Nullable Exception failure) {
      if (failure == null || isGone(table)) {
        next();
        return;
      }
      LOG.error("Cannot take a snapshot of {} before it loses its data", table, failure);
      answerOn.execute(
          () ->
              whenDone.accept(
                  new StorageException(
                      "Cannot take a snapshot of " + table + ": " + failure.getMessage())));
    }

    /** Whether another statement has dropped the table meanwhile. */
    private boolean isGone(TableSchema table) {
      TableSchema now = visible.get().table(table.keyspace(), table.name());
      return now == null || !now.id().equals(table.id());
    }
  }
}
