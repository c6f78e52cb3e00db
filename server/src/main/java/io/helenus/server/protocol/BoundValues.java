package io.helenus.server.protocol;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values bound to one statement's markers, as slices of the request: a flyweight that is filled
 * again for each request, so a slice is good until the request's handler returns. One thread.
 */
public final class BoundValues {
  /** The length of a null. */
  public static final int NULL = -1;

  /** The length of a value that is not set (v4 and later). */
  public static final int UNSET = -2;

  private MemorySegment segment = MemorySegment.NULL;
  private int count;
  private int[] offsets = new int[16];
  private int[] lengths = new int[16];
  private @Nullable String[] names = new String[0];
  private boolean named;

  /** Forgets the values; those that follow are slices of this segment. */
  public void begin(MemorySegment source) {
    segment = source;
    count = 0;
    named = false;
  }

  /** Adds a value by position; the length may be {@link #NULL} or {@link #UNSET}. */
  public void add(int offset, int length) {
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    offsets[count] = offset;
    lengths[count] = length;
    count++;
  }

  /** Adds a value by name. All values of a statement have names, or none. */
  public void add(String name, int offset, int length) {
    if (names.length <= count) {
      names = Arrays.copyOf(names, Math.max(16, 2 * count));
    }
    names[count] = name;
    named = true;
    add(offset, length);
  }

  /** What the offsets refer to. */
  public MemorySegment segment() {
    return segment;
  }

  /** How many values there are. */
  public int count() {
    return count;
  }

  /** Where a value starts; meaningless for a null or unset one. */
  public int offset(int index) {
    return offsets[index];
  }

  /** A value's length in bytes, {@link #NULL} or {@link #UNSET}. */
  public int length(int index) {
    return lengths[index];
  }

  /** Whether the values came with names; their order then says nothing. */
  public boolean isNamed() {
    return named;
  }

  /** The name of a value; only when they are named. */
  public String name(int index) {
    String name = index < count && named ? names[index] : null;
    if (name == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return name;
  }

  /** The index of the value of this name, or -1. */
  public int indexOf(String name) {
    for (int i = 0; named && i < count; i++) {
      if (name.equals(names[i])) {
        return i;
      }
    }
    return -1;
  }
}
