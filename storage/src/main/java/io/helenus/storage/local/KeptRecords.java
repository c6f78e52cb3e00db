package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.log.LogFiles;
import io.helenus.storage.log.WholeLog;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.row.MutationView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets aside the replayed records of tables that have few of them. A file for each such memtable
 * would be thousands of files after the crash of a node with as many tables that are seldom
 * written. They stay in memory instead, and their records are copied to a log of their own, so that
 * the other logs can be deleted.
 *
 * <p>Its size is limited to a part of a segment: beyond that the tables with the most records are
 * given up, and are flushed. Up to twice as much is held in memory. One thread at a time.
 */
final class KeptRecords {
  private static final Logger LOGGER = LoggerFactory.getLogger(KeptRecords.class);

  /** The records of a table in a shard. */
  private static final class Part {
    private int bytes;
    private boolean givenUp;
  }

  private final StorageContext context;
  private final long logId;
  private final int limitBytes;
  private final Map<TableStore, Part> parts = new HashMap<>();

  /** Whose the records of the log are, in their order. */
  private final List<Part> owners = new ArrayList<>();

  private @Nullable WholeLog log;

  KeptRecords(StorageContext context, long logId) {
    this.context = context;
    this.logId = logId;
    this.limitBytes = context.options().segmentBytes() / LogTail.COPIED_PART;
  }

  /** Adds the current table of a replayed mutation. */
  void add(TableStore store, MutationView view) {
    Part part = parts.computeIfAbsent(store, each -> new Part());
    part.givenUp |= view.entriesLength() > LogTail.LARGE_BYTES;
    if (part.givenUp) {
      return;
    }
    try {
      WholeLog into = log;
      if (into == null) {
        into =
            new WholeLog(logId, context.files().bootId(), context.memory().segments(Use.BUFFERS));
        log = into;
      }
      int before = into.sizeBytes();
      ByteWriter record = into.begin();
      view.copyTable(record);
      into.end();
      owners.add(part);
      part.bytes += into.sizeBytes() - before;
      part.givenUp = part.bytes > LogTail.LARGE_BYTES;
      if (into.sizeBytes() > 2 * limitBytes) {
        reduce(into);
      }
    } catch (Throwable e) {
      // for example because there is no memory
      LOGGER.warn(
          "Cannot set aside the records of small memtables, flushing them instead",
          context.jobs().contain(e));
      giveUpAll();
    }
  }

  /**
   * A memtable of the table is flushed during the replay: its records must not be replayed again
   * from the kept log, which the flush does not cover.
   */
  void giveUp(TableStore store) {
    Part part = parts.get(store);
    if (part != null) {
      part.givenUp = true;
    }
  }

  /** Gives up the largest tables until the rest is within the limit, and removes their records. */
  private void reduce(WholeLog reduced) {
    List<Part> left = new ArrayList<>(parts.values());
    left.removeIf(part -> part.givenUp);
    left.sort(Comparator.comparingInt((Part part) -> part.bytes).reversed());
    long bytes = 0;
    for (Part part : left) {
      bytes += part.bytes;
    }
    for (int i = 0; bytes > limitBytes; i++) {
      left.get(i).givenUp = true;
      bytes -= left.get(i).bytes;
    }
    List<Part> of = owners;
    reduced.retain(record -> !of.get(record).givenUp);
    of.removeIf(part -> part.givenUp);
  }

  private void giveUpAll() {
    parts.values().forEach(part -> part.givenUp = true);
    release();
  }

  /** All tables with replayed records. */
  List<TableStore> replayed() {
    return List.copyOf(parts.keySet());
  }

  /** The tables of a shard with replayed records that are kept, or those that are not. */
  List<TableStore> tables(ShardEngine shard, boolean kept) {
    List<TableStore> tables = new ArrayList<>();
    for (TableStore store : shard.stores().all()) {
      Part part = parts.get(store);
      if (part != null && part.givenUp != kept) {
        tables.add(store);
      }
    }
    return tables;
  }

  /** Call after the last record; whether any are kept. */
  boolean finish() {
    WholeLog finished = log;
    if (finished == null) {
      return false;
    }
    reduce(finished);
    return finished.sizeBytes() > 0;
  }

  /** Writes the log, durably. */
  LogFiles.OldLog write() throws IOException {
    try {
      return Objects.requireNonNull(log).write(context.files());
    } finally {
      release();
    }
  }

  private void release() {
    if (log != null) {
      log.release();
      log = null;
    }
    owners.clear();
  }
}
