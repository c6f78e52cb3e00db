package io.helenus.server.viewbuild;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import io.helenus.server.replica.LocalReplica;
import io.helenus.server.replica.PartitionStep;
import io.helenus.server.replica.RowsRead;
import io.helenus.server.replica.ShardReplica;
import io.helenus.server.view.ViewChanges;
import io.helenus.server.view.ViewComparison;
import io.helenus.server.viewbuild.ViewVerification.Difference;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.env.Clock;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of the verification of a view in the queue of a partition of its base table, so that no
 * write changes either meanwhile. It goes through some rows of the partition, or through rows of
 * the view that should show rows of the partition:
 *
 * <ol>
 *   <li>the rows of the base table are read;
 *   <li>for each, the view's row that should show it is read and compared; for each given row of
 *       the view, whether it is the one that shows its base row. Other work of the shard goes on
 *       between two rows;
 *   <li>if the view is to be repaired, the changes are written, and the rows compared once more, to
 *       know what could not be repaired.
 * </ol>
 *
 * Shard thread only.
 */
final class VerifyStep implements PartitionStep, ReplicaAccess.ReadReply {
  /** How many rows of the base table are compared in one turn: writes wait for it. */
  static final int ROWS = 128;

  private static final byte[] END = {KeyFormat.SECTION_ROWS, KeyFormat.TAG_BOUND_AFTER};
  private static final int KEYS = 5;

  private final ShardReplica part;
  private final Task task;
  private final ByteWriter prefix;
  private final byte[] from;
  private final List<ViewRow> viewRows;
  private final Consumer<VerifyStep> whenEnded;
  private final RowsRead rows = new RowsRead();
  private final RowsRead stored = new RowsRead();
  private final ReadRequest request = new ReadRequest();
  private long nowSeconds;
  private final List<Found> found = new ArrayList<>();
  private ViewChanges changes = new ViewChanges();
  private @Nullable ViewComparison comparison;
  private @Nullable Runnable turn;
  private byte @Nullable [] resumeAt;
  private @Nullable Exception failure;
  private int index;
  private int differences;
  private int unrepaired;
  private boolean confirms;

  /** What to compare; lets several steps have the same comparison, one after the other. */
  interface Task {
    int baseId();

    int viewId();

    boolean repairs();

    LocalReplica replica();

    Clock clock();

    /** The comparison of the view as it is defined now; fails if there is no such view any more. */
    ViewComparison comparison();
  }

  /**
   * A row of the view.
   *
   * @param suffix the rest of its key, with section and closing tag
   * @param basePrefix the key prefix of the partition of the base table's row that it should show
   * @param baseSuffix the rest of that row's key
   */
  record ViewRow(long token, byte[] prefix, byte[] suffix, byte[] basePrefix, byte[] baseSuffix) {}

  /** A difference, with the key of the view's row in CQL; null after the first few. */
  record Found(Difference kind, @Nullable String key) {}

  private VerifyStep(
      ShardReplica part,
      Task task,
      byte[] prefix,
      byte[] from,
      List<ViewRow> viewRows,
      Consumer<VerifyStep> whenEnded) {
    this.part = part;
    this.task = task;
    this.prefix = of(prefix);
    this.from = from;
    this.viewRows = List.copyOf(viewRows);
    this.whenEnded = whenEnded;
  }

  /** A step for the rows of a partition of the base table from a key suffix on. */
  static VerifyStep ofBaseRows(
      ShardReplica part, Task task, byte[] prefix, byte[] from, Consumer<VerifyStep> whenEnded) {
    return new VerifyStep(part, task, prefix, from, List.of(), whenEnded);
  }

  /** A step for rows of the view, at least one, that should show rows of one partition. */
  static VerifyStep ofViewRows(
      ShardReplica part, Task task, List<ViewRow> viewRows, Consumer<VerifyStep> whenEnded) {
    byte[] prefix = viewRows.getFirst().basePrefix();
    return new VerifyStep(part, task, prefix, END, viewRows, whenEnded);
  }

  private static ByteWriter of(byte[] bytes) {
    return new ByteWriter(bytes.length).putBytes(bytes);
  }

  /** Adds the step to the queue of its partition. On the partition's shard. */
  void queue() {
    part.queue(prefix, this);
  }

  /** How many rows were compared. */
  int compared() {
    return count();
  }

  /** The differences. */
  List<Found> found() {
    return found;
  }

  /** How many of the differences are still there after the repair. */
  int unrepaired() {
    return unrepaired;
  }

  /** Where the next step of the partition begins; null if there is none. */
  byte @Nullable [] resumeAt() {
    return resumeAt;
  }

  /** Why the step failed; null if it did not. */
  @Nullable Exception failure() {
    return failure;
  }

  private boolean hasViewRows() {
    return !viewRows.isEmpty();
  }

  private int count() {
    return hasViewRows() ? viewRows.size() : rows.count();
  }

  private ViewComparison comparison() {
    ViewComparison present = comparison;
    if (present == null) {
      throw new IllegalStateException("the step has not begun");
    }
    return present;
  }

  @Override
  public void begin(Runnable turnEnd) {
    turn = turnEnd;
    nowSeconds = task.clock().wallSeconds();
    try {
      ViewComparison present = task.comparison();
      comparison = present;
      present.partition(prefix.segment(), 0);
      request.reset(task.baseId(), nowSeconds).partition(prefix.segment(), 0, prefix.size());
      if (hasViewRows()) {
        rows.begin(false);
        viewRows.stream()
            .map(ViewRow::baseSuffix)
            .sorted(Arrays::compareUnsigned)
            .forEach(this::addBaseRow);
      } else {
        rows.begin(ROWS);
        request.addSlice(of(from).segment(), 0, from.length, of(END).segment(), 0, END.length);
      }
    } catch (Throwable e) {
      end(part.shard().fatal().contain(e));
      return;
    }
    part.read(part.shard(), request, rows, this);
  }

