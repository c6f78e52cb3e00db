package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Hashing;
import io.helenus.storage.cache.FilterCache;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.memtable.Memtable;
import io.helenus.storage.memtable.MemtableCursor;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.BlockSource;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableStatistics;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sources of one read: memtables first, then files, newest data first, without files that
 * cannot contain any requested data. Keeps its cursors for the next read. Shard thread only;
 * reusable.
 */
final class SourceSet {
  private static final int DEAD_CELLS =
      SstableStatistics.KIND_TOMBSTONES | SstableStatistics.KIND_EXPIRING;

  private @Nullable EntryCursor[] cursors = new EntryCursor[8];
  private @Nullable Sstable[] files = new Sstable[8];
  private int count;
  private int newestCursors;
  private int memtableCursors;
  private boolean mayHoldDeadCells;
  private boolean isOfReplies;
  // pooled cursors
  private final MemtableCursor[] freeMemtableCursors = new MemtableCursor[8];
  private int freeMemtableCount;
  private final EntryCursor[] freeFileCursors = new EntryCursor[32];
  private int freeFileCount;

  private final ByteWriter key = new ByteWriter(128);
  private boolean deletionHashKnown;
  private long deletionHash;
  private boolean boundsHashKnown;
  private long boundsHash;

  int count() {
    return count;
  }

  EntryCursor cursor(int index) {
    EntryCursor cursor = cursors[index];
    if (cursor == null) {
      throw new IllegalStateException("no source " + index);
    }
    return cursor;
  }

  /** The number of files. */
  int files() {
    return count - memtableCursors;
  }

  /** Whether these are replies of replicas instead of memtables and files. */
  boolean isOfReplies() {
    return isOfReplies;
  }

  /** Whether some source may contain tombstones or expiring cells. */
  boolean mayHoldDeadCells() {
    return mayHoldDeadCells;
  }

  /** Whether a source is of the newest memtable; these come first. */
  boolean isNewest(int index) {
    return index < newestCursors;
  }

  /** Whether a source is a file; if so, all after it are too. */
  boolean isFile(int index) {
    return index >= memtableCursors;
  }

  /** The largest timestamp in a file and all files after it. */
  long largestTimestamp(int index) {
    Sstable file = files[index];
    return file == null ? Long.MAX_VALUE : file.statistics().largestTimestamp();
  }

  /** Selects the sources for a request; the files' filters are not checked yet. */
  void open(TableSources sources, ReadRequest request, long snapshot, BlockSource blocks) {
    count = 0;
    isOfReplies = false;
    deletionHashKnown = false;
    boundsHashKnown = false;
    newestCursors = 0;
    mayHoldDeadCells = false;
    for (Memtable memtable : sources.memtables()) {
      if (!memtable.isEmpty()) {
        MemtableCursor rows = takeMemtableCursor();
        memtable.openRows(rows, snapshot);
        mayHoldDeadCells |= memtable.mayHoldDeadCells();
        add(rows, null);
        if (memtable.hasBounds()) {
          MemtableCursor bounds = takeMemtableCursor();
          memtable.openBounds(bounds, snapshot);
          add(bounds, null);
        }
      }
      if (memtable == sources.memtables()[0]) {
        newestCursors = count;
      }
    }
    memtableCursors = count;
    for (Sstable file : sources.files()) {
      if (overlaps(file, request)) {
        EntryCursor closed = freeFileCount == 0 ? null : freeFileCursors[--freeFileCount];
        add(file.cursor(closed, blocks), file);
        mayHoldDeadCells |= (file.statistics().kinds() & DEAD_CELLS) != 0;
      }
    }
  }

  /** Takes the replies of replicas as sources; they are read like memtables. */
  void openReplies(List<? extends EntryCursor> replies) {
    count = 0;
    isOfReplies = true;
    newestCursors = 0;
    mayHoldDeadCells = true;
    for (int i = 0; i < replies.size(); i++) {
      add(replies.get(i), null);
    }
    memtableCursors = count;
  }

