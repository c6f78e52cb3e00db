package io.helenus.server.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnKind;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.schema.TableSchemaBuilder;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationEntry;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The changes of views by a row before and after a write. The base row has the key p = 1, c = 2.
 */
class BaseViewsTest {
  private static final int NOW = 1000;
  private static final int V = 3;
  private static final int W = 4;

  private static final TableSchema BASE =
      new TableSchemaBuilder("ks", "t", new UUID(0, 1), 200, TableOptions.defaults())
          .partitionKey("p", ScalarType.BLOB)
          .clustering("c", ScalarType.BLOB, true)
          .regular("v", ScalarType.BLOB)
          .regular("w", ScalarType.BLOB)
          .build();

  /** A view with these columns in its key, and the other given ones. */
  private static TableSchema view(
      @Nullable Integer own,
      List<ViewSchema.Condition> conditions,
      List<String> key,
      List<String> others,
      List<Integer> unselected) {
    TableSchemaBuilder view =
        new TableSchemaBuilder("ks", "view", new UUID(0, 2), 201, TableOptions.defaults());
    for (int i = 0; i < key.size(); i++) {
      ColumnKind kind = i == 0 ? ColumnKind.PARTITION_KEY : ColumnKind.CLUSTERING;
      view.add(column(key.get(i), kind, Math.max(0, i - 1)));
    }
    others.forEach(name -> view.add(column(name, ColumnKind.REGULAR, -1)));
    List<TableDescriptor.Column> hidden =
        unselected.stream()
            .map(
                id ->
                    new TableDescriptor.Column(
                        id, TableDescriptor.Kind.SIMPLE, RowFormat.NO_TIMESTAMP))
            .toList();
    return view.view(new ViewSchema("t", BASE.id(), false, conditions, own, hidden)).build();
  }

  private static ColumnSchema column(String name, ColumnKind kind, int position) {
    ColumnSchema base = Objects.requireNonNull(BASE.column(name));
    return new ColumnSchema(
        name, base.type(), kind, position, false, base.id(), false, null, List.of());
  }

  private static RowView row(Consumer<MutationWriter> content) {
    ByteWriter out = new ByteWriter(64);
    ByteWriter suffix = new ByteWriter(1).putByte(KeyFormat.SECTION_ROWS);
    MutationWriter writer = new MutationWriter(out);
    writer.beginRow(suffix.segment(), 0, 1);
    content.accept(writer);
    writer.endRow();
    MutationEntry entry = new MutationEntry();
    long unused = entry.wrap(out.segment(), 0);
    return new RowView().wrap(out.segment(), entry.valueOffset(), entry.valueLength());
  }

  private static void cell(MutationWriter row, int column, long timestamp, String value) {
    byte[] bytes = value.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    ByteWriter wire = new ByteWriter(Math.max(1, bytes.length)).putBytes(bytes);
    row.cell(column, timestamp, wire.segment(), 0, bytes.length);
  }

  private static List<String> changes(
      TableSchema view, @Nullable RowView before, @Nullable RowView after) {
    BaseViews views = new BaseViews(BASE, List.of(view));
    ByteWriter prefix = new ByteWriter(32);
    ByteWriter key = new ByteWriter(1).putByte('1');
    KeyFormat.putPartition(5, key.segment(), 0, 1, prefix);
    views.partition(prefix.segment(), 0);
    ByteWriter clustering = new ByteWriter(16);
    ByteWriter two = new ByteWriter(1).putByte('2');
    BaseKey.encoding(BASE.clusteringColumns().getFirst())
        .write(two.segment(), 0, 1, true, clustering);
    clustering.putByte(KeyFormat.TAG_END);
    ViewChanges changes = new ViewChanges();
    views.add(clustering.segment(), 0, before, after, NOW, changes);
    List<String> texts = new ArrayList<>();
    for (ViewChanges.Partition partition : changes.partitions()) {
      ByteWriter mutation = new ByteWriter(64);
      partition.write(1, new MutationWriter(mutation));
      describe(mutation, texts);
    }
    return texts;
  }

  private static void describe(ByteWriter mutation, List<String> texts) {
    MutationView view = new MutationView().wrap(mutation.segment(), 0, mutation.size());
    ByteWriter key = new ByteWriter(16);
    long unused = KeyFormat.readPartitionKey(view.segment(), view.prefixOffset(), key);
    String partition = new String(key.toArray(), java.nio.charset.StandardCharsets.US_ASCII);
    MutationEntry entry = new MutationEntry();
    while (view.nextTable()) {
      long at = view.entriesOffset();
      while (at < view.entriesOffset() + view.entriesLength()) {
        at = entry.wrap(view.segment(), at);
        RowView row = new RowView().wrap(view.segment(), entry.valueOffset(), entry.valueLength());
        StringBuilder text = new StringBuilder(partition);
        text.append(row.hasLiveness() ? " live " + row.timestamp() : "");
        text.append(row.ttl() == 0 ? "" : " ttl " + row.ttl());
        text.append(row.hasDeletion() ? " deleted " + row.deletionTimestamp() : "");
        while (row.nextCell()) {
          text.append(", ").append(row.column()).append('@').append(row.cellTimestamp());
          text.append(row.cellIsTombstone() ? " deleted" : " " + row.valueLength());
        }
        texts.add(text.toString());
      }
    }
  }