  private void addBaseRow(byte[] suffix) {
    int last = request.keys().sliceCount() - 1;
    boolean repeated =
        last >= 0
            && Bytes.equal(
                request.segment(),
                request.keys().sliceOffset(last),
                request.keys().sliceLowerLength(last),
                of(suffix).segment(),
                0,
                suffix.length);
    if (!repeated) {
      request.addRow(suffix);
    }
  }

  /** The rows of the base table have been read. */
  @Override
  public void read(boolean stopped, int rowsRead, int tombstones, long nanos) {
    byte[] last = stopped ? rows.lastKey() : null;
    if (last != null) {
      last[last.length - 1] = KeyFormat.TAG_BOUND_AFTER;
      resumeAt = of(new byte[] {KeyFormat.SECTION_ROWS}).putBytes(last).toArray();
    }
    compare();
  }

  @Override
  public void notRead(Exception cause) {
    end(cause);
  }

  private void compare() {
    index = 0;
    next();
  }

  /** Goes on with the next row. */
  private void next() {
    try {
      for (; index < count(); index++) {
        if (hasViewRows() ? seeksGiven(viewRows.get(index)) : seeksShown(index)) {
          return;
        }
      }
      endComparison();
    } catch (Throwable e) {
      end(part.shard().fatal().contain(e));
    }
  }

  /** Reads the view's row that should show a row of the base table; false if none does. */
  private boolean seeksShown(int row) {
    if (!shows(row)) {
      return false;
    }
    read(comparison().token(), comparison().prefix(), comparison().suffix());
    return true;
  }

  /** Reads a given row of the view again, unless the base table has the row that it shows. */
  private boolean seeksGiven(ViewRow row) {
    for (int i = 0; i < rows.count(); i++) {
      if (isKey(i, row.baseSuffix())
          && shows(i)
          && isEqual(comparison().prefix(), row.prefix())
          && isEqual(comparison().suffix(), row.suffix())) {
        return false;
      }
    }
    read(row.token(), of(row.prefix()), of(row.suffix()));
    return true;
  }

  private boolean isKey(int row, byte[] suffix) {
    return Bytes.equal(
        rows.segment(),
        rows.keyOffset(row),
        rows.keyLength(row),
        of(suffix).segment(),
        1,
        suffix.length - 1);
  }

  private static boolean isEqual(ByteWriter a, byte[] b) {
    return Bytes.equal(a.segment(), 0, a.size(), of(b).segment(), 0, b.length);
  }

  private boolean shows(int row) {
    return comparison().shows(rows.segment(), rows.keyOffset(row), rows.row(row), nowSeconds);
  }

  private void read(long token, ByteWriter viewPrefix, ByteWriter viewSuffix) {
    request
        .reset(task.viewId(), nowSeconds)
        .partition(viewPrefix.segment(), 0, viewPrefix.size())
        .addRow(viewSuffix.segment(), 0, viewSuffix.size());
    stored.begin(false);
    task.replica()
        .partOf(token)
        .read(
            part.shard(),
            request,
            stored,
            new ReplicaAccess.ReadReply() {
              @Override
              public void read(boolean stopped, int rowsRead, int tombstones, long nanos) {
                part.shard().executeLast(VerifyStep.this::viewRowRead);
              }

              @Override
              public void notRead(Exception cause) {
                end(cause);
              }
            });
  }

  private void viewRowRead() {
    try {
      RowView row = stored.count() == 0 ? null : stored.row(0);
      if (hasViewRows()) {
        compareGiven(viewRows.get(index), row);
      } else if (comparison().differs(rows.row(index), row, nowSeconds, changes)) {
        Difference kind = row == null ? Difference.MISSING : Difference.WRONG;
        add(kind, comparison().prefix(), comparison().suffix());
      }
    } catch (Throwable e) {
      end(part.shard().fatal().contain(e));
      return;
    }
    index++;
    next();
  }

  private void compareGiven(ViewRow row, @Nullable RowView present) {
    if (present != null) {
      ByteWriter viewPrefix = of(row.prefix());
      ByteWriter viewSuffix = of(row.suffix());
      comparison().remove(row.token(), viewPrefix, viewSuffix, present, nowSeconds, changes);
      add(Difference.SUPERFLUOUS, viewPrefix, viewSuffix);
    }
  }

  private void add(Difference kind, ByteWriter viewPrefix, ByteWriter viewSuffix) {
    if (confirms) {
      unrepaired++;
      return;
    }
    differences++;
    boolean shown = found.stream().filter(each -> each.kind() == kind).count() < KEYS;
    found.add(new Found(kind, shown ? comparison().text(viewPrefix, viewSuffix) : null));
  }

  private void endComparison() {
    if (!task.repairs() || confirms || differences == 0) {
      end(null);
    } else if (changes.isEmpty()) {
      unrepaired = differences;
      end(null);
    } else {
      ViewChangesWrite.start(task.replica(), part.shard(), changes, this::repaired);
    }
  }

  private void repaired(@Nullable Exception cause) {
    if (cause != null) {
      end(cause);
      return;
    }
    confirms = true;
    changes = new ViewChanges();
    compare();
  }

  @Override
  public void refused(CqlError error) {
    end(new CqlException(error));
  }

  private void end(@Nullable Exception cause) {
    failure = cause;
    whenEnded.accept(this);
    Runnable over = turn;
    if (over != null) {
      over.run();
    }
  }
}
