package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Encodes the model's actions as mutations. */
final class TestMutations {
  private final ByteWriter bytes = new ByteWriter(512);
  private final MutationWriter writer = new MutationWriter(bytes);
  private final ByteWriter value = new ByteWriter(16);
  private final ByteWriter path = new ByteWriter(16);

  /** The epoch that mutations are planned in from now on. */
  long epoch = 1;

  /** Starts a mutation of a partition. */
  TestMutations begin(int partitionKey) {
    return begin(TestKeys.token(partitionKey), TestKeys.prefix(partitionKey));
  }

  /** Starts a mutation of the partition with a key prefix. */
  TestMutations begin(long token, ByteWriter prefix) {
    bytes.clear();
    writer.begin(token, epoch, prefix.segment(), 0, prefix.size());
    return this;
  }

  /** Adds the actions on one table. */
  TestMutations table(int tableId, List<? extends ModelTable.Action> actions, long nowSeconds) {
    writer.beginTable(tableId);
    for (ModelTable.Action action : actions) {
      add(action, nowSeconds);
    }
    writer.endTable();
    return this;
  }

  /** The complete mutation, valid until the next one is started. */
  ByteWriter end() {
    writer.finish();
    return bytes;
  }

  private void add(ModelTable.Action action, long nowSeconds) {
    switch (action) {
      case ModelTable.DeletePartition all -> writer.partitionDeletion(all.timestamp(), nowSeconds);
      case ModelTable.DeleteRange range -> {
        ByteWriter start = TestKeys.suffix(range.from(), KeyFormat.TAG_BOUND_BEFORE);
        ByteWriter end = TestKeys.suffix(range.to(), KeyFormat.TAG_BOUND_AFTER);
        writer.rangeDeletion(
            start.segment(),
            0,
            start.size(),
            end.segment(),
            0,
            end.size(),
            range.timestamp(),
            nowSeconds);
      }
      case ModelTable.DeleteRow row -> {
        ByteWriter suffix = TestKeys.suffix(row.clustering(), KeyFormat.TAG_END);
        writer.beginRow(suffix.segment(), 0, suffix.size());
        writer.rowDeletion(row.timestamp(), nowSeconds).endRow();
      }
      case ModelTable.Put put -> put(put, nowSeconds);
    }
  }

  private void put(ModelTable.Put put, long nowSeconds) {
    ByteWriter suffix =
        put.isStatic()
            ? TestKeys.staticSuffix()
            : TestKeys.suffix(put.clustering(), KeyFormat.TAG_END);
    writer.beginRow(suffix.segment(), 0, suffix.size());
    if (put.insert()) {
      writer.liveness(put.timestamp());
    }
    if (put.ttl() > 0) {
      writer.rowExpiry(put.ttl(), put.expirySeconds());
    }
    for (Map.Entry<Integer, @Nullable Integer> cell : put.cells().entrySet()) {
      Integer number = cell.getValue();
      if (number == null) {
        writer.tombstone(cell.getKey(), put.timestamp(), nowSeconds);
      } else {
        value.clear().putInt(number);
        writer.cell(cell.getKey(), put.timestamp(), value.segment(), 0, value.size());
      }
    }
    put(put.elements(), put.timestamp(), nowSeconds);
    writer.endRow();
  }

  private void put(ModelTable.Elements elements, long timestamp, long nowSeconds) {
    int column = ModelTable.MULTI_CELL_COLUMN;
    if (elements.replaces()) {
      writer.columnDeletion(column, timestamp - 1, nowSeconds);
    }
    for (Map.Entry<Integer, @Nullable Integer> element : elements.cells().entrySet()) {
      path.clear().putInt(element.getKey());
      Integer number = element.getValue();
      if (number == null) {
        writer.pathTombstone(column, timestamp, nowSeconds, path.segment(), 0, path.size());
      } else {
        value.clear().putInt(number);
        writer.pathCell(
            column, timestamp, path.segment(), 0, path.size(), value.segment(), 0, value.size());
      }
    }
  }
}
