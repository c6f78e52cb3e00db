package io.helenus.server.query.selection;

import io.helenus.server.query.restriction.KeyLayout;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The clustering key of a row as a slice, whose components are located lazily. Refilled for each
 * row. Confined to one thread at a time.
 */
public final class ClusteringKey {
  private MemorySegment segment = MemorySegment.NULL;
  private @Nullable KeyLayout layout;
  private long offset;
  private int length;
  private long[] componentOffsets = new long[5];
  private int componentsKnown;

  /** Starts a read. */
  void begin(KeyLayout keys) {
    layout = keys;
    if (keys.clusteringCount() >= componentOffsets.length) {
      componentOffsets = new long[keys.clusteringCount() + 1];
    }
  }

  /** Sets the key of a row, without its section. */
  void set(MemorySegment newSegment, long newOffset, int newLength) {
    segment = newSegment;
    offset = newOffset;
    length = newLength;
    componentsKnown = 0;
    componentOffsets[0] = newOffset;
  }

  /** Clears the key; there is no row. */
  void clear() {
    length = 0;
  }

  /** The segment that contains the key. */
  public MemorySegment segment() {
    return segment;
  }

  /** The offset of the key. */
  public long offset() {
    return offset;
  }

  /** The length in bytes including the closing tag; 0 without a row. */
  public int length() {
    return length;
  }

  /** The offset of a clustering column's component. */
  public long componentOffset(int position) {
    KeyLayout keys = layout();
    while (componentsKnown < position) {
      componentOffsets[componentsKnown + 1] =
          keys.clusteringEncoding(componentsKnown)
              .skip(segment, componentOffsets[componentsKnown], keys.isDescending(componentsKnown));
      componentsKnown++;
    }
    return componentOffsets[position];
  }

  /** Appends the value of a clustering column as a [bytes] of the protocol. */
  void put(int position, ByteWriter out) {
    KeyLayout keys = layout();
    long next =
        keys.clusteringEncoding(position)
            .readWithLength(segment, componentOffset(position), keys.isDescending(position), out);
    if (componentsKnown == position) {
      componentOffsets[++componentsKnown] = next;
    }
  }

  private KeyLayout layout() {
    if (layout == null) {
      throw new IllegalStateException("no read has started");
    }
    return layout;
  }
}
