package io.helenus.server.schema;

import io.helenus.cql.ast.IndexStatement.TargetKind;
import io.helenus.server.types.KeyEncoding;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.Source;
import io.helenus.storage.engine.IndexTerms;
import io.helenus.storage.engine.TermSink;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Computes the terms of indexes: the component that a value would have in a key. Stateless; any
 * thread.
 */
final class IndexTermFunctions {
  private static final int INITIAL_BYTES = 64;

  private IndexTermFunctions() {}

  /** What storage needs to know of an index on a static or regular column with a single cell. */
  static IndexDescriptor descriptor(TableSchema table, ColumnSchema column, IndexSchema index) {
    if (!isSupported(column, index.target())) {
      throw new IllegalStateException(table + " has index " + index.name() + " without terms");
    }
    KeyEncoding encoding = Objects.requireNonNull(column.type().keyEncoding());
    return new IndexDescriptor(
        index.id(),
        column.isStatic() ? Source.STATIC_CELLS : Source.CELLS,
        column.id(),
        new OfCell(encoding));
  }

  /** Whether terms can be computed. */
  static boolean isSupported(ColumnSchema column, TargetKind target) {
    return !column.isPrimaryKey()
        && !column.multiCell()
        && (target == TargetKind.SIMPLE || target == TargetKind.FULL)
        && column.type().keyEncoding() != null;
  }

  private record OfCell(KeyEncoding encoding) implements IndexTerms {
    @Override
    public void ofCell(
        MemorySegment path,
        long pathOffset,
        int pathLength,
        MemorySegment value,
        long valueOffset,
        int valueLength,
        TermSink sink) {
      ByteWriter term = new ByteWriter(INITIAL_BYTES);
      encoding.write(value, valueOffset, valueLength, false, term);
      sink.term(term.segment(), 0, term.size());
    }
  }
}
