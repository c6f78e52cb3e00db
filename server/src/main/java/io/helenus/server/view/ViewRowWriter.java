package io.helenus.server.view;

import io.helenus.server.types.KeyEncoding;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the change of one row of a view, or nothing if nothing changes: {@link #begin}, its
 * liveness or deletion, its cells, {@link #end}. One thread at a time; reusable.
 */
final class ViewRowWriter {
  /** The role of a base column: the view has it. */
  static final byte SHOWN = 1;

  /** The role of a base column: it only makes the row exist. */
  static final byte HIDDEN = 2;

  private final byte[] roles;
  private final List<Form> forms;

  private ViewChanges out = new ViewChanges();
  private int tableId;
  private long token;
  private ByteWriter prefix = new ByteWriter(1);
  private ByteWriter suffix = new ByteWriter(1);
  private @Nullable BaseKey key;
  private long nowSeconds;

  private @Nullable MutationWriter row;
  private boolean lives;
  private long timestamp;
  private int ttl;
  private long expirySeconds;
  private long deletion;
  private int nextForm;
  private long formTimestamp;

  /** A clustering column whose wire value is kept in a cell if its key does not determine it. */
  record Form(int columnId, int source, KeyEncoding encoding) {}

  /**
   * Creates a writer for a view.
   *
   * @param roles the roles of the base table's columns by id; 0 for none
   * @param forms by ascending column id
   */
  ViewRowWriter(byte[] roles, List<Form> forms) {
    this.roles = roles;
    this.forms = List.copyOf(forms);
  }

  void begin(
      ViewChanges changes,
      int viewId,
      long viewToken,
      ByteWriter viewPrefix,
      ByteWriter viewSuffix,
      BaseKey baseKey,
      long now) {
    out = changes;
    tableId = viewId;
    token = viewToken;
    prefix = viewPrefix;
    suffix = viewSuffix;
    key = baseKey;
    nowSeconds = now;
    row = null;
    lives = false;
    deletion = RowFormat.NO_TIMESTAMP;
    nextForm = forms.size();
  }

  /** Writes the liveness of the row. */
  void liveness(long newTimestamp, int newTtl, long newExpirySeconds) {
    lives = true;
    timestamp = newTimestamp;
    ttl = newTtl;
    expirySeconds = newExpirySeconds;
    MutationWriter ignored = open();
  }

  /** Deletes what the row has up to a timestamp. */
  void delete(long upTo) {
    deletion = upTo;
    MutationWriter ignored = open();
  }

  /**
   * Writes the liveness of a base row if it has changed. One that has gone was deleted together
   * with all cells up to its timestamp.
   */
  void mirrorLiveness(@Nullable RowView before, @Nullable RowView after) {
    boolean lived = before != null && before.isLive(nowSeconds);
    if (after != null && after.hasLiveness()) {
      boolean same =
          before != null
              && before.hasLiveness()
              && before.timestamp() == after.timestamp()
              && before.ttl() == after.ttl()
              && before.expirySeconds() == after.expirySeconds();
      if (!same && (lived || after.isLive(nowSeconds))) {
        liveness(after.timestamp(), after.ttl(), after.expirySeconds());
      }
    } else if (lived && before != null) {
      delete(before.timestamp());
    }
  }

  /**
   * Keeps the wire values of the key's columns that are not in cells of the base row, unless the
   * key determines them.
   */
  void spell(long newTimestamp) {
    nextForm = 0;
    formTimestamp = newTimestamp;
  }

  /**
   * Writes the live cells that differ, and deletes those that are no longer live. In place of a
   * live cell an expired one, written with a time of the past, is copied: of later cells with the
   * same timestamp it hides fewer than a tombstone.
   */
  void changes(@Nullable RowView before, @Nullable RowView after) {
    boolean hasOld = before != null && next(before.rewind(), false);
    boolean hasNew = after != null && next(after.rewind(), true);
    while (hasOld || hasNew) {
      int order = order(hasOld ? before : null, hasNew ? after : null);
      if (before != null && (order < 0 || order == 0 && after != null && survives(before, after))) {
        remove(before);
      } else if (after != null && isWritten(order > 0 ? null : before, after)) {
        spellUpTo(after.column());
        put(after);
      }
      hasOld = order <= 0 ? before != null && next(before, false) : hasOld;
      hasNew = order >= 0 ? after != null && next(after, true) : hasNew;
    }
    spellUpTo(Integer.MAX_VALUE);
  }

  /** Whether a live cell that must go would win over the expired one in its place. */
  private boolean survives(RowView before, RowView after) {
    if (after.cellIsLive(nowSeconds) || before.cellTimestamp() < after.cellTimestamp()) {
      return false;
    }
    return before.cellTimestamp() > after.cellTimestamp()
        || before.cellIsExpiring() && before.cellSeconds() > after.cellSeconds();
  }

  private boolean isWritten(@Nullable RowView before, RowView after) {
    return before == null ? after.cellIsLive(nowSeconds) : !same(before, after);
  }

  /** Moves to the next live, or expired, cell that the view has; false after the last. */
  private boolean next(RowView cells, boolean alsoExpired) {
    while (cells.nextCell()) {
      if (roles[cells.column()] != 0
          && (cells.cellIsLive(nowSeconds) || alsoExpired && cells.cellIsExpiring())) {
        return true;
      }
    }
    return false;
  }

  private static int order(@Nullable RowView before, @Nullable RowView after) {
    if (before == null || after == null) {
      return before == null ? 1 : -1;
    }
    if (before.column() != after.column()) {
      return Integer.compare(before.column(), after.column());
    }
    if (before.pathLength() < 0 || after.pathLength() < 0) {
      return Integer.compare(before.pathLength(), after.pathLength());
    }
    return Bytes.compare(
        before.segment(),
        before.pathOffset(),
        before.pathLength(),
        after.segment(),
        after.pathOffset(),
        after.pathLength());
  }

  private boolean same(RowView before, RowView after) {
    return before.cellTimestamp() == after.cellTimestamp()
        && before.cellTtl() == after.cellTtl()
        && before.cellSeconds() == after.cellSeconds()
        && (roles[after.column()] == HIDDEN
            || Bytes.equal(
                before.segment(),
                before.valueOffset(),
                before.valueLength(),
                after.segment(),
                after.valueOffset(),
                after.valueLength()));
  }

  private void put(RowView cell) {
    if (roles[cell.column()] == HIDDEN) {
      open().copyCellWithoutValue(cell);
    } else {
      open().copyCell(cell);
    }
  }

  private void remove(RowView cell) {
    if (cell.cellTimestamp() <= deletion) {
      return;
    }
    spellUpTo(cell.column());
    if (cell.pathLength() < 0) {
      open().tombstone(cell.column(), cell.cellTimestamp(), nowSeconds);
    } else {
      open()
          .pathTombstone(
              cell.column(),
              cell.cellTimestamp(),
              nowSeconds,
              cell.segment(),
              cell.pathOffset(),
              cell.pathLength());
    }
  }

  private void spellUpTo(int column) {
    BaseKey values = key;
    while (values != null && nextForm < forms.size() && forms.get(nextForm).columnId() < column) {
      Form form = forms.get(nextForm++);
      int offset = values.offset(form.source());
      int length = values.length(form.source());
      if (!form.encoding().isCanonical(values.segment(), offset, length)) {
        open().keyForm(form.columnId(), formTimestamp, values.segment(), offset, length);
      }
    }
  }

  /** Starts the row in the changes, if it is not started. */
  private MutationWriter open() {
    MutationWriter opened = row;
    if (opened == null) {
      opened = out.rows(tableId, token, prefix);
      row = opened;
      opened.beginRow(suffix.segment(), 0, suffix.size());
      if (lives) {
        opened.liveness(timestamp);
        if (ttl != 0) {
          opened.rowExpiry(ttl, expirySeconds);
        }
      }
      if (deletion != RowFormat.NO_TIMESTAMP) {
        opened.rowDeletion(deletion, nowSeconds);
      }
    }
    return opened;
  }

  /** Whether anything of the row was written. */
  boolean hasWritten() {
    return row != null;
  }

  /** Ends the row. */
  void end() {
    if (row != null) {
      row.endRow();
    }
  }
}
