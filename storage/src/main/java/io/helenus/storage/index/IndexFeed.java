package io.helenus.storage.index;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.Source;
import io.helenus.storage.engine.TermSink;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.row.RowView;
import io.helenus.storage.run.Entry;
import java.lang.foreign.MemorySegment;

/**
 * Computes the entries of one index from rows and elements, in any order, and passes them on to a
 * run. Entries may be passed on more than once. One thread at a time.
 */
public final class IndexFeed implements TermSink {
  /** Receives the entries. */
  @FunctionalInterface
  public interface Target {
    /**
     * Adds an entry, unless it is there.
     *
     * @param key valid during the call
     * @param prefixLength the length of the term and of the prefix of the row's key
     */
    void add(ByteWriter key, int prefixLength, int termLength);
  }

  private static final int DEAD = RowFormat.CELL_TOMBSTONE | RowFormat.CELL_COLUMN_DELETION;

  private final IndexDescriptor index;
  private final Target target;
  private final RowView cell = new RowView();
  private final ElementView element = new ElementView();
  private final ByteWriter row = new ByteWriter(128);
  private final ByteWriter entry = new ByteWriter(256);
  private int prefixLength;

  /** Feeds a run of an index. */
  public IndexFeed(IndexDescriptor index, Target target) {
    this.index = index;
    this.target = target;
  }

  /** Adds the entries of an entry of the table: a row, a static row, or an element of one. */
  public void add(Entry source) {
    switch (source.kind()) {
      case Entry.ROW, Entry.STATIC_ROW -> {
        cell.wrap(source.valueSegment(), source.valueOffset(), source.valueLength());
        addRow(
            source.keySegment(),
            source.keyOffset(),
            source.keyLength(),
            source.prefixLength(),
            cell);
      }
      case Entry.ELEMENT -> addElement(source);
      default -> {
        // deletions have no terms
      }
    }
  }

  /**
   * Adds the entries of a row or static row, with or without the cells of its multi-cell columns.
   *
   * @param cells its cells; its position is changed
   */
  public void addRow(MemorySegment key, long offset, int length, int prefix, RowView cells) {
    if (!begin(key, offset, length, prefix)) {
      return;
    }
    switch (index.source()) {
      case CELLS, STATIC_CELLS -> {
        cells.rewind();
        while (cells.nextCell() && cells.column() <= index.columnId()) {
          addCell(cells, cells.segment(), cells.pathOffset(), cells.pathLength());
        }
      }
      case ROW_KEYS, PARTITION_KEYS -> index.terms().ofKey(key, offset, length, prefix, this);
      case VECTORS -> throw new IllegalStateException("vectors have no terms");
    }
  }

  private void addElement(Entry source) {
    source.view(element);
    if (!begin(
        source.keySegment(), source.keyOffset(), element.rowKeyLength(), source.prefixLength())) {
      return;
    }
    switch (index.source()) {
      case CELLS, STATIC_CELLS -> {
        if (element.column() == index.columnId()) {
          long at = element.rowOffset();
          cell.wrap(source.valueSegment(), at, source.valueOffset() + source.valueLength() - at);
          while (cell.nextCell()) {
            addCell(cell, element.pathSegment(), element.pathOffset(), element.pathLength());
          }
        }
      }
      case ROW_KEYS, PARTITION_KEYS ->
          index
              .terms()
              .ofKey(
                  source.keySegment(),
                  source.keyOffset(),
                  element.rowKeyLength(),
                  source.prefixLength(),
                  this);
      case VECTORS -> throw new IllegalStateException("vectors have no terms");
    }
  }

  private void addCell(RowView from, MemorySegment path, long pathOffset, int pathLength) {
    if (from.column() == index.columnId() && (from.cellFlags() & DEAD) == 0) {
      index
          .terms()
          .ofCell(
              path,
              pathOffset,
              pathLength,
              from.segment(),
              from.valueOffset(),
              from.valueLength(),
              this);
    }
  }

  /** Sets the key that the terms lead to; false if the index is not of such rows. */
  private boolean begin(MemorySegment key, long offset, int length, int prefix) {
    boolean isStatic = Bytes.getByte(key, offset + prefix) == KeyFormat.SECTION_STATIC;
    Source source = index.source();
    if (source != Source.PARTITION_KEYS && isStatic != (source == Source.STATIC_CELLS)) {
      return false;
    }
    prefixLength = prefix;
    row.clear();
    if (source == Source.PARTITION_KEYS) {
      row.putBytes(key, offset, prefix).putByte(KeyFormat.SECTION_STATIC);
    } else {
      row.putBytes(key, offset, length);
    }
    return true;
  }

  @Override
  public void term(MemorySegment term, long offset, int length) {
    entry.clear().putBytes(term, offset, length).putBytes(row.segment(), 0, row.size());
    target.add(entry, length + prefixLength, length);
  }
}
