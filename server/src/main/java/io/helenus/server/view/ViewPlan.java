package io.helenus.server.view;

import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowMerge;
import io.helenus.storage.row.RowView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A compiled view: how its keys are made from rows of the base table, which rows it shows, and what
 * a change of such a row changes (docs/views.md). One thread at a time.
 */
final class ViewPlan {
  private final TableSchema view;
  private final int ownColumn;
  private final int[] partitionSources;
  private final int[] clusteringSources;
  private final KeyEncoding[] encodings;
  private final boolean[] descending;
  private final List<KeyCondition> conditions = new ArrayList<>();
  private final ViewRowWriter writer;
  private final @Nullable KeyEncoding ownForm;
  private final ViewRow old = new ViewRow();
  private final ViewRow current = new ViewRow();
  private final ByteWriter composite = new ByteWriter(128);

  /** A row of the view: its key and, with a key column of its own, the state of that cell. */
  private static final class ViewRow {
    private final ByteWriter prefix = new ByteWriter(128);
    private final ByteWriter suffix = new ByteWriter(128);
    private long token;
    private long tooLong;
    private long timestamp;
    private int ttl;
    private long expirySeconds;

    boolean hasKeyOf(ViewRow other) {
      return equal(prefix, other.prefix) && equal(suffix, other.suffix);
    }

    private static boolean equal(ByteWriter a, ByteWriter b) {
      return Bytes.equal(a.segment(), 0, a.size(), b.segment(), 0, b.size());
    }
  }

  ViewPlan(TableSchema base, TableSchema view, BaseKey key) {
    this.view = view;
    ViewSchema definition = Objects.requireNonNull(view.view(), "not a view");
    ownColumn = definition.keyColumn() == null ? 0 : definition.keyColumn();
    Map<Integer, Integer> sources = new HashMap<>();
    Map<Integer, ColumnSchema> columns = new HashMap<>();
    for (ColumnSchema column : base.columns()) {
      columns.put(column.id(), column);
    }
    for (int i = 0; i < base.partitionKey().size(); i++) {
      sources.put(base.partitionKey().get(i).id(), i);
    }
    for (int i = 0; i < base.clusteringColumns().size(); i++) {
      sources.put(base.clusteringColumns().get(i).id(), base.partitionKey().size() + i);
    }
    if (ownColumn != 0) {
      sources.put(ownColumn, key.own());
    }
    partitionSources = sources(view.partitionKey(), sources);
    clusteringSources = sources(view.clusteringColumns(), sources);
    encodings = new KeyEncoding[clusteringSources.length];
    descending = new boolean[clusteringSources.length];
    for (int i = 0; i < encodings.length; i++) {
      encodings[i] = BaseKey.encoding(view.clusteringColumns().get(i));
      descending[i] = view.clusteringColumns().get(i).descending();
    }
    for (ViewSchema.Condition condition : definition.conditions()) {
      // as in Cassandra, IS NOT NULL of a column outside the key restricts nothing
      if (condition.columnIds().stream().allMatch(sources::containsKey)) {
        List<ColumnSchema> restricted = condition.columnIds().stream().map(columns::get).toList();
        conditions.add(new KeyCondition(condition, restricted, sources(restricted, sources)));
      }
    }
    List<ViewRowWriter.Form> forms = forms(base, sources);
    writer = new ViewRowWriter(roles(base, definition), forms);
    ownForm =
        forms.stream()
            .filter(each -> each.columnId() == ownColumn)
            .map(ViewRowWriter.Form::encoding)
            .findFirst()
            .orElse(null);
  }

  private static int[] sources(List<ColumnSchema> columns, Map<Integer, Integer> sources) {
    return columns.stream()
        .mapToInt(
            column -> Objects.requireNonNull(sources.get(column.id()), "no source of " + column))
        .toArray();
  }

  private byte[] roles(TableSchema base, ViewSchema definition) {
    byte[] roles = new byte[base.lastColumnId() + 1];
    for (ColumnSchema column : view.columns()) {
      if (column.kind() != ColumnKind.PARTITION_KEY && column.id() != ownColumn) {
        roles[column.id()] = ViewRowWriter.SHOWN;
      }
    }
    if (ownColumn == 0) {
      for (TableDescriptor.Column column : definition.unselected()) {
        roles[column.id()] = ViewRowWriter.HIDDEN;
      }
    }
    return roles;
  }

  /** The clustering columns whose wire values may have to be kept, and are no base cells. */
  private List<ViewRowWriter.Form> forms(TableSchema base, Map<Integer, Integer> sources) {
    List<ViewRowWriter.Form> forms = new ArrayList<>();
    for (ColumnSchema column : view.clusteringColumns()) {
      int source = Objects.requireNonNull(sources.get(column.id()));
      boolean ofBaseRow =
          base.clusteringColumns().stream().anyMatch(each -> each.id() == column.id());
      if (!ofBaseRow && BaseKey.encoding(column).keepsWireValue()) {
        forms.add(new ViewRowWriter.Form(column.id(), source, BaseKey.encoding(column)));
      }
    }
    forms.sort(Comparator.comparingInt(ViewRowWriter.Form::columnId));
    return forms;
  }

