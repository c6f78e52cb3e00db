package io.helenus.server.types;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects changes of a collection's elements as paths and values of its cells ({@link
 * CollectionCells}), in ascending path order. Of several changes to one path, a deletion wins, then
 * the larger value, as Cassandra reconciles cells of one timestamp; within one value, the first of
 * equal set elements and the last of equal map keys. Reusable, by one thread at a time; results are
 * valid from {@link #end} until the next {@link #begin}.
 */
public final class CollectionElements {
  private static final int KEPT_BYTES = 64 << 10;
  private static final int LIST_PATH_BYTES = 16;
  private static final int DELETED = -1;

  private final ByteWriter bytes = new ByteWriter(256);
  private final List<Element> elements = new ArrayList<>();
  private CollectionCells cells = CollectionCells.of(new SetType(ScalarType.BLOB, false));
  private int changes;
  private boolean ascending;

  /** Assigns paths to list elements. */
  public interface ListPaths {
    /** Appends the 16 bytes of a time uuid that is greater than all before it. */
    void putNext(ByteWriter out);

    /**
     * Reserves times for elements at the head of a list.
     *
     * @return the time of the first; those of the others follow in steps of one
     */
    long reservePreceding(int count);

    /** Appends the 16 bytes of the time uuid with a reserved time. */
    void putPreceding(long time, ByteWriter out);
  }

  /**
   * The position of an element in {@link #bytes}: its path, directly followed by its value.
   *
   * @param valueLength {@link #DELETED} if the element is deleted
   * @param wireBytes the total length of path and value in the native protocol
   * @param change the number of the change
   */
  private record Element(int offset, int pathLength, int valueLength, int wireBytes, int change) {}

  /** Starts without changes. */
  public void begin(CollectionCells mapping) {
    cells = mapping;
    bytes.clear(KEPT_BYTES);
    elements.clear();
    changes = 0;
    ascending = true;
  }

  /**
   * Adds the elements of a valid collection value, to the end of a list.
   *
   * @throws CqlException INVALID if a set element or map key is too long
   */
  public void add(MemorySegment wire, long offset, ListPaths listPaths) {
    changes++;
    long at = offset + 4;
    for (int left = Bytes.getInt(wire, offset); left > 0; left--) {
      int length = Bytes.getInt(wire, at);
      at += 4;
      int start = bytes.size();
      if (cells.isList()) {
        ByteWriter uuid = new ByteWriter(16);
        listPaths.putNext(uuid);
        cells.encoding().write(uuid.segment(), 0, uuid.size(), false, bytes);
        at = putListElement(start, wire, at, length);
        continue;
      }
      int pathLength = putPath(wire, at, length);
      at += length;
      int wireBytes = length;
      if (cells.isMap()) {
        int valueLength = Bytes.getInt(wire, at);
        at += 4;
        bytes.putBytes(wire, at, valueLength);
        at += valueLength;
        wireBytes += valueLength;
      }
      add(new Element(start, pathLength, bytes.size() - start - pathLength, wireBytes, changes));
    }
  }

  /** Adds the elements of a valid list to its head. */
  public void prepend(MemorySegment wire, long offset, ListPaths listPaths) {
    changes++;
    int count = Bytes.getInt(wire, offset);
    long time = listPaths.reservePreceding(count);
    long at = offset + 4;
    for (int i = 0; i < count; i++) {
      int length = Bytes.getInt(wire, at);
      int start = bytes.size();
      ByteWriter uuid = new ByteWriter(16);
      listPaths.putPreceding(time + i, uuid);
      cells.encoding().write(uuid.segment(), 0, uuid.size(), false, bytes);
      at = putListElement(start, wire, at + 4, length);
    }
  }

  private long putListElement(int start, MemorySegment wire, long at, int length) {
    int pathLength = bytes.size() - start;
    bytes.putBytes(wire, at, length);
    add(new Element(start, pathLength, length, LIST_PATH_BYTES + length, changes));
    return at + length;
  }

  /**
   * Deletes the elements of a valid set, from a set or as keys from a map.
   *
   * @throws CqlException INVALID if one is too long
   */
  public void remove(MemorySegment wire, long offset) {
    changes++;
    long at = offset + 4;
    for (int left = Bytes.getInt(wire, offset); left > 0; left--) {
      int length = Bytes.getInt(wire, at);
      delete(wire, at + 4, length);
      at += 4 + length;
    }
  }

  /**
   * Deletes one set element or map key.
   *
   * @throws CqlException INVALID if it is too long
   */
  public void removeOne(MemorySegment wire, long offset, int length) {
    changes++;
    delete(wire, offset, length);
  }

  private void delete(MemorySegment wire, long at, int length) {
    int start = bytes.size();
    requireShort(length);
    cells.encoding().write(wire, at, length, false, bytes);
    add(new Element(start, bytes.size() - start, DELETED, length, changes));
  }

  /**
   * Sets the value of a map key.
   *
   * @param valueLength negative to delete the key
   * @throws CqlException INVALID if the key is too long
   */
  public void put(
      MemorySegment key,
      long keyOffset,
      int keyLength,
      MemorySegment value,
      long valueOffset,
      int valueLength) {
    if (valueLength < 0) {
      removeOne(key, keyOffset, keyLength);
      return;
    }
    changes++;
    int start = bytes.size();
    int pathLength = putPath(key, keyOffset, keyLength);
    bytes.putBytes(value, valueOffset, valueLength);
    int stored = bytes.size() - start - pathLength;
    add(new Element(start, pathLength, stored, keyLength + valueLength, changes));
  }

  /** Appends the path of an element and, where needed, its form; returns the path's length. */
  private int putPath(MemorySegment wire, long at, int length) {
    requireShort(length);
    int start = bytes.size();
    cells.encoding().write(wire, at, length, false, bytes);
    int pathLength = bytes.size() - start;
    if (cells.keepsForm()) {
      if (cells.encoding().isCanonical(wire, at, length)) {
        bytes.putVarint(0);
      } else {
        bytes.putVarint(length).putBytes(wire, at, length);
      }
    }
    return pathLength;
  }

  private void requireShort(int length) {
    if (length > CollectionCells.ELEMENT_LIMIT_BYTES) {
      throw CqlException.invalid(
          (cells.isMap() ? "Map key" : "Set element")
              + " of "
              + length
              + " bytes is longer than the maximum of "
              + CollectionCells.ELEMENT_LIMIT_BYTES);
    }
  }

  private void add(Element element) {
    ascending &= elements.isEmpty() || comparePaths(elements.getLast(), element) < 0;
    elements.add(element);
  }

  /** Sorts the elements and removes those that others replace. */
  public void end() {
    if (ascending) {
      return;
    }
    elements.sort(this::comparePaths);
    int kept = 0;
    for (int i = 1; i < elements.size(); i++) {
      Element next = elements.get(i);
      if (comparePaths(elements.get(kept), next) != 0) {
        elements.set(++kept, next);
      } else if (replaces(next, elements.get(kept))) {
        elements.set(kept, next);
      }
    }
    elements.subList(kept + 1, elements.size()).clear();
  }

  private int comparePaths(Element a, Element b) {
    MemorySegment all = bytes.segment();
    return Bytes.compare(all, a.offset, a.pathLength, all, b.offset, b.pathLength);
  }

  /** Whether an element replaces an earlier one with the same path. */
  private boolean replaces(Element later, Element earlier) {
    if (earlier.valueLength == DELETED || later.valueLength == DELETED) {
      return earlier.valueLength != DELETED;
    }
    if (later.change == earlier.change) {
      return cells.isMap();
    }
    MemorySegment all = bytes.segment();
    return Bytes.compare(
            all,
            later.offset + later.pathLength,
            later.valueLength,
            all,
            earlier.offset + earlier.pathLength,
            earlier.valueLength)
        > 0;
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

  /** The total length of an element's path and value in the native protocol, in bytes. */
  public int wireBytes(int index) {
    return elements.get(index).wireBytes();
  }

  /** The length of an element's path in bytes. */
  public int pathLength(int index) {
    return elements.get(index).pathLength();
  }

  /** Whether an element is deleted; otherwise it has a value. */
  public boolean isDeleted(int index) {
    return elements.get(index).valueLength() == DELETED;
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