  private static RowView inserted(long timestamp, String v, String w) {
    return row(
        writer -> {
          writer.liveness(timestamp);
          cell(writer, V, timestamp, v);
          cell(writer, W, timestamp, w);
        });
  }

  /** A table may have had the row before it had the view. */
  @Test
  void aRowWithATooLongKeyIsNotShownAndNewOnesAreRefused() {
    TableSchema view = view(V, List.of(), List.of("v", "p", "c"), List.of("w"), List.of());
    String tooLong = "x".repeat(65_536);
    CqlException refused =
        assertThrows(CqlException.class, () -> changes(view, null, inserted(5, tooLong, "a")));
    assertEquals(
        "Key length of 65536 is longer than maximum of 65535 (in the key of materialized view"
            + " ks.view)",
        refused.getMessage());
    assertThrows(
        CqlException.class, () -> changes(view, inserted(5, "a", "a"), inserted(6, tooLong, "a")));
    assertEquals(List.of(), changes(view, inserted(5, tooLong, "a"), inserted(6, tooLong, "b")));
    assertEquals(List.of(), changes(view, inserted(5, tooLong, "a"), null));
    assertEquals(
        List.of("b live 6, 4@6 1"),
        changes(view, inserted(5, tooLong, "a"), inserted(6, "b", "a")));
  }

  @Test
  void aRowIsMirroredWithHiddenCells() {
    TableSchema view = view(null, List.of(), List.of("c", "p"), List.of("w"), List.of(V));
    RowView row = inserted(10, "v", "ww");
    assertEquals(List.of("2 live 10, 3@10 0, 4@10 2"), changes(view, null, row));
    assertEquals(List.of(), changes(view, row, inserted(10, "x", "ww")), "a hidden value");
    assertEquals(List.of("2 deleted 10"), changes(view, row, null));
    RowView later = row(writer -> cell(writer.liveness(10), W, 20, "w"));
    assertEquals(List.of("2, 3@10 deleted, 4@20 1"), changes(view, row, later));
    RowView cells = row(writer -> cell(writer, V, 7, "v"));
    assertEquals(List.of("2, 3@7 deleted"), changes(view, cells, null));
  }

  @Test
  void aKeyColumnMovesTheRow() {
    TableSchema view = view(V, List.of(), List.of("v", "p", "c"), List.of("w"), List.of());
    RowView row = inserted(10, "a", "ww");
    assertEquals(List.of("a live 10, 4@10 2"), changes(view, null, row));
    RowView moved =
        row(
            writer -> {
              writer.liveness(10);
              cell(writer, V, 20, "b");
              cell(writer, W, 10, "ww");
            });
    assertEquals(List.of("a deleted 10", "b live 20, 4@10 2"), changes(view, row, moved));
    RowView changed =
        row(
            writer -> {
              cell(writer, V, 20, "b");
              cell(writer, W, 30, "w");
            });
    assertEquals(List.of("b, 4@30 1"), changes(view, moved, changed));
    RowView without = row(writer -> cell(writer, W, 30, "w"));
    assertEquals(List.of("b deleted 30"), changes(view, changed, without));
    assertEquals(List.of(), changes(view, without, null));
  }

  @Test
  void anExpiredKeyColumnShowsNoRow() {
    TableSchema view = view(V, List.of(), List.of("v", "p", "c"), List.of("w"), List.of());
    RowView lives = row(writer -> cell(writer.rowExpiry(5, NOW + 1), V, 10, "a"));
    RowView expired = row(writer -> cell(writer.rowExpiry(5, NOW), V, 10, "a"));
    assertEquals(List.of("a live 10 ttl 5"), changes(view, null, lives));
    assertEquals(List.of(), changes(view, null, expired));
  }

  @Test
  void aRowThatDoesNotMeetTheConditionsIsNotShown() {
    List<byte[]> three = List.of(new byte[] {'3'});
    for (ViewSchema.Operator operator :
        List.of(ViewSchema.Operator.EQ, ViewSchema.Operator.GT, ViewSchema.Operator.IN)) {
      ViewSchema.Condition condition =
          new ViewSchema.Condition(List.of(2), false, operator, List.of(three), "3");
      TableSchema view = view(null, List.of(condition), List.of("c", "p"), List.of(), List.of());
      assertEquals(List.of(), changes(view, null, inserted(1, "v", "w")), operator.name());
    }
    ViewSchema.Condition less =
        new ViewSchema.Condition(List.of(2), false, ViewSchema.Operator.LT, List.of(three), "3");
    TableSchema view = view(null, List.of(less), List.of("c", "p"), List.of(), List.of());
    assertEquals(List.of("2 live 1"), changes(view, null, inserted(1, "v", "w")));
  }

  @Test
  void aValueThatIsTooLongForAKeyIsRefused() {
    TableSchema view = view(V, List.of(), List.of("v", "p", "c"), List.of(), List.of());
    RowView row = inserted(1, "v".repeat(65_536), "w");
    assertThrows(CqlException.class, () -> changes(view, null, row));
  }
}