  int tableId() {
    return view.storageId();
  }

  /** Where the values of the view's partition key are in a {@link BaseKey}. */
  int[] partitionSources() {
    return partitionSources;
  }

  /** Where the values of the view's clustering columns are in a {@link BaseKey}. */
  int[] clusteringSources() {
    return clusteringSources;
  }

  /** Adds what changes because of a row of the base table, whose key is given. */
  void add(
      BaseKey key,
      @Nullable RowView before,
      @Nullable RowView after,
      long nowSeconds,
      ViewChanges out) {
    if (ownColumn == 0) {
      mirror(key, before, after, nowSeconds, out);
    } else {
      moveOrChange(key, before, after, nowSeconds, out);
    }
  }

  /** Computes the key of the row that shows a row of the base table; false if none does. */
  boolean shows(BaseKey key, RowView base, long nowSeconds) {
    if (ownColumn != 0) {
      return takeLife(key, base, nowSeconds, current);
    }
    if (!isShown(key) || !RowMerge.isLive(base, nowSeconds)) {
      return false;
    }
    return putKey(key, current) == 0;
  }

  /** The token of the key that {@link #shows} has computed. */
  long token() {
    return current.token;
  }

  /** The prefix of the key that {@link #shows} has computed. */
  ByteWriter prefix() {
    return current.prefix;
  }

  /** The suffix of the key that {@link #shows} has computed. */
  ByteWriter suffix() {
    return current.suffix;
  }

  /**
   * Adds what makes the stored row equal to what it should show, under the key that {@link #shows}
   * has computed.
   *
   * @param stored what the view has, if it is live
   * @return whether they differ, even if nothing can be written
   */
  boolean repair(
      BaseKey key, RowView base, @Nullable RowView stored, long nowSeconds, ViewChanges out) {
    writer.begin(out, tableId(), current.token, current.prefix, current.suffix, key, nowSeconds);
    boolean hides = false;
    if (ownColumn == 0) {
      hides = stored != null && hidesWithLiveness(stored, base, nowSeconds);
      if (!hides) {
        writer.mirrorLiveness(stored, base);
      }
      if (stored == null) {
        writer.spell(latest(base, nowSeconds));
      }
    } else if (stored == null || stored.timestamp() != current.timestamp) {
      writer.liveness(current.timestamp, current.ttl, current.expirySeconds);
      writer.spell(current.timestamp);
    }
    writer.changes(stored, base);
    writer.end();
    return hides || writer.hasWritten();
  }

  /**
   * Whether a liveness that the base row does not have cannot be deleted, since that would delete
   * cells that it has: a deletion takes all cells up to its timestamp.
   */
  private static boolean hidesWithLiveness(RowView stored, RowView base, long nowSeconds) {
    if (!stored.isLive(nowSeconds) || base.hasLiveness()) {
      return false;
    }
    base.rewind();
    while (base.nextCell()) {
      if (base.cellIsLive(nowSeconds) && base.cellTimestamp() <= stored.timestamp()) {
        return true;
      }
    }
    return false;
  }

  /** Adds what deletes a live row that should not be there. */
  void remove(
      long token,
      ByteWriter prefix,
      ByteWriter suffix,
      BaseKey key,
      RowView stored,
      long nowSeconds,
      ViewChanges out) {
    writer.begin(out, tableId(), token, prefix, suffix, key, nowSeconds);
    if (ownColumn == 0) {
      writer.mirrorLiveness(stored, null);
      writer.changes(stored, null);
    } else {
      writer.delete(latest(stored, nowSeconds));
    }
    writer.end();
  }

  private void mirror(
      BaseKey key,
      @Nullable RowView before,
      @Nullable RowView after,
      long nowSeconds,
      ViewChanges out) {
    if (!isShown(key)) {
      return;
    }
    boolean existed = before != null && RowMerge.isLive(before, nowSeconds);
    boolean exists = after != null && RowMerge.isLive(after, nowSeconds);
    long tooLong = putKey(key, current);
    if (tooLong > 0) {
      refuseNew(tooLong, existed, exists);
      return;
    }
    writer.begin(out, tableId(), current.token, current.prefix, current.suffix, key, nowSeconds);
    writer.mirrorLiveness(before, after);
    if (exists && !existed) {
      writer.spell(latest(after, nowSeconds));
    }
    writer.changes(before, after);
    writer.end();
  }

  private void moveOrChange(
      BaseKey key,
      @Nullable RowView before,
      @Nullable RowView after,
      long nowSeconds,
      ViewChanges out) {
    boolean existed = before != null && takeLife(key, before, nowSeconds, old);
    boolean exists = after != null && takeLife(key, after, nowSeconds, current);
    refuseNew(
        after == null ? 0 : current.tooLong,
        before != null && old.tooLong > 0,
        after != null && current.tooLong > 0);
    if (existed && exists && current.hasKeyOf(old)) {
      writer.begin(out, tableId(), current.token, current.prefix, current.suffix, key, nowSeconds);
      writer.changes(before, after);
      writer.end();
      return;
    }
    if (existed && before != null) {
      writer.begin(out, tableId(), old.token, old.prefix, old.suffix, key, nowSeconds);
      writer.delete(Math.max(old.timestamp, latest(before, nowSeconds)));
      writer.end();
    }
    if (exists) {
      writer.begin(out, tableId(), current.token, current.prefix, current.suffix, key, nowSeconds);
      writer.liveness(current.timestamp, current.ttl, current.expirySeconds);
      writer.spell(current.timestamp);
      writer.changes(null, after);
      writer.end();
    }
  }

