package io.helenus.storage.engine;

/** How much a {@link ReadRequest} may read. Set through the request. One thread at a time. */
public final class ReadLimits {
  /** No limit. */
  public static final int NONE = Integer.MAX_VALUE;

  private int tombstones = NONE;

  /** Resets to no limits. */
  void reset() {
    tombstones = NONE;
  }

  void resetLike(ReadLimits other) {
    tombstones = other.tombstones;
  }

  void tombstones(int count) {
    tombstones = count;
  }

  /** The number of tombstones that the read may encounter, or {@link #NONE}. */
  public int tombstones() {
    return tombstones;
  }
}
