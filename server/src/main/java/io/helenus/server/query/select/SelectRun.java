package io.helenus.server.query.select;

import io.helenus.server.coordinator.Failures;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.ClusteringRanges;
import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.query.restriction.RowFilters;
import io.helenus.server.query.selection.CurrentRow;
import io.helenus.server.query.selection.Grouping;
import io.helenus.server.query.selection.SelectedRows;
import io.helenus.server.query.statement.ReadMeasurement;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteChunks;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ElementSink;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memory.ShareExhaustedException;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Groups, sorts and encodes the rows of one SELECT until the page is full; {@link QualifiedRows}
 * decides which rows these are and when it is. It is the sink of the reads and is called on the
 * shards that own the rows, one at a time.
 */
final class SelectRun implements RowSink, RowFilters.Values {
  private final CurrentRow row;
  private final QualifiedRows qualified = new QualifiedRows();
  private final SelectedRows rows;
  private final PostSort sort = new PostSort();
  private final GroupKey groupKey = new GroupKey();
  private final ByteWriter lastPrefix = new ByteWriter(64);
  private final ByteWriter lastClustering = new ByteWriter(64);
  private @Nullable SelectPlan plan;
  private @Nullable NearestRows nearest;
  private @Nullable CqlError failure;

  private boolean partitionMet;
  private boolean reordered;
  private long indexFilesLimit;
  private int indexFiles;
  private int sources;
  private int files;
  private int blocks;
  private long blockBytes;
  private ConsistencyLevel level = ConsistencyLevel.ONE;

  SelectRun(ExpressionEvaluator evaluator, NodeMemory memory) {
    this.row = new CurrentRow(memory.segments(Use.BUFFERS));
    this.rows = new SelectedRows(row, evaluator, memory.answers());
  }

  /**
   * Restricts a request, which has all else, to the elements of collections that are selected, to
   * the nearest rows, and to as many rows as are still wanted.
   */
  void restrict(ReadRequest request) {
    qualified.limit(request);
    row.addElements(request);
    NearestRows wanted = nearest;
    if (wanted != null) {
      wanted.addTo(request);
    }
  }

  /**
   * Starts an execution.
   *
   * @param markers the values of all bind markers, if expressions of the selection need them
   */
  void begin(SelectArguments arguments, BoundSlots bound, byte[] @Nullable [] markers) {
    plan = arguments.plan();
    level = arguments.level();
    failure = null;
    indexFiles = 0;
    sources = 0;
    files = 0;
    blocks = 0;
    blockBytes = 0;
    row.begin(plan.keys(), plan.selection(), bound, arguments.nowSeconds());
    qualified.begin(arguments, bound);
    rows.begin(plan.selection(), markers);
    sort.begin();
    nearest = nearest(plan.ordering().nearest(), arguments, bound);
    partitionMet = false;
    reordered = false;
    lastPrefix.clear();
    lastClustering.clear();
  }

  private @Nullable NearestRows nearest(
      @Nullable NearestOrder order, SelectArguments arguments, BoundSlots bound) {
    if (order == null) {
      return null;
    }
    NearestRules.requireSet(order, bound);
    return new NearestRows(order, arguments.limit(), bound, sort);
  }

  /** Sets the number of rows that earlier pages returned of the only partition of the next read. */
  void resume(int given) {
    qualified.resume(given);
  }

  /** Keeps only the rows of each partition that are in these ranges. */
  void onlyRows(ClusteringRanges ranges) {
    qualified.onlyRows(ranges);
  }

  private SelectPlan plan() {
    if (plan == null) {
      throw new IllegalStateException("no read has started");
    }
    return plan;
  }

  /** Fails if an index would be looked up in more files of a shard. */
  void limitIndexFiles(long most) {
    indexFilesLimit = most;
  }

  // ---- the sink

  @Override
  public Next indexFiles(int files) {
    indexFiles = Math.max(indexFiles, files);
    return files > indexFilesLimit ? fail(Failures.tooManyIndexFiles(level)) : Next.CONTINUE;
  }

