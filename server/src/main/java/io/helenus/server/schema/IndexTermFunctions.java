package io.helenus.server.schema;

import io.helenus.cql.ast.IndexStatement.TargetKind;
import io.helenus.server.types.CollectionCells;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.PartitionKeys;
import io.helenus.server.types.VectorType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.Source;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.IndexTerms;
import io.helenus.storage.engine.TermSink;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Computes the terms of indexes: the indexed values in the form in which the index compares them
 * ({@link IndexForms}), for entries of a map the key and then the value. Stateless, except for a
 * buffer per thread; any thread.
 */
final class IndexTermFunctions {
  private static final int KEPT_BYTES = 64 << 10;
  private static final int SECTION_BYTES = 1;
  private static final IndexTerms NO_TERMS = new IndexTerms() {};
  private static final ThreadLocal<Buffers> BUFFERS = ThreadLocal.withInitial(Buffers::new);

  private IndexTermFunctions() {}

  /** The buffers of a thread. */
  private static final class Buffers {
    private final ByteWriter decoded = new ByteWriter(64);
    private final ByteWriter term = new ByteWriter(64);

    ByteWriter decoded() {
      return decoded.clear(KEPT_BYTES);
    }

    ByteWriter term() {
      return term.clear(KEPT_BYTES);
    }
  }

  /** What storage needs to know of an index. */
  static IndexDescriptor descriptor(TableSchema table, ColumnSchema column, IndexSchema index) {
    return switch (column.kind()) {
      case PARTITION_KEY ->
          new IndexDescriptor(index.id(), Source.PARTITION_KEYS, 0, partitionKey(table, index));
      case CLUSTERING ->
          new IndexDescriptor(index.id(), Source.ROW_KEYS, 0, clustering(table, index));
      case STATIC ->
          new IndexDescriptor(index.id(), Source.STATIC_CELLS, column.id(), cells(column, index));
      case REGULAR ->
          table.vectorOf(index) instanceof VectorType type
              ? vectors(column, type, index)
              : new IndexDescriptor(index.id(), Source.CELLS, column.id(), cells(column, index));
    };
  }

  private static IndexDescriptor vectors(ColumnSchema column, VectorType type, IndexSchema index) {
    return new IndexDescriptor(
        index.id(),
        Source.VECTORS,
        column.id(),
        NO_TERMS,
        new VectorOptions(
            type.dimension(),
            Similarity.valueOf(index.similarity().name()),
            StorageAttachedIndexes.nodeConnections(index.options()),
            StorageAttachedIndexes.beamWidth(index.options())));
  }

  private static IndexTerms partitionKey(TableSchema table, IndexSchema index) {
    ColumnSchema column = table.columnOf(index);
    int columns = table.partitionKey().size();
    return new OfPartitionKey(
        columns == 1 ? -1 : column.position(), IndexForms.of(index, column).value());
  }

  private static IndexTerms clustering(TableSchema table, IndexSchema index) {
    ColumnSchema column = table.columnOf(index);
    List<ColumnSchema> columns = table.clusteringColumns().subList(0, column.position() + 1);
    KeyEncoding[] encodings = new KeyEncoding[columns.size()];
    boolean[] descending = new boolean[encodings.length];
    for (int i = 0; i < encodings.length; i++) {
      KeyEncoding encoding = columns.get(i).type().keyEncoding();
      if (encoding == null) {
        throw new IllegalStateException("no keys of type " + columns.get(i).type().toCql());
      }
      encodings[i] = encoding;
      descending[i] = columns.get(i).descending();
    }
    return new OfClustering(encodings, descending, IndexForms.of(index, column).value());
  }

  private static IndexTerms cells(ColumnSchema column, IndexSchema index) {
    CqlType type = column.type();
    IndexForms forms = IndexForms.of(index, column);
    if (type.isMultiCell()) {
      return new OfElement(CollectionCells.of(type), forms);
    }
    return new OfValue(forms.value());
  }

