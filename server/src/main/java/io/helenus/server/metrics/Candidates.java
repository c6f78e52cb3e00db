package io.helenus.server.metrics;

import io.helenus.server.metrics.HotPartitions.Candidate;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Partitions by item, in bounded memory: an open hash table, because a map would box the items. It
 * takes no more partitions when it is full. One thread at a time.
 */
final class Candidates {
  private static final int MOST_SLOTS = 2048;
  private static final int LEAST_SLOTS = 64;

  /** Of the object and the header of its key, beside the key. */
  private static final int OBJECT_BYTES = 96;

  private final @Nullable Candidate[] slots;
  private final int bytes;
  private int used;
  private int count;

  /** None, which will take so many bytes at most. */
  Candidates(int bytes) {
    int slotCount = Integer.highestOneBit(bytes / OBJECT_BYTES);
    this.slots = new Candidate[Math.clamp(slotCount, LEAST_SLOTS, MOST_SLOTS)];
    this.bytes = bytes - slots.length * Long.BYTES;
  }

  private int slotOf(long item) {
    int mask = slots.length - 1;
    int slot = (int) ((item >>> 32) ^ item) & mask;
    Candidate found = slots[slot];
    while (found != null && found.item() != item) {
      slot = (slot + 1) & mask;
      found = slots[slot];
    }
    return slot;
  }

  boolean contains(long item) {
    return slots[slotOf(item)] != null;
  }

  /** Adds a partition that is not there, if there is room; copies its key. */
  void add(long item, int tableId, MemorySegment prefix, long offset, int length, long nowNanos) {
    if (hasRoom(length)) {
      put(new Candidate(item, tableId, Bytes.toArray(prefix, offset, length), nowNanos));
    }
  }

  private boolean hasRoom(int keyBytes) {
    return count < slots.length / 4 * 3 && used + OBJECT_BYTES + keyBytes <= bytes;
  }

  private void put(Candidate candidate) {
    slots[slotOf(candidate.item())] = candidate;
    used += OBJECT_BYTES + candidate.keyBytes();
    count++;
  }

  /** All, in no particular order. */
  List<Candidate> all() {
    List<Candidate> all = new ArrayList<>(count);
    for (Candidate each : slots) {
      if (each != null) {
        all.add(each);
      }
    }
    return all;
  }

  /** Keeps these only. */
  void replace(List<Candidate> kept) {
    Arrays.fill(slots, null);
    used = 0;
    count = 0;
    kept.forEach(this::put);
  }
}
