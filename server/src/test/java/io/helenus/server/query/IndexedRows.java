package io.helenus.server.query;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.TermSink;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which rows an index finds, by computing the terms of each. */
final class IndexedRows {
  private IndexedRows() {}

  /** Whether the index finds the row under a term in the range of the request. */
  static boolean finds(
      IndexDescriptor index,
      ReadRequest request,
      byte[] prefix,
      byte[] key,
      byte[] row,
      byte @Nullable [] staticRow) {
    int at = request.lookup().termsOffset();
    byte[] lower = Bytes.toArray(request.segment(), at, request.lookup().termsLowerLength());
    byte[] upper =
        Bytes.toArray(
            request.segment(),
            at + request.lookup().termsLowerLength(),
            request.lookup().termsUpperLength());
    return terms(index, prefix, key, row, staticRow, request.nowSeconds()).stream()
        .anyMatch(
            term ->
                Arrays.compareUnsigned(lower, term) <= 0
                    && (upper.length == 0 || Arrays.compareUnsigned(term, upper) < 0));
  }

  private static List<byte[]> terms(
      IndexDescriptor index,
      byte[] prefix,
      byte[] key,
      byte[] row,
      byte @Nullable [] staticRow,
      long nowSeconds) {
    List<byte[]> terms = new ArrayList<>();
    TermSink sink = (term, offset, length) -> terms.add(Bytes.toArray(term, offset, length));
    switch (index.source()) {
      case CELLS -> ofCells(index, row, nowSeconds, sink);
      case STATIC_CELLS -> {
        if (staticRow != null) {
          ofCells(index, staticRow, nowSeconds, sink);
        }
      }
      case ROW_KEYS, PARTITION_KEYS -> {
        MemorySegment whole = new ByteWriter(64).putBytes(prefix).putBytes(key).segment();
        index.terms().ofKey(whole, 0, prefix.length + key.length, prefix.length, sink);
      }
      case VECTORS -> throw new IllegalStateException("vectors have no terms");
    }
    return terms;
  }

  private static void ofCells(IndexDescriptor index, byte[] row, long nowSeconds, TermSink sink) {
    MemorySegment bytes = new ByteWriter(row.length).putBytes(row).segment();
    RowView view = new RowView().wrap(bytes, 0, row.length);
    while (view.nextCell()) {
      if (view.column() == index.columnId() && view.cellIsLive(nowSeconds)) {
        index
            .terms()
            .ofCell(
                bytes,
                view.pathOffset(),
                view.pathLength(),
                bytes,
                view.valueOffset(),
                view.valueLength(),
                sink);
      }
    }
  }
}