  private MemtableCursor takeMemtableCursor() {
    return freeMemtableCount == 0 ? new MemtableCursor() : freeMemtableCursors[--freeMemtableCount];
  }

  private void add(EntryCursor cursor, @Nullable Sstable file) {
    if (count == cursors.length) {
      cursors = Arrays.copyOf(cursors, 2 * count);
      files = Arrays.copyOf(files, 2 * count);
    }
    cursors[count] = cursor;
    files[count++] = file;
  }

  private static boolean overlaps(Sstable file, ReadRequest request) {
    MemorySegment segment = request.segment();
    int lower = request.keys().lowerLength();
    if (request.keys().isPartition()) {
      return !file.startsAfter(segment, 0, lower) && !file.endsBefore(segment, 0, lower);
    }
    int upper = request.keys().upperLength();
    return (lower == 0 || !file.endsBefore(segment, 0, lower))
        && (upper == 0 || !file.startsAfter(segment, lower, upper));
  }

  /** Requests the filters that are not in memory, as far as there is room for them. */
  void loadFilters(FilterCache filters, ShardReadCursor waiter) {
    for (int i = memtableCursors; i < count; i++) {
      Sstable file = files[i];
      if (file != null && !file.isFilterLoaded()) {
        waiter.countLoad();
        if (!filters.load(file, waiter)) {
          waiter.uncountLoad();
        }
      }
    }
  }

  /** Drops the files whose filters exclude the partition. */
  void filterByPartition(MemorySegment prefix, long offset, int length) {
    if (count == memtableCursors) {
      return;
    }
    long hash = Hashing.xxh3(prefix, offset, length);
    int kept = memtableCursors;
    for (int i = memtableCursors; i < count; i++) {
      Sstable file = files[i];
      EntryCursor cursor = cursor(i);
      if (file != null && file.mayContain(hash)) {
        cursors[kept] = cursor;
        files[kept++] = file;
      } else {
        keep(cursor);
      }
    }
    Arrays.fill(cursors, kept, count, null);
    Arrays.fill(files, kept, count, null);
    count = kept;
  }

  /** Whether a file may contain a row, or a deletion that may cover it. */
  boolean mayConcernRow(int index, MemorySegment rowKey, int prefixLength, long rowHash) {
    Sstable file = files[index];
    if (file == null || file.mayContain(rowHash)) {
      return true;
    }
    int kinds = file.statistics().kinds();
    if ((kinds & SstableStatistics.KIND_PARTITION_DELETIONS) != 0) {
      if (!deletionHashKnown) {
        deletionHashKnown = true;
        deletionHash = hash(rowKey, prefixLength, KeyFormat.SECTION_PARTITION_DELETION);
      }
      if (file.mayContain(deletionHash)) {
        return true;
      }
    }
    if ((kinds & SstableStatistics.KIND_BOUNDS) == 0) {
      return false;
    }
    if (!boundsHashKnown) {
      boundsHashKnown = true;
      boundsHash = hash(rowKey, prefixLength, Sstable.FILTER_BOUNDS);
    }
    return file.mayContain(boundsHash);
  }

  private long hash(MemorySegment rowKey, int prefixLength, int end) {
    key.clear().putBytes(rowKey, 0, prefixLength).putByte(end);
    return Hashing.xxh3(key.segment(), 0, key.size());
  }

  /** Closes all cursors. */
  void close() {
    for (int i = 0; i < count; i++) {
      keep(cursor(i));
    }
    Arrays.fill(cursors, 0, count, null);
    Arrays.fill(files, 0, count, null);
    count = 0;
  }

  private void keep(EntryCursor cursor) {
    cursor.close();
    if (cursor instanceof MemtableCursor ofMemtable) {
      if (freeMemtableCount < freeMemtableCursors.length) {
        freeMemtableCursors[freeMemtableCount++] = ofMemtable;
      }
    } else if (!isOfReplies && freeFileCount < freeFileCursors.length) {
      freeFileCursors[freeFileCount++] = cursor;
    }
  }
}