  @Override
  public void sources(int readFiles, int readBlocks, long readBytes) {
    sources++;
    files += readFiles;
    blocks += readBlocks;
    blockBytes += readBytes;
  }

  /** Reports what was read on this node. */
  void report(ReadMeasurement measurement) {
    measurement.sources(sources, files, blocks, blockBytes);
  }

  @Override
  public Next partition(MemorySegment prefix, long offset, int length) {
    try {
      if (endsWithStaticRow()) {
        return Next.STOP;
      }
      if (plan().grouping() != null && rows.hasGroup() && endGroup()) {
        return Next.STOP;
      }
      row.partition(prefix, offset, length);
      partitionMet = true;
      qualified.beginPartition();
      return Next.CONTINUE;
    } catch (CqlException e) {
      return fail(e.error());
    } catch (ShareExhaustedException e) {
      return fail(refusal(e));
    }
  }

  @Override
  public Next staticRow(RowView staticRow) {
    qualified.staticRow();
    row.staticRow(staticRow);
    return Next.CONTINUE;
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView view) {
    try {
      if (!qualified.contains(clustering, offset, length)) {
        return Next.CONTINUE;
      }
      row.row(clustering, offset, length, view);
      return switch (qualified.test(this)) {
        case ACCEPTED -> take();
        case REJECTED -> Next.CONTINUE;
        case PARTITION_REJECTED -> Next.SKIP_PARTITION;
      };
    } catch (CqlException e) {
      return fail(e.error());
    } catch (ShareExhaustedException e) {
      return fail(refusal(e));
    }
  }

  @Override
  public @Nullable ElementSink elements() {
    return row.elements();
  }

  @Override
  public byte @Nullable [] filtered(int filter) {
    return row.bytes(plan().filterInputs()[filter]);
  }

  private Next fail(CqlError error) {
    failure = error;
    return Next.STOP;
  }

  private CqlError refusal(ShareExhaustedException e) {
    return Refusals.of(e, plan(), level);
  }

  /** Consumes the current row of an accepted partition. */
  private Next take() {
    SelectPlan current = plan();
    if (current.isAggregate()) {
      return takeIntoGroup(current);
    }
    if (current.ordering().sortsRows()) {
      NearestRows wanted = nearest;
      if (wanted != null) {
        return wanted.take(row, rows) ? Next.KEPT : Next.CONTINUE;
      }
      addSortKey(current);
    }
    rows.add();
    return added();
  }

  private Next takeIntoGroup(SelectPlan current) {
    Grouping grouping = current.grouping();
    if (grouping != null && grouping.clusteringColumns() > 0 && row.hasRow()) {
      boolean continuing = rows.hasGroup();
      boolean starts = groupKey.differs(grouping, row, rows) || !continuing;
      if (continuing && starts && endGroup()) {
        return Next.STOP;
      }
      if (qualified.isPartitionFull()) {
        return Next.SKIP_PARTITION;
      }
      if (starts) {
        groupKey.take(grouping, row);
      }
    }
    if (!rows.hasGroup()) {
      addSortKey(current);
    }
    rows.addToGroup();
    if (grouping != null && qualified.isPaged()) {
      rememberPosition();
    }
    return current.distinct() ? Next.SKIP_PARTITION : Next.CONTINUE;
  }

  /** Records where the current row, or the group that it starts, is sorted. */
  private void addSortKey(SelectPlan current) {
    if (current.ordersPartitions()) {
      sort.add(current.ordering(), row, rows);
    }
  }

  private boolean endGroup() {
    rows.endGroup();
    return qualified.counted(rows.sizeBytes()) == Next.STOP || lacksRoom();
  }

  /** Counts a row that was added; returns how the read goes on. */
  private Next added() {
    Next next = qualified.counted(rows.sizeBytes());
    if (next != Next.STOP && lacksRoom()) {
      next = Next.STOP;
    }
    if (qualified.isPageFull()) {
      rememberPosition();
    }
    return next;
  }

