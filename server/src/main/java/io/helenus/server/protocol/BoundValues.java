package io.helenus.server.protocol;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values bound to the markers of one statement, as slices of the request. A flyweight that is
 * refilled for each request: valid until the request's handler returns. Not thread-safe.
 */
public final class BoundValues {
  /** The length of a null value. */
  public static final int NULL = -1;

  /** The length of an unset value (v4 and later). */
  public static final int UNSET = -2;

  private MemorySegment segment = MemorySegment.NULL;
  private int count;
  private int[] offsets = new int[16];
  private int[] lengths = new int[16];
  private @Nullable String[] names = new String[0];
  private boolean named;
  private @Nullable Object @Nullable [] decoded;

  /** Removes all values; values added from now on are slices of this segment. */
  public void begin(MemorySegment source) {
    segment = source;
    count = 0;
    named = false;
    decoded = null;
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

  /** Adds a named value. Either all values of a statement are named or none. */
  public void add(String name, int offset, int length) {
    if (names.length <= count) {
      names = Arrays.copyOf(names, Math.max(16, 2 * count));
    }
    names[count] = name;
    named = true;
    add(offset, length);
  }

  /** The memory that offsets refer to. */
  public MemorySegment segment() {
    return segment;
  }

  /** The number of values. */
  public int count() {
    return count;
  }

  /** The offset of a value; undefined if it is null or unset. */
  public int offset(int index) {
    return offsets[index];
  }

  /** The length of a value in bytes, or {@link #NULL} or {@link #UNSET}. */
  public int length(int index) {
    return lengths[index];
  }

  /** What a value has been decoded to by whoever read it before; null if it has not been kept. */
  public @Nullable Object decoded(int index) {
    return decoded == null ? null : decoded[index];
  }

  /** Keeps what a value has been decoded to, so that it need not be decoded again. */
  public void keepDecoded(int index, Object value) {
    if (decoded == null) {
      decoded = new Object[count];
    }
    decoded[index] = value;
  }

  /** Whether the values are named; their order is then meaningless. */
  public boolean isNamed() {
    return named;
  }

  /** The name of a value; only if the values are named. */
  public String name(int index) {
    String name = index < count && named ? names[index] : null;
    if (name == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return name;
  }

  /** The index of the value with this name, or -1. */
  public int indexOf(String name) {
    for (int i = 0; named && i < count; i++) {
      if (name.equals(names[i])) {
        return i;
      }
    }
    return -1;
  }
}
