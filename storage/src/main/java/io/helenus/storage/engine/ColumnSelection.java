package io.helenus.storage.engine;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The columns whose values a {@link ReadRequest} needs, and of multi-cell columns the elements. Set
 * through the request, which owns the bytes. One thread at a time.
 */
public final class ColumnSelection {
  /** {@link #elementsUpperLength} of a selection of the one element whose path is the lower end. */
  public static final int ONE_ELEMENT = -1;

  private static final int RESTRICTED = 0x01;
  private static final int[] NONE = {};

  private final ByteWriter bytes;
  private int[] ids = NONE;
  private boolean restricted;
  // of each selection of elements: column, offset, length of lower, length of upper
  private int[] elements = new int[8];
  private int elementCount;

  ColumnSelection(ByteWriter bytes) {
    this.bytes = bytes;
  }

  /** Resets to all columns with all elements. */
  void reset() {
    ids = NONE;
    restricted = false;
    elementCount = 0;
  }

  /** Takes the columns, but not the elements, of another request. */
  void resetLike(ColumnSelection other) {
    ids = other.ids;
    restricted = other.restricted;
    elementCount = 0;
  }

  /** Takes all from another request, whose bytes have been copied. */
  void copy(ColumnSelection other) {
    resetLike(other);
    elementCount = other.elementCount;
    if (elements.length < 4 * elementCount) {
      elements = new int[other.elements.length];
    }
    System.arraycopy(other.elements, 0, elements, 0, 4 * elementCount);
  }

  void ids(int[] ascending) {
    ids = ascending;
    restricted = true;
  }

  void addElements(
      int column,
      MemorySegment lower,
      long lowerOffset,
      int lowerBytes,
      MemorySegment upper,
      long upperOffset,
      int upperBytes) {
    beginElements(column, lowerBytes, upperBytes);
    bytes.putBytes(lower, lowerOffset, lowerBytes).putBytes(upper, upperOffset, upperBytes);
  }

  void addElement(int column, MemorySegment path, long offset, int length) {
    beginElements(column, length, ONE_ELEMENT);
    bytes.putBytes(path, offset, length);
  }

  /** The ends are the bytes that are appended next. */
  private void beginElements(int column, int lowerBytes, int upperBytes) {
    if (elementCount * 4 + 4 > elements.length) {
      elements = Arrays.copyOf(elements, elements.length * 2);
    }
    int at = elementCount * 4;
    elements[at] = column;
    elements[at + 1] = bytes.size();
    elements[at + 2] = lowerBytes;
    elements[at + 3] = upperBytes;
    elementCount++;
  }

  void addElementsOf(ColumnSelection other) {
    for (int i = 0; i < other.elementCount; i++) {
      MemorySegment from = other.bytes.segment();
      int column = other.elementsColumn(i);
      int at = other.elementsOffset(i);
      int lower = other.elementsLowerLength(i);
      int upper = other.elementsUpperLength(i);
      if (upper == ONE_ELEMENT) {
        addElement(column, from, at, lower);
      } else {
        addElements(column, from, at, lower, from, (long) at + lower, upper);
      }
    }
  }

  // ---- bytes

  void encode(ByteWriter out) {
    out.putByte(restricted ? RESTRICTED : 0);
    if (restricted) {
      out.putVarint(ids.length);
      int previous = 0;
      for (int id : ids) {
        out.putVarint(id - previous);
        previous = id;
      }
    }
    out.putVarint(elementCount);
    for (int i = 0; i < elementCount; i++) {
      int at = elementsOffset(i);
      int lower = elementsLowerLength(i);
      int upper = elementsUpperLength(i);
      out.putVarint(elementsColumn(i));
      RequestReader.putBytes(out, bytes.segment(), at, lower);
      out.putVarint(upper - ONE_ELEMENT);
      if (upper > 0) {
        out.putBytes(bytes.segment(), (long) at + lower, upper);
      }
    }
  }

  void decode(RequestReader in) {
    if ((in.flags("flags of columns", RESTRICTED) & RESTRICTED) != 0) {
      decodeIds(in);
    }
    int count = in.count("number of selections of elements");
    for (int i = 0; i < count; i++) {
      decodeElements(in);
    }
  }

  private void decodeIds(RequestReader in) {
    int[] ascending = new int[in.count("number of columns")];
    int previous = 0;
    for (int i = 0; i < ascending.length; i++) {
      previous += in.number("column", i == 0 ? 0 : 1, Integer.MAX_VALUE - previous);
      ascending[i] = previous;
    }
    ids(ascending);
  }

  private void decodeElements(RequestReader in) {
    int column = in.number("column of elements", 0, Integer.MAX_VALUE);
    int lower = in.length("first path");
    long lowerAt = in.skip(lower);
    int upper = in.number("upper path", 0, Integer.MAX_VALUE) + ONE_ELEMENT;
    if (upper == ONE_ELEMENT) {
      addElement(column, in.segment(), lowerAt, lower);
    } else {
      in.require(upper <= in.remaining(), "upper path goes beyond the end");
      addElements(column, in.segment(), lowerAt, lower, in.segment(), in.skip(upper), upper);
    }
    in.require(
        elementCount == 1 || isAfterElements(elementCount - 2), "selections of elements overlap");
  }

  /** Whether the last selection is after the one before it. */
  private boolean isAfterElements(int before) {
    int last = before + 1;
    if (elementsColumn(last) != elementsColumn(before)) {
      return elementsColumn(last) > elementsColumn(before);
    }
    int at = elementsOffset(before);
    int lower = elementsLowerLength(before);
    int upper = elementsUpperLength(before);
    if (upper == ONE_ELEMENT) {
      return compareStart(last, at, lower) > 0;
    }
    return upper > 0
        && compareStart(last, at, lower) >= 0
        && compareStart(last, at + lower, upper) >= 0;
  }

  private int compareStart(int selection, int at, int length) {
    MemorySegment segment = bytes.segment();
    return Bytes.compare(
        segment, elementsOffset(selection), elementsLowerLength(selection), segment, at, length);
  }

  // ---- what is needed

  /** Whether only some columns are needed. */
  public boolean areRestricted() {
    return restricted;
  }

  /** The ids of the needed columns, ascending, if they are restricted. Not to be modified. */
  public int[] ids() {
    return ids;
  }

  /** The number of selections of elements. */
  public int elementsCount() {
    return elementCount;
  }

  /** The column of a selection of elements. */
  public int elementsColumn(int selection) {
    return elements[selection * 4];
  }

  /**
   * Where the lower end of a selection of elements starts; the upper end starts {@link
   * #elementsLowerLength} later.
   */
  public int elementsOffset(int selection) {
    return elements[selection * 4 + 1];
  }

  /** The length of the lower end of a selection of elements. */
  public int elementsLowerLength(int selection) {
    return elements[selection * 4 + 2];
  }

  /** The length of the upper end of a selection of elements, or {@link #ONE_ELEMENT}. */
  public int elementsUpperLength(int selection) {
    return elements[selection * 4 + 3];
  }
}
