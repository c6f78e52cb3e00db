package io.helenus.storage.compaction;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.row.ColumnTranslation;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowTranslator;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The entries of a file with the column ids of another table. Column ids occur in rows and in the
 * keys of elements, so a translation can change the order of a row's elements. As a row may have
 * more of them than fit in memory, they are not sorted: a file has a cursor for each of the {@link
 * ColumnRuns}, whose elements keep their order, and a merge of these cursors has the contents of
 * the file. The first has all other entries too.
 *
 * <p>Moves forward only, from a key that is not within a row. Blocks while the input reads. One
 * thread at a time.
 */
final class TranslatingCursor extends EntryCursor {
  /** A merge copies an entry at most, so larger ones are rare. */
  private static final int KEPT_BYTES = 64 * 1024;

  private final EntryCursor input;
  private final ColumnTranslation columns;
  private final ColumnRuns runs;
  private final int run;
  private final RowTranslator translator;
  private final RowView row = new RowView();
  private final ElementView element = new ElementView();
  private final ByteWriter key;
  private final ByteWriter value;

  private TranslatingCursor(
      EntryCursor input,
      ColumnTranslation columns,
      ColumnRuns runs,
      int run,
      LargeSegments segments) {
    this.input = input;
    this.runs = runs;
    this.columns = columns;
    this.run = run;
    translator = new RowTranslator(columns);
    key = ByteWriter.recycling(segments, 64);
    value = ByteWriter.recycling(segments, 64);
  }

  /** A source of cursors over one file. */
  interface Inputs {
    EntryCursor cursor();
  }

  /** The cursors whose merge has the translated contents of a file. */
  static List<EntryCursor> of(
      Inputs file, ColumnTranslation columns, ColumnRuns runs, LargeSegments segments) {
    List<EntryCursor> cursors = new ArrayList<>();
    for (int run = 0; run < runs.count(); run++) {
      cursors.add(new TranslatingCursor(file.cursor(), columns, runs, run, segments));
    }
    return cursors;
  }

  @Override
  public Step seek(MemorySegment sought, long offset, int length, int prefix) {
    if (prefix != 0) {
      throw forwardOnly();
    }
    return take(input.seek(sought, offset, length, 0));
  }

  @Override
  public Step next() {
    return take(input.next());
  }

  /** Moves on to an entry that belongs here, beginning with the one the input is at. */
  private Step take(Step first) {
    unchanged = 0;
    Step step = first;
    while (step == Step.READY && !translate()) {
      step = input.next();
    }
    return step;
  }

  private boolean translate() {
    int kind = input.kind();
    if (kind == Entry.ELEMENT) {
      return translateElement();
    }
    if (run != 0) {
      return false;
    }
    useInput();
    if (kind != Entry.ROW && kind != Entry.STATIC_ROW) {
      return true;
    }
    row.wrap(input.valueSegment(), input.valueOffset(), input.valueLength());
    if (translator.keeps(row)) {
      return true;
    }
    value.clear(KEPT_BYTES);
    if (!translator.row(row, value)) {
      return false;
    }
    useValue();
    return true;
  }

  private boolean translateElement() {
    input.view(element);
    int column = element.column();
    if (!runs.isIn(run, column)) {
      return false;
    }
    useInput();
    int target = columns.target(column);
    if (target == column) {
      return true;
    }
    int rowKeyLength = element.rowKeyLength();
    key.clear(KEPT_BYTES).putBytes(input.keySegment(), input.keyOffset(), rowKeyLength);
    ElementView.putKey(
        key, target, element.pathSegment(), element.pathOffset(), element.pathLength());
    keySegment = key.segment();
    keyOffset = 0;
    long end = input.valueOffset() + input.valueLength();
    row.wrap(input.valueSegment(), element.rowOffset(), end - element.rowOffset());
    value.clear(KEPT_BYTES).putVarint(Bytes.getVarint(input.valueSegment(), input.valueOffset()));
    boolean written = translator.row(row, value);
    assert written;
    useValue();
    return true;
  }

  private void useInput() {
    keySegment = input.keySegment();
    keyOffset = input.keyOffset();
    keyLength = input.keyLength();
    prefixLength = input.prefixLength();
    valueSegment = input.valueSegment();
    valueOffset = input.valueOffset();
    valueLength = input.valueLength();
  }

  private void useValue() {
    valueSegment = value.segment();
    valueOffset = 0;
    valueLength = value.size();
  }

  private static UnsupportedOperationException forwardOnly() {
    return new UnsupportedOperationException("translated entries are read from start to end");
  }

  @Override
  public Step find(MemorySegment sought, long offset, int length, int prefix) {
    throw forwardOnly();
  }

  @Override
  public Step seekBefore(MemorySegment sought, long offset, int length, int prefix) {
    throw forwardOnly();
  }

  @Override
  public Step previous() {
    throw forwardOnly();
  }

  @Override
  public void close() {
    key.clear(0);
    value.clear(0);
    input.close();
  }
}
