package io.helenus.server.query;

import io.helenus.server.coordinator.ComputedResult;
import io.helenus.server.coordinator.ComputedWrite;
import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.coordinator.RunningRead;
import io.helenus.server.coordinator.RunningWrite;
import io.helenus.server.shard.Shard;
import io.helenus.server.shard.TokenSlices;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowMerge;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A replica that stores rows in a sorted map. A write replaces the whole row and a deletion removes
 * what it covers; timestamps are ignored and rows are not merged. For tests that write each row
 * once.
 */
final class MapReplica implements ReplicaAccess {
  private final TreeMap<Integer, TreeMap<byte[], TreeMap<byte[], byte[]>>> tables = new TreeMap<>();

  /** All mutations received. */
  final List<byte[]> mutations = new ArrayList<>();

  /** The number of reads. */
  int reads;

  /** Ends each read after its rows; null if reads succeed. */
  @Nullable RuntimeException readFailure;

  /** The number of rows that were passed on. */
  int rows;

  /** Knows the indexes of a table; without it, reads do not use indexes. */
  @Nullable IntFunction<TableDescriptor> descriptors;

  @Override
  public RunningRead readRaw(
      Shard from,
      long firstToken,
      long lastToken,
      ReadRequest request,
      int limitBytes,
      ByteWriter into,
      ReadReply reply) {
    throw new UnsupportedOperationException("no test reads several replicas");
  }

  @Override
  public ReplicaMerge merge(Shard shard, ReadRequest request, int replicas) {
    throw new UnsupportedOperationException("no test reads several replicas");
  }

  @Override
  public RunningWrite write(
      Shard from, long token, MemorySegment mutation, int length, WriteReply reply) {
    mutations.add(Bytes.toArray(mutation, 0, length));
    MutationView view = new MutationView().wrap(mutation, 0, length);
    byte[] prefix = Bytes.toArray(mutation, view.prefixOffset(), view.prefixLength());
    while (view.nextTable()) {
      TreeMap<byte[], byte[]> rows =
          tables
              .computeIfAbsent(view.tableId(), id -> new TreeMap<>(Arrays::compareUnsigned))
              .computeIfAbsent(prefix, key -> new TreeMap<>(Arrays::compareUnsigned));
      apply(mutation, view.entriesOffset(), view.entriesLength(), rows);
    }
    reply.written(0);
    return RunningWrite.ENDED;
  }

  private static void apply(
      MemorySegment source, long offset, int length, TreeMap<byte[], byte[]> rows) {
    long at = offset;
    while (at < offset + length) {
      int kind = Bytes.getByte(source, at++);
      switch (kind) {
        case RowFormat.ENTRY_ROW -> {
          int keyLength = (int) Bytes.getVarint(source, at);
          at = Bytes.varintEnd(source, at);
          byte[] key = Bytes.toArray(source, at, keyLength);
          at += keyLength;
          int rowLength = (int) Bytes.getVarint(source, at);
          at = Bytes.varintEnd(source, at);
          byte[] row = Bytes.toArray(source, at, rowLength);
          at += rowLength;
          if ((row[0] & RowFormat.ROW_DELETION) != 0) {
            rows.remove(key);
          } else {
            rows.put(key, row);
          }
        }
        case RowFormat.ENTRY_PARTITION_DELETION -> {
          rows.clear();
          at += 12;
        }
        case RowFormat.ENTRY_RANGE_DELETION -> {
          int startLength = (int) Bytes.getVarint(source, at);
          at = Bytes.varintEnd(source, at);
          byte[] start = Bytes.toArray(source, at, startLength);
          at += startLength;
          int endLength = (int) Bytes.getVarint(source, at);
          at = Bytes.varintEnd(source, at);
          byte[] end = Bytes.toArray(source, at, endLength);
          at += endLength + 12;
          rows.subMap(start, end).clear();
        }
        default -> throw new IllegalArgumentException("unknown entry kind " + kind);
      }
    }
  }

  @Override
  public void compute(Shard from, long token, ComputedWrite write, ComputedReply reply) {
    boolean stopped = read(write.request(), write.begin(null));
    ByteWriter mutation = new ByteWriter(64);
    boolean wrote = write.compute(mutations.size(), mutation);
    ComputedResult result = new ComputedResult(wrote, 0, 0, 1, stopped ? 1 : 0, 0);
    if (!wrote) {
      reply.computed(result);
      return;
    }
    write(
        from,
        token,
        mutation.segment(),
        mutation.size(),
        new WriteReply() {
          @Override
          public void written(long nanos) {
            reply.computed(result);
          }

          @Override
          public void notWritten(Exception cause) {
            reply.notWritten(cause);
          }
        });
  }

