package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Splits a collection value into the paths and values of its cells ({@link CollectionCells}), in
 * ascending path order. Of several elements with the same path, the last one wins. Reusable, by one
 * thread at a time; results are valid until the next {@link #split}.
 */
public final class CollectionElements {
  private static final int KEPT_BYTES = 64 << 10;

  private final ByteWriter bytes = new ByteWriter(256);
  private final List<Element> elements = new ArrayList<>();

  /** Assigns paths to list elements. */
  @FunctionalInterface
  public interface ListPaths {
    /** Appends the 16 bytes of a time uuid that is greater than all before it. */
    void putNext(ByteWriter out);
  }

  /** The position of an element in {@link #bytes}: its path, directly followed by its value. */
  private record Element(int offset, int pathLength, int valueLength) {}

  /**
   * Splits a valid value.
   *
   * @throws CqlException INVALID if a set element or map key is too long
   */
  public void split(CollectionCells cells, MemorySegment wire, long offset, ListPaths listPaths) {
    bytes.clear(KEPT_BYTES);
    elements.clear();
    boolean ascending = true;
    long at = offset + 4;
    for (int left = Bytes.getInt(wire, offset); left > 0; left--) {
      int length = Bytes.getInt(wire, at);
      at += 4;
      int start = bytes.size();
      if (cells.isList()) {
        putListPath(cells, listPaths);
      } else {
        putPath(cells, wire, at, length);
      }
      int pathLength = bytes.size() - start;
      if (cells.keepsSpelling()) {
        putSpelling(cells, wire, at, length);
      }
      if (cells.isMap()) {
        at += length;
        length = Bytes.getInt(wire, at);
        at += 4;
      }
      if (cells.isList() || cells.isMap()) {
        bytes.putBytes(wire, at, length);
      }
      at += length;
      Element element = new Element(start, pathLength, bytes.size() - start - pathLength);
      ascending &= elements.isEmpty() || comparePaths(elements.getLast(), element) < 0;
      elements.add(element);
    }
    if (!ascending) {
      sort();
    }
  }

  private void putListPath(CollectionCells cells, ListPaths listPaths) {
    ByteWriter uuid = new ByteWriter(16);
    listPaths.putNext(uuid);
    cells.encoding().write(uuid.segment(), 0, uuid.size(), false, bytes);
  }

  private void putPath(CollectionCells cells, MemorySegment wire, long at, int length) {
    if (length > CollectionCells.ELEMENT_LIMIT_BYTES) {
      throw CqlException.invalid(
          (cells.isMap() ? "Map key" : "Set element")
              + " of "
              + length
              + " bytes is longer than the maximum of "
              + CollectionCells.ELEMENT_LIMIT_BYTES);
    }
    cells.encoding().write(wire, at, length, false, bytes);
  }

  private void putSpelling(CollectionCells cells, MemorySegment wire, long at, int length) {
    if (cells.encoding().isCanonical(wire, at, length)) {
      bytes.putVarint(0);
    } else {
      bytes.putVarint(length).putBytes(wire, at, length);
    }
  }

  private int comparePaths(Element a, Element b) {
    MemorySegment all = bytes.segment();
    return Bytes.compare(all, a.offset, a.pathLength, all, b.offset, b.pathLength);
  }

  private void sort() {
    Comparator<Element> byPath = this::comparePaths;
    elements.sort(byPath);
    for (int i = elements.size() - 2; i >= 0; i--) {
      if (byPath.compare(elements.get(i), elements.get(i + 1)) == 0) {
        elements.remove(i);
      }
    }
  }

  /** The number of elements. */
  public int count() {
    return elements.size();
  }

  /** The segment that contains paths and values. */
  public MemorySegment segment() {
    return bytes.segment();
  }

  /** The offset of an element's path. */
  public int pathOffset(int index) {
    return elements.get(index).offset();
  }

  /** The length of an element's path in bytes. */
  public int pathLength(int index) {
    return elements.get(index).pathLength();
  }

  /** The offset of the value of an element's cell. */
  public int valueOffset(int index) {
    return elements.get(index).offset() + elements.get(index).pathLength();
  }

  /** The length of the value of an element's cell in bytes. */
  public int valueLength(int index) {
    return elements.get(index).valueLength();
  }
}