  private static void pass(
      IndexValueForm form, MemorySegment value, long offset, int length, TermSink sink) {
    ByteWriter term = BUFFERS.get().term();
    if (form.write(value, offset, length, term)) {
      sink.term(term.segment(), 0, term.size());
    }
  }

  /** A component of a partition key; {@code position} is -1 if it is the whole. */
  private record OfPartitionKey(int position, IndexValueForm form) implements IndexTerms {
    @Override
    public void ofKey(
        MemorySegment key, long keyOffset, int keyLength, int prefixLength, TermSink sink) {
      ByteWriter decoded = BUFFERS.get().decoded();
      long ignored = KeyFormat.readPartitionKey(key, keyOffset, decoded);
      MemorySegment columns = decoded.segment();
      if (position < 0) {
        pass(form, columns, 0, decoded.size(), sink);
        return;
      }
      long at = 0;
      for (int i = 0; i < position; i++) {
        at = PartitionKeys.nextComponent(columns, at);
      }
      pass(form, columns, at + 2, PartitionKeys.componentLength(columns, at), sink);
    }
  }

  /** The last of these components of a clustering key. */
  private record OfClustering(KeyEncoding[] encodings, boolean[] descending, IndexValueForm form)
      implements IndexTerms {
    @Override
    public void ofKey(
        MemorySegment key, long keyOffset, int keyLength, int prefixLength, TermSink sink) {
      int last = encodings.length - 1;
      long at = keyOffset + prefixLength + SECTION_BYTES;
      for (int i = 0; i < last; i++) {
        at = encodings[i].skip(key, at, descending[i]);
      }
      if (KeyEncoding.isNull(key, at)) {
        return;
      }
      if (!descending[last] && form.unchanged() == encodings[last]) {
        sink.term(key, at, (int) (encodings[last].skip(key, at, false) - at));
        return;
      }
      ByteWriter decoded = BUFFERS.get().decoded();
      long ignored = encodings[last].read(key, at, descending[last], decoded);
      pass(form, decoded.segment(), 0, decoded.size(), sink);
    }
  }

  /** The value of a column with a single cell. */
  private record OfValue(IndexValueForm form) implements IndexTerms {
    @Override
    public void ofCell(
        MemorySegment path,
        long pathOffset,
        int pathLength,
        MemorySegment value,
        long valueOffset,
        int valueLength,
        TermSink sink) {
      pass(form, value, valueOffset, valueLength, sink);
    }
  }

  /** An element of a collection that has a cell for each. */
  private record OfElement(CollectionCells cells, IndexForms forms) implements IndexTerms {
    @Override
    public void ofCell(
        MemorySegment path,
        long pathOffset,
        int pathLength,
        MemorySegment value,
        long valueOffset,
        int valueLength,
        TermSink sink) {
      Buffers buffers = BUFFERS.get();
      ByteWriter element = buffers.decoded();
      cells.read(path, pathOffset, value, valueOffset, valueLength, element);
      passElement(cells.isMap(), forms, element.segment(), 0, buffers.term(), sink);
    }
  }

  /** Passes on the term of an element: a value, or a key and a value, each after its length. */
  private static void passElement(
      boolean isMap,
      IndexForms forms,
      MemorySegment element,
      long offset,
      ByteWriter term,
      TermSink sink) {
    int firstLength = Bytes.getInt(element, offset);
    boolean indexed = true;
    if (!isMap || forms.target() != TargetKind.VALUES) {
      indexed = forms.element(isMap).write(element, offset + 4, firstLength, term);
    }
    if (isMap && forms.target() != TargetKind.KEYS) {
      long valueAt = offset + 4 + firstLength;
      indexed &= forms.value().write(element, valueAt + 4, Bytes.getInt(element, valueAt), term);
    }
    if (indexed) {
      sink.term(term.segment(), 0, term.size());
    }
  }
}
