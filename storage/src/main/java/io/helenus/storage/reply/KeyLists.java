package io.helenus.storage.reply;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The union of the keys that an index finds on several replicas, in ascending order, each once, up
 * to the smallest position at which a list ends. Malformed lists raise IllegalArgumentException.
 * One thread at a time; reusable.
 */
public final class KeyLists {
  private final List<OneList> lists = new ArrayList<>();
  private final ByteWriter key = new ByteWriter(128);
  private int prefixLength;
  private @Nullable Stop position;
  private boolean all;

  /** One list at its next key. */
  private static final class OneList {
    private final MemorySegment segment;
    private final ByteWriter key = new ByteWriter(128);
    private int prefixLength;
    private int at = 1;
    private boolean has;
    private @Nullable Stop position;
    private boolean all;

    OneList(MemorySegment list) {
      check(list.byteSize() > 2 && list.byteSize() < Integer.MAX_VALUE);
      ByteWriter copy = new ByteWriter((int) list.byteSize());
      segment = copy.putBytes(list, 0, list.byteSize()).segment().asSlice(0, list.byteSize());
      check(Bytes.getByte(segment, 0) == KeysWriter.VERSION);
      next();
    }

    void next() {
      int length = length();
      has = length > 0;
      if (has) {
        takeKey(length);
        return;
      }
      int end = Bytes.getUnsignedByte(segment, skip(1));
      check(end <= KeysWriter.ALL);
      all = end == KeysWriter.ALL;
      if (end == KeysWriter.POSITION) {
        takeKey(length());
        position = Stop.last(key, 0, prefixLength);
      }
      check(at == segment.byteSize());
    }

    private void takeKey(int prefix) {
      check(prefix > 0);
      key.clear().putBytes(segment, skip(prefix), prefix);
      prefixLength = prefix;
      int suffix = length();
      check(suffix > 0);
      key.putBytes(segment, skip(suffix), suffix);
    }

    private int length() {
      check(at < segment.byteSize());
      long length = Bytes.getVarint(segment, at);
      at = (int) Bytes.varintEnd(segment, at);
      check(length >= 0 && length <= segment.byteSize() - at);
      return (int) length;
    }

    private int skip(int length) {
      check(length <= segment.byteSize() - at);
      at += length;
      return at - length;
    }

    private static void check(boolean holds) {
      if (!holds) {
        throw new IllegalArgumentException("malformed list of keys");
      }
    }
  }

  /** Takes copies of the lists: other replies follow while they are used. */
  public void take(List<MemorySegment> segments) {
    lists.clear();
    for (MemorySegment segment : segments) {
      lists.add(new OneList(segment));
    }
    position = null;
    all = false;
  }

  /**
   * Moves to the next key; false if there is none up to where a list ends. Then {@link #position}
   * or {@link #areAll} says how to go on, if at all.
   */
  public boolean next() {
    OneList first = null;
    for (OneList list : lists) {
      if (list.has && (first == null || compare(list.key, first.key) < 0)) {
        first = list;
      }
    }
    for (OneList list : lists) {
      if (!list.has && list.all) {
        all = true;
        return false;
      }
      Stop stop = list.position;
      if (!list.has
          && stop != null
          && (first == null || isBehind(first.key, stop))
          && (position == null || stop.compare(position) < 0)) {
        position = stop;
      }
    }
    if (first == null || position != null) {
      return false;
    }
    key.clear().putBytes(first.key.segment(), 0, first.key.size());
    prefixLength = first.prefixLength;
    for (OneList list : lists) {
      if (list.has && compare(list.key, key) == 0) {
        list.next();
      }
    }
    return true;
  }

  private static boolean isBehind(ByteWriter key, Stop stop) {
    return stop.orderOf(key) > 0;
  }

  private static int compare(ByteWriter a, ByteWriter b) {
    return Bytes.compare(a.segment(), 0, a.size(), b.segment(), 0, b.size());
  }

  /** The present key. */
  public ByteWriter key() {
    return key;
  }

  /** The length of its prefix. */
  public int prefixLength() {
    return prefixLength;
  }

  /** Whether a replica does not narrow what follows by its index. */
  public boolean areAll() {
    return all;
  }

  /** Replaces the contents of a writer with the key behind which to ask on; its prefix's length. */
  public int putPosition(ByteWriter target) {
    Stop stop = position;
    if (stop == null) {
      return 0;
    }
    target.clear().putBytes(stop.segment(), stop.offset(), stop.length());
    return stop.prefixLength();
  }
}