  /** Makes room for the next row; if there is no memory, the page ends, or the read fails. */
  private boolean lacksRoom() {
    try {
      rows.makeRoom();
      return false;
    } catch (ShareExhaustedException e) {
      if (qualified.endPage()) {
        return true;
      }
      throw e;
    }
  }

  private void rememberPosition() {
    ByteWriter prefix = row.prefix();
    lastPrefix.clear().putBytes(prefix.segment(), 0, prefix.size());
    lastClustering.clear();
    if (row.hasRow()) {
      lastClustering.putBytes(
          row.clustering().segment(), row.clustering().offset(), row.clustering().length());
    }
  }

  /** Ends the previous partition; returns whether the read ends with its static row. */
  private boolean endsWithStaticRow() {
    if (!qualified.hasStaticRowAlone()) {
      return false;
    }
    row.noRow();
    return qualified.acceptsPartition(this) && take() == Next.STOP;
  }

  // ---- the outcome

  /** The token of the last partition seen; a different token if none was seen. */
  long lastToken(long otherwise) {
    return partitionMet ? KeyFormat.token(row.prefix().segment(), 0) : otherwise;
  }

  /** Ends the read of one partition or range, unless the result is {@linkplain #isOver over}. */
  void endRead() {
    try {
      boolean ended = endsWithStaticRow();
      qualified.endRead();
      if (!ended && plan().grouping() != null && rows.hasGroup()) {
        endGroup();
      }
    } catch (CqlException e) {
      failure = e.error();
    } catch (ShareExhaustedException e) {
      failure = refusal(e);
    }
  }

  /** Called after all reads; adds a pending row, sorts the rows of several partitions. */
  void finish(int limit) {
    if (failure != null) {
      return;
    }
    try {
      if (plan().isSingleGroup()) {
        rows.endGroup();
      }
      if (plan().sortsRows()) {
        sort(limit);
      }
    } catch (CqlException e) {
      failure = e.error();
    } catch (ShareExhaustedException e) {
      failure = refusal(e);
    }
  }

  private void sort(int limit) {
    sort.sort(plan().ordering().reversed(), limit, rows.sizeBytes());
    if (rows.isLarge()) {
      sort.reorder(rows);
      reordered = true;
    }
  }

  /** Whether no more rows are needed. */
  boolean isOver() {
    return qualified.isOver() || failure != null;
  }

  /** The failure; null if there was none. */
  @Nullable CqlError failure() {
    return failure;
  }

  /** In how many files of a shard an index was looked up, at most. */
  int indexFiles() {
    return indexFiles;
  }

  /** Whether the page filled up before the limit was reached. */
  boolean isPageFull() {
    return qualified.isPageFull();
  }

  /** Whether the last row's partition is finished regardless of its contents. */
  boolean isPartitionExhausted() {
    KeyLayout keys = plan().keys();
    return lastClustering.size() == 0
        || keys.clusteringCount() == 0
        || plan().distinct()
        || qualified.isPartitionFull();
  }

  /** The position at which the page ended. */
  PagingState position() {
    boolean exhausted = isPartitionExhausted();
    return new PagingState(
        qualified.remaining(),
        exhausted ? 0 : qualified.givenInPartition(),
        lastPrefix.toArray(),
        exhausted ? null : lastClustering.toArray());
  }

  /** The number of rows of the result. */
  int rowCount() {
    return plan().sortsRows() ? sort.count() : rows.count();
  }

  /** Whether the rows are handed over in chunks instead of being copied. */
  boolean isLarge() {
    return rows.isLarge();
  }

  /** Hands over the rows of the result. */
  ByteChunks takeRows() {
    return rows.takeChunks();
  }

  /** Appends the rows of the result, if it is not large. */
  void putRows(ByteWriter out) {
    if (plan().sortsRows() && !reordered) {
      sort.putRows(rows.bytes(), out);
    } else {
      out.putBytes(rows.bytes().segment(), 0, rows.bytes().size());
    }
  }

  /** Ends the execution, once its rows have been appended to a response. */
  void end() {
    rows.end();
  }

  /** Ends the execution while another shard may still be using this sink. */
  void abandon() {
    rows.abandon();
  }
}
