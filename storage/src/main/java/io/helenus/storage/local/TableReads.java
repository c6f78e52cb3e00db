package io.helenus.storage.local;

import io.helenus.storage.engine.RawCursor;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.lookup.IndexKeysRead;
import io.helenus.storage.lookup.IndexMerge;
import io.helenus.storage.lookup.IndexRead;
import io.helenus.storage.lookup.TermSources;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.nearest.NearestRead;
import io.helenus.storage.nearest.VectorReads;
import io.helenus.storage.nearest.VectorSources;
import io.helenus.storage.read.ShardReads;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.row.RowView;
import org.jspecify.annotations.Nullable;

/**
 * Opens a shard's read cursors: over the rows of a request, over those of them that an index finds,
 * or over those nearest to a vector. Shard thread only.
 */
final class TableReads {
  private final ShardReads rows;
  private final SlabPool slabs;
  private final VectorReads vectors;

  /**
   * Reads of a shard.
   *
   * @param slabs memory for the keys that reads by index collect
   */
  TableReads(ShardReads rows, SlabPool slabs, VectorReads vectors) {
    this.rows = rows;
    this.slabs = slabs;
    this.vectors = vectors;
  }

  /**
   * Opens a cursor over the current state of a table. The request must not change until the cursor
   * is closed.
   *
   * @throws IllegalArgumentException if the request limits the rows that an index finds
   */
  ReadCursor open(TableSources sources, ReadRequest request) {
    if (request.lookup().isAny() && request.limits().limitRows()) {
      throw new IllegalArgumentException("the rows that an index finds cannot be limited");
    }
    if (request.lookup().vectorIndexId() != 0) {
      return openNearest(sources, request);
    }
    if (request.lookup().indexId() != 0) {
      TermSources index = TermSources.of(sources, request.lookup().indexId());
      if (index != null && !request.keys().isReversed()) {
        return new IndexRead(rows, slabs, sources, index, request);
      }
    }
    return rows.open(sources, request);
  }

  /** Opens a cursor for what a replica sends: data, or the keys that an index finds. */
  RawCursor openRaw(TableSources sources, ReadRequest request, int limitBytes) {
    requireNotNearest(request);
    int indexId = request.lookup().indexId();
    if (indexId == 0) {
      return rows.openRaw(sources, request, limitBytes);
    }
    TermSources index = request.keys().isReversed() ? null : TermSources.of(sources, indexId);
    return new IndexKeysRead(rows, slabs, sources, index, request, limitBytes);
  }

  /** Starts a merge of what replicas have sent. */
  ReplicaMerge merge(TableSources sources, ReadRequest request, int replicas) {
    requireNotNearest(request);
    return request.lookup().indexId() == 0
        ? rows.merge(sources, request, replicas)
        : new IndexMerge(rows, sources, request, replicas);
  }

  private static void requireNotNearest(ReadRequest request) {
    if (request.lookup().vectorIndexId() != 0) {
      throw new IllegalArgumentException("no reads of nearest rows from several replicas");
    }
  }

  private ReadCursor openNearest(TableSources sources, ReadRequest request) {
    VectorSources index = VectorSources.of(sources, request.lookup().vectorIndexId());
    if (index == null) {
      throw new StorageException(
          "index "
              + request.lookup().vectorIndexId()
              + " of table "
              + request.tableId()
              + " does not cover all rows yet; repeat the read when it is built");
    }
    return new NearestRead(rows, vectors, sources, index, request);
  }

  /**
   * Opens a cursor over single rows as they are without and with the newest memtable.
   *
   * @see ShardReads#openBoth
   */
  ReadCursor openBoth(
      TableSources sources, ReadRequest request, RowSink before, @Nullable RowView newest) {
    return rows.openBoth(sources, request, before, newest);
  }
}