  /** The life of the view's row that a base row shows; false if it shows none. */
  private boolean takeLife(BaseKey key, RowView row, long nowSeconds, ViewRow life) {
    life.tooLong = 0;
    row.rewind();
    while (row.nextCell()) {
      if (row.column() != ownColumn) {
        continue;
      }
      if (!row.cellIsLive(nowSeconds)) {
        return false;
      }
      key.own(row.segment(), row.valueOffset(), row.valueLength());
      if (!isShown(key)) {
        return false;
      }
      life.timestamp = row.cellTimestamp();
      life.ttl = row.cellTtl();
      life.expirySeconds = row.cellSeconds();
      life.tooLong = putKey(key, life);
      return life.tooLong == 0;
    }
    return false;
  }

  private boolean isShown(BaseKey key) {
    for (int source : partitionSources) {
      if (key.length(source) < 0) {
        return false;
      }
    }
    for (int source : clusteringSources) {
      if (key.length(source) < 0) {
        return false;
      }
    }
    for (KeyCondition condition : conditions) {
      if (!condition.isMet(key)) {
        return false;
      }
    }
    return true;
  }

  /** Writes the key of a row; returns its bytes if they are too many for a key, otherwise 0. */
  private long putKey(BaseKey key, ViewRow row) {
    composite.clear();
    long bytes = 0;
    for (int source : partitionSources) {
      bytes += key.length(source);
      if (bytes > PartitionKeys.LIMIT_BYTES) {
        return bytes;
      }
      if (partitionSources.length == 1) {
        composite.putBytes(key.segment(), key.offset(source), key.length(source));
      } else {
        PartitionKeys.putComponent(
            key.segment(), key.offset(source), key.length(source), composite);
      }
    }
    if (composite.size() > PartitionKeys.LIMIT_BYTES) {
      return composite.size();
    }
    row.token = Murmur3.token(composite.segment(), 0, composite.size());
    row.prefix.clear();
    KeyFormat.putPartition(row.token, composite.segment(), 0, composite.size(), row.prefix);
    row.suffix.clear().putByte(KeyFormat.SECTION_ROWS);
    bytes = 0;
    for (int i = 0; i < clusteringSources.length; i++) {
      int source = clusteringSources[i];
      bytes += key.length(source);
      if (bytes > PartitionKeys.LIMIT_BYTES) {
        return bytes;
      }
      encodings[i].write(
          key.segment(), key.offset(source), key.length(source), descending[i], row.suffix);
    }
    if (ownColumn != 0) {
      row.suffix.putByte(KeyFormat.TAG_VALUE).putLong(row.timestamp ^ Long.MIN_VALUE);
      row.suffix.putInt((int) row.expirySeconds).putInt(row.ttl);
      putForm(key, row.suffix);
    }
    row.suffix.putByte(KeyFormat.TAG_END);
    return 0;
  }

  /**
   * Tells lives of equal values with different bytes apart: of several that are written with one
   * timestamp, one may be overwritten by another value, and that by the second of them. A hash,
   * since the value is in the key already and may be long.
   */
  private void putForm(BaseKey key, ByteWriter suffix) {
    KeyEncoding encoding = ownForm;
    if (encoding == null) {
      return;
    }
    long offset = key.offset(key.own());
    int length = key.length(key.own());
    if (!encoding.isCanonical(key.segment(), offset, length)) {
      long hash = Murmur3.token(key.segment(), offset, length);
      suffix.putByte(KeyFormat.TAG_VALUE).putLong(hash);
    }
  }

  /**
   * Refuses a row whose key is too long for the view, unless it was so before the write: the table
   * may have had it before it had the view, which does not show it.
   */
  private void refuseNew(long bytes, boolean before, boolean after) {
    if (after && !before) {
      throw CqlException.invalid(
          "Key length of "
              + bytes
              + " is longer than maximum of "
              + PartitionKeys.LIMIT_BYTES
              + " (in the key of materialized view "
              + view
              + ")");
    }
  }

  /** The latest timestamp of what is live in a row. */
  private static long latest(@Nullable RowView row, long nowSeconds) {
    long latest = Long.MIN_VALUE + 1;
    if (row == null) {
      return latest;
    }
    if (row.isLive(nowSeconds)) {
      latest = row.timestamp();
    }
    row.rewind();
    while (row.nextCell()) {
      if (row.cellIsLive(nowSeconds)) {
        latest = Math.max(latest, row.cellTimestamp());
      }
    }
    return latest;
  }
}
