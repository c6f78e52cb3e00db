package io.helenus.storage.env.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A file's contents, as visible to processes and as they would be after a power loss. */
final class SimInode {
  private static final int SECTOR_BYTES = 512;

  /** An unsynced write, or with null bytes an unsynced change of size. */
  private record Change(long position, byte @org.jspecify.annotations.Nullable [] bytes) {}

  private byte[] data = new byte[0];
  private int size;
  private byte[] durable = new byte[0];
  private int durableSize;
  private final List<Change> unsynced = new ArrayList<>();

  int size() {
    return size;
  }

  byte[] data() {
    return data;
  }

  void write(long position, byte[] bytes) {
    data = grown(data, position + bytes.length);
    System.arraycopy(bytes, 0, data, (int) position, bytes.length);
    size = Math.max(size, (int) position + bytes.length);
    unsynced.add(new Change(position, bytes));
  }

  void truncate(long newSize) {
    data = grown(data, newSize);
    if (newSize < size) {
      Arrays.fill(data, (int) newSize, size, (byte) 0);
    }
    size = (int) newSize;
    unsynced.add(new Change(newSize, null));
  }

  void flip(long position, int bit) {
    data[(int) position] ^= (byte) (1 << bit);
    if (position < durableSize) {
      durable[(int) position] ^= (byte) (1 << bit);
    }
  }

  void sync() {
    for (Change change : unsynced) {
      harden(change);
    }
    unsynced.clear();
  }

  private void harden(Change change) {
    byte[] bytes = change.bytes;
    if (bytes == null) {
      durable = grown(durable, change.position);
      if (change.position < durableSize) {
        Arrays.fill(durable, (int) change.position, durableSize, (byte) 0);
      }
      durableSize = (int) change.position;
    } else {
      hardenPart(change.position, bytes, 0, bytes.length);
    }
  }

  private void hardenPart(long position, byte[] bytes, int from, int to) {
    durable = grown(durable, position + to);
    System.arraycopy(bytes, from, durable, (int) position + from, to - from);
    durableSize = Math.max(durableSize, (int) position + to);
  }

  /**
   * Simulates a power loss: none, all, the first or any sectors of the unsynced writes reach the
   * disk.
   */
  void losePower(SimRandomness randomness) {
    int mode = randomness.below(4);
    int whole = mode == 2 ? randomness.below(unsynced.size() + 1) : 0;
    for (int i = 0; i < unsynced.size(); i++) {
      Change change = unsynced.get(i);
      byte[] bytes = change.bytes;
      if (mode == 1 || i < whole) {
        harden(change);
      } else if (mode == 3 && bytes != null) {
        hardenSectors(change.position, bytes, randomness);
      }
    }
    unsynced.clear();
    data = durable.clone();
    size = durableSize;
  }

  private void hardenSectors(long position, byte[] bytes, SimRandomness randomness) {
    int from = 0;
    while (from < bytes.length) {
      int inSector = (int) ((position + from) % SECTOR_BYTES);
      int to = Math.min(bytes.length, from + SECTOR_BYTES - inSector);
      if (randomness.percent(50)) {
        hardenPart(position, bytes, from, to);
      }
      from = to;
    }
  }

  private static byte[] grown(byte[] array, long needed) {
    if (needed <= array.length) {
      return array;
    }
    return Arrays.copyOf(array, (int) Math.max(needed, Math.min(2L * array.length, 1 << 28)));
  }
}
