package io.helenus.server.internode;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a link that wait for a reply. An id is a slot and a generation, which is greater
 * each time the slot is reused, so that a late reply finds nobody. Allocates only when it grows.
 * One thread.
 */
final class ReplyTable {
  private static final int INITIAL_SLOTS = 16;
  private static final int NONE = -1;

  private final int limit;
  private @Nullable ReplyHandler[] handlers = new ReplyHandler[INITIAL_SLOTS];
  private int[] tags = new int[INITIAL_SLOTS];
  private int[] generations = new int[INITIAL_SLOTS];

  /** For each free slot the next one. */
  private int[] nextFree = new int[INITIAL_SLOTS];

  private int firstFree = NONE;

  /** How many slots were ever used. */
  private int used;

  private int waiting;

  ReplyTable(int limit) {
    this.limit = limit;
  }

  int waiting() {
    return waiting;
  }

  /** Enters a request; returns its id, or 0 if the table is full. */
  long enter(ReplyHandler handler, int tag) {
    int slot = firstFree;
    if (slot != NONE) {
      firstFree = nextFree[slot];
    } else if (used < limit) {
      slot = used++;
      if (slot == handlers.length) {
        grow();
      }
    } else {
      return 0;
    }
    handlers[slot] = handler;
    tags[slot] = tag;
    // never 0, so that no id is
    generations[slot] = generations[slot] == Integer.MAX_VALUE ? 1 : generations[slot] + 1;
    waiting++;
    return (long) generations[slot] << Integer.SIZE | slot;
  }

  private void grow() {
    int size = Math.min(limit, 2 * used);
    handlers = Arrays.copyOf(handlers, size);
    tags = Arrays.copyOf(tags, size);
    generations = Arrays.copyOf(generations, size);
    nextFree = Arrays.copyOf(nextFree, size);
  }

  /** The tag of a request that was removed last. */
  int tag(long id) {
    return tags[(int) id];
  }

  /** Removes a request; null if it is not waiting. Any number is taken for an id. */
  @Nullable ReplyHandler remove(long id) {
    int slot = (int) id;
    if (slot < 0 || slot >= used || generations[slot] != (int) (id >>> Integer.SIZE)) {
      return null;
    }
    ReplyHandler handler = handlers[slot];
    if (handler != null) {
      free(slot);
    }
    return handler;
  }

  private void free(int slot) {
    handlers[slot] = null;
    nextFree[slot] = firstFree;
    firstFree = slot;
    waiting--;
  }

  /** Removes all requests and tells each that the link is broken. */
  void breakAll() {
    for (int slot = 0; slot < used; slot++) {
      ReplyHandler handler = handlers[slot];
      if (handler != null) {
        int tag = tags[slot];
        free(slot);
        handler.broken(tag);
      }
    }
  }
}