  @Override
  public RunningRead read(
      Shard from,
      long firstToken,
      long lastToken,
      ReadRequest request,
      RowSink sink,
      ReadReply reply) {
    reads++;
    boolean stopped;
    try {
      stopped = read(request, sink);
      if (readFailure != null) {
        throw readFailure;
      }
    } catch (RuntimeException e) {
      reply.notRead(e);
      reply.released();
      return RunningRead.ENDED;
    }
    reply.read(stopped, 0, 0, -1);
    return RunningRead.ENDED;
  }

  /** Reads what the bytes of a request say, as a replica on another node does. */
  private boolean read(ReadRequest sent, RowSink sink) {
    ByteWriter bytes = new ByteWriter(64);
    sent.encode(bytes);
    ReadRequest request = new ReadRequest().decode(bytes.segment(), 0, bytes.size());
    TreeMap<byte[], TreeMap<byte[], byte[]>> table = tables.get(request.tableId());
    if (table == null) {
      return false;
    }
    byte[] lower = Bytes.toArray(request.segment(), 0, request.keys().lowerLength());
    NavigableMap<byte[], TreeMap<byte[], byte[]>> partitions;
    if (request.keys().isPartition()) {
      partitions = table.subMap(lower, true, lower, true);
    } else {
      partitions = table.tailMap(lower, true);
      if (request.keys().upperLength() > 0) {
        byte[] upper =
            Bytes.toArray(
                request.segment(), request.keys().lowerLength(), request.keys().upperLength());
        partitions = partitions.headMap(upper, false);
      }
    }
    for (var partition : partitions.entrySet()) {
      if (read(partition.getKey(), partition.getValue(), request, sink)) {
        return true;
      }
    }
    return false;
  }

  private boolean read(
      byte[] prefix, TreeMap<byte[], byte[]> all, ReadRequest request, RowSink sink) {
    byte[] staticKey = {KeyFormat.SECTION_STATIC};
    byte[] staticRow = request.keys().isStaticWanted() ? all.get(staticKey) : null;
    List<byte[]> keys = new ArrayList<>();
    for (Map.Entry<byte[], byte[]> row : all.entrySet()) {
      byte[] key = row.getKey();
      if (key[0] == KeyFormat.SECTION_ROWS
          && wanted(key, request)
          && isFound(request, prefix, key, row.getValue(), all.get(staticKey))) {
        keys.add(key);
      }
    }
    if (keys.isEmpty() && staticRow == null) {
      return false;
    }
    switch (sink.partition(memory(prefix), 0, prefix.length)) {
      case STOP -> {
        return true;
      }
      case SKIP_PARTITION -> {
        return false;
      }
      case CONTINUE, KEPT -> {}
    }
    if (staticRow != null
        && sink.staticRow(new RowView().wrap(memory(staticRow), 0, staticRow.length))
            == RowSink.Next.STOP) {
      return true;
    }
    for (byte[] key : request.keys().isReversed() ? keys.reversed() : keys) {
      byte[] row = Objects.requireNonNull(all.get(key));
      RowView view = new RowView().wrap(memory(row), 0, row.length);
      if (!RowMerge.isLive(view, request.nowSeconds())) {
        continue;
      }
      rows++;
      RowSink.Next next = sink.row(memory(key), 1, key.length - 1, view.rewind());
      if (next != RowSink.Next.CONTINUE) {
        return next == RowSink.Next.STOP;
      }
    }
    return false;
  }

  private boolean isFound(
      ReadRequest request, byte[] prefix, byte[] key, byte[] row, byte @Nullable [] staticRow) {
    if (request.lookup().indexId() == 0 || descriptors == null) {
      return true;
    }
    IndexDescriptor index =
        descriptors.apply(request.tableId()).indexes().stream()
            .filter(each -> each.id() == request.lookup().indexId())
            .findFirst()
            .orElseThrow();
    return IndexedRows.finds(index, request, prefix, key, row, staticRow);
  }

  private static boolean wanted(byte[] key, ReadRequest request) {
    boolean any = request.keys().sliceCount() == 0 || !request.keys().isPartition();
    for (int i = 0; i < request.keys().sliceCount() && !any; i++) {
      int at = request.keys().sliceOffset(i);
      byte[] lower = Bytes.toArray(request.segment(), at, request.keys().sliceLowerLength(i));
      byte[] upper =
          Bytes.toArray(
              request.segment(),
              at + request.keys().sliceLowerLength(i),
              request.keys().sliceUpperLength(i));
      any =
          upper.length == 0
              ? Arrays.equals(key, lower)
              : Arrays.compareUnsigned(lower, key) <= 0 && Arrays.compareUnsigned(key, upper) < 0;
    }
    return any;
  }

  private static MemorySegment memory(byte[] bytes) {
    return new ByteWriter(bytes.length).putBytes(bytes).segment();
  }

  @Override
  public void truncate(Shard from, int tableId, WriteReply reply) {
    tables.remove(tableId);
    reply.written(0);
  }

  @Override
  public TokenSlices slices() {
    return new TokenSlices(new ShardMap(1));
  }
}
