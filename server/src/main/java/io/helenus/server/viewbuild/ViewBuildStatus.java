package io.helenus.server.viewbuild;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Murmur3;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationWriter;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of {@code system_distributed.view_build_status}. Stateless. */
final class ViewBuildStatus {
  private static final long MICROS_PER_SECOND = 1_000_000;

  private ViewBuildStatus() {}

  /** The mutation that shows a status of a node's build of a view, or removes it. */
  static ByteWriter showing(
      TableSchema table,
      String keyspace,
      String view,
      UUID hostId,
      @Nullable String status,
      long timestampMicros) {
    byte[] key = PartitionKeys.of(List.of(utf8(keyspace), utf8(view)));
    ByteWriter keyBytes = new ByteWriter(key.length).putBytes(key);
    long token = Murmur3.token(key);
    ByteWriter prefix = new ByteWriter(64);
    KeyFormat.putPartition(token, keyBytes.segment(), 0, key.length, prefix);
    ByteWriter mutation = new ByteWriter(256);
    MutationWriter writer = new MutationWriter(mutation);
    writer.begin(token, 0, prefix.segment(), 0, prefix.size()).beginTable(table.storageId());
    if (status == null) {
      writer.partitionDeletion(timestampMicros, timestampMicros / MICROS_PER_SECOND);
    } else {
      ColumnSchema host = table.clusteringColumns().getFirst();
      ColumnSchema column = Objects.requireNonNull(table.column("status"));
      ByteWriter id = new ByteWriter(16);
      id.putLong(hostId.getMostSignificantBits()).putLong(hostId.getLeastSignificantBits());
      ByteWriter suffix = new ByteWriter(32).putByte(KeyFormat.SECTION_ROWS);
      Objects.requireNonNull(host.type().keyEncoding())
          .write(id.segment(), 0, id.size(), host.descending(), suffix);
      suffix.putByte(KeyFormat.TAG_END);
      byte[] text = utf8(status);
      ByteWriter value = new ByteWriter(16).putBytes(text);
      writer.beginRow(suffix.segment(), 0, suffix.size()).liveness(timestampMicros);
      writer.cell(column.id(), timestampMicros, value.segment(), 0, text.length).endRow();
    }
    writer.endTable().finish();
    return mutation;
  }

  /** A view that has a row. */
  record View(String keyspace, String name) {}

  /** The views that have rows in the table. */
  static final class Views implements RowSink {
    private final List<View> views = new ArrayList<>();

    List<View> views() {
      return views;
    }

    @Override
    public Next partition(MemorySegment prefix, long offset, int length) {
      ByteWriter key = new ByteWriter(64);
      long ignored = KeyFormat.readPartitionKey(prefix, offset, key);
      long view = PartitionKeys.nextComponent(key.segment(), 0);
      views.add(new View(component(key, 0), component(key, view)));
      return Next.CONTINUE;
    }

    private static String component(ByteWriter key, long offset) {
      int length = PartitionKeys.componentLength(key.segment(), offset);
      byte[] bytes = Bytes.toArray(key.segment(), offset + Short.BYTES, length);
      return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public Next staticRow(RowView row) {
      return Next.CONTINUE;
    }

    @Override
    public Next row(MemorySegment clustering, long offset, int length, RowView row) {
      return Next.CONTINUE;
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
