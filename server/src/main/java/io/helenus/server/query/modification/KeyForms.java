package io.helenus.server.query.modification;

import io.helenus.server.query.restriction.InValuesReader;
import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.server.query.restriction.Restriction;
import io.helenus.server.query.restriction.TupleValues;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.KeyEncoding;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.MutationWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clustering values, from IN and =, whose wire bytes cannot be recovered from their key bytes;
 * each row stores them in separate cells. Reused for successive runs. Not thread-safe.
 */
final class KeyForms {
  private final List<Form> forms = new ArrayList<>();
  private final TupleValues values = new TupleValues();
  private final ByteWriter decoded = new ByteWriter(64);

  /** A value of a column: the wire bytes sent by the client, and the key bytes. */
  private record Form(ColumnSchema column, byte[] encoded, byte[] written) {}

  /** Collects the values of the clustering columns; no restriction may be a slice. */
  void gather(List<Restriction> clustering, KeyLayout keys, BoundSlots bound) {
    forms.clear();
    for (Restriction restriction : clustering) {
      if (restriction.columns().stream().noneMatch(KeyForms::losesForm)) {
        continue;
      }
      switch (restriction) {
        case Restriction.Equal equal -> {
          values.fill(equal.value(), bound);
          add(equal.columns(), keys);
        }
        case Restriction.In in ->
            InValuesReader.forEach(in, bound, values, ignored -> add(in.columns(), keys));
        case Restriction.Contains ignored ->
            throw new IllegalStateException("CONTAINS on single rows: " + restriction);
        case Restriction.Slice ignored ->
            throw new IllegalStateException("slice restriction on single rows: " + restriction);
      }
    }
  }

  private static boolean losesForm(ColumnSchema column) {
    KeyEncoding encoding = column.type().keyEncoding();
    return encoding != null && encoding.keepsWireValue();
  }

  private void add(List<ColumnSchema> columns, KeyLayout keys) {
    for (int i = 0; i < columns.size(); i++) {
      ColumnSchema column = columns.get(i);
      KeyEncoding encoding = keys.clusteringEncoding(column.position());
      if (losesForm(column)
          && !encoding.isCanonical(values.segment(i), values.offset(i), values.length(i))) {
        ByteWriter encoded = new ByteWriter(32);
        boolean descending = keys.isDescending(column.position());
        encoding.write(values.segment(i), values.offset(i), values.length(i), descending, encoded);
        byte[] written = Bytes.toArray(values.segment(i), values.offset(i), values.length(i));
        forms.add(new Form(column, encoded.toArray(), written));
      }
    }
  }

  /** Removes all values. */
  void clear() {
    forms.clear();
  }

  /** Whether all wire values can be recovered from their key bytes. */
  boolean isEmpty() {
    return forms.isEmpty();
  }

  /**
   * Writes the cells with wire values of the row with this key, which starts with its section byte.
   */
  void write(
      MemorySegment key, long offset, KeyLayout keys, long timestampMicros, MutationWriter out) {
    long at = offset + 1;
    for (int position = 0; position < keys.clusteringCount(); position++) {
      KeyEncoding encoding = keys.clusteringEncoding(position);
      long end = encoding.skip(key, at, keys.isDescending(position));
      Form form = find(position, key, at, end);
      if (form != null) {
        writeCell(form, timestampMicros, out);
      }
      at = end;
    }
  }

  /** The total length of the wire values in the key of a row or in a bound, in bytes. */
  long valueBytes(MemorySegment key, long offset, int length, KeyLayout keys) {
    long bytes = 0;
    long at = offset + 1;
    long closingTag = offset + length - 1;
    for (int position = 0; at < closingTag; position++) {
      KeyEncoding encoding = keys.clusteringEncoding(position);
      long end = encoding.read(key, at, keys.isDescending(position), decoded.clear());
      Form form = find(position, key, at, end);
      bytes += form == null ? decoded.size() : form.written.length;
      at = end;
    }
    return bytes;
  }

  private @Nullable Form find(int position, MemorySegment key, long from, long to) {
    for (Form form : forms) {
      if (form.column.position() == position && equal(key, from, to, form.encoded)) {
        return form;
      }
    }
    return null;
  }

  private static boolean equal(MemorySegment key, long from, long to, byte[] encoded) {
    return java.util.Arrays.equals(Bytes.toArray(key, from, (int) (to - from)), encoded);
  }

  private static void writeCell(Form form, long timestampMicros, MutationWriter out) {
    ByteWriter written = new ByteWriter(32).putBytes(form.written);
    MutationWriter ignored =
        out.keyForm(form.column.id(), timestampMicros, written.segment(), 0, written.size());
  }
}
