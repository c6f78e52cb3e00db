package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ColumnSelection;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The elements that a request needs of each row, as ascending ranges of columns and paths. A
 * request that needs all elements has one range. Shard thread only; reusable.
 */
final class ElementSelection {
  /** The range of the whole column. */
  private static final int WHOLE = -1;

  private ReadRequest request = new ReadRequest();
  // of each range: the column, and the request's selection of its elements or WHOLE
  private int[] columns = new int[8];
  private int[] selections = new int[8];
  private int count;
  private boolean all;

  /** Takes what a request needs of a table's multi-cell columns. */
  void open(ReadRequest newRequest, int[] multiCellColumns) {
    request = newRequest;
    count = 0;
    int left = 0;
    for (int column : multiCellColumns) {
      if (!isNeeded(column)) {
        left++;
        continue;
      }
      int before = count;
      for (int i = 0; i < request.columns().elementsCount(); i++) {
        if (request.columns().elementsColumn(i) == column) {
          add(column, i);
        }
      }
      if (count == before) {
        add(column, WHOLE);
      } else {
        left++;
      }
    }
    all = left == 0;
  }

  private boolean isNeeded(int column) {
    return !request.columns().areRestricted()
        || Arrays.binarySearch(request.columns().ids(), column) >= 0;
  }

  private void add(int column, int selection) {
    if (count == columns.length) {
      columns = Arrays.copyOf(columns, 2 * count);
      selections = Arrays.copyOf(selections, 2 * count);
    }
    columns[count] = column;
    selections[count++] = selection;
  }

  /** Whether all elements are needed. */
  boolean isAll() {
    return all;
  }

  /** The number of ranges. */
  int count() {
    return count;
  }

  /** Whether a range is a single element. */
  boolean isOne(int range) {
    int selection = selections[range];
    return selection != WHOLE
        && request.columns().elementsUpperLength(selection) == ColumnSelection.ONE_ELEMENT;
  }

  /**
   * Appends the start of a range to the key of a row; the key of the element if it is a single one.
   */
  void putLower(int range, ByteWriter rowKey) {
    int selection = selections[range];
    if (selection == WHOLE) {
      rowKey.putInt(columns[range]);
    } else if (isOne(range)) {
      ElementView.putKey(
          rowKey,
          columns[range],
          request.segment(),
          lowerOffset(selection),
          lowerLength(selection));
    } else {
      rowKey.putInt(columns[range]);
      rowKey.putBytes(request.segment(), lowerOffset(selection), lowerLength(selection));
    }
  }

  /** Whether a range ends before the end of its column. */
  boolean hasUpper(int range) {
    int selection = selections[range];
    return selection != WHOLE && request.columns().elementsUpperLength(selection) > 0;
  }

  /** Appends the end of a range that has one, exclusive, to the key of a row. */
  void putUpper(int range, ByteWriter rowKey) {
    int selection = selections[range];
    ElementView.putKey(
        rowKey,
        columns[range],
        request.segment(),
        upperOffset(selection),
        request.columns().elementsUpperLength(selection));
  }

  private int lowerOffset(int selection) {
    return request.columns().elementsOffset(selection);
  }

  private int lowerLength(int selection) {
    return request.columns().elementsLowerLength(selection);
  }

  private int upperOffset(int selection) {
    return lowerOffset(selection) + lowerLength(selection);
  }

  /** Whether all elements of a column are needed. */
  boolean needsWhole(int column) {
    if (all) {
      return true;
    }
    for (int i = 0; i < count; i++) {
      if (columns[i] == column) {
        return selections[i] == WHOLE;
      }
    }
    return false;
  }

  /** Whether an element is needed. */
  boolean needs(ElementView element) {
    if (all) {
      return true;
    }
    for (int i = 0; i < count; i++) {
      if (columns[i] == element.column() && contains(selections[i], element)) {
        return true;
      }
    }
    return false;
  }

  private boolean contains(int selection, ElementView element) {
    if (selection == WHOLE) {
      return true;
    }
    int lower = compare(element, lowerOffset(selection), lowerLength(selection));
    int upper = request.columns().elementsUpperLength(selection);
    if (upper == ColumnSelection.ONE_ELEMENT) {
      return lower == 0;
    }
    return lower >= 0 && (upper == 0 || compare(element, upperOffset(selection), upper) < 0);
  }

  private int compare(ElementView element, int offset, int length) {
    MemorySegment path = element.pathSegment();
    return Bytes.compare(
        path, element.pathOffset(), element.pathLength(), request.segment(), offset, length);
  }

  /** Appends the start of the first range after an element that is not needed, or the row's end. */
  void putNext(ElementView element, ByteWriter rowKey) {
    for (int i = 0; i < count; i++) {
      if (columns[i] > element.column()
          || columns[i] == element.column() && startsAfter(i, element)) {
        putLower(i, rowKey);
        return;
      }
    }
    putEnd(rowKey);
  }

  private boolean startsAfter(int range, ElementView element) {
    int selection = selections[range];
    return selection != WHOLE
        && compare(element, lowerOffset(selection), lowerLength(selection)) < 0;
  }

  /** Appends the start of all elements to the key of a row. */
  static void putStart(ByteWriter rowKey) {
    rowKey.putByte(KeyFormat.TAG_ELEMENT);
  }

  /** Appends the end of all elements, exclusive, to the key of a row. */
  static void putEnd(ByteWriter rowKey) {
    rowKey.putByte(0xFF);
  }
}
