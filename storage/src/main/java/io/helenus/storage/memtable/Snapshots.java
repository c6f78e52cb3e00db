package io.helenus.storage.memtable;

import org.jspecify.annotations.Nullable;

/**
 * Assigns sequence numbers to one shard's mutations and tracks the snapshots of open cursors, so
 * that memtables know which old versions of a row may still be read. Shard thread only.
 */
public final class Snapshots {
  /** No snapshot is open: smaller than every sequence number. */
  public static final long NONE = -1;

  /** The sequence number of a snapshot that sees everything. */
  public static final long ALL = Long.MAX_VALUE;

  /** A snapshot: sees the mutations up to its sequence number, inclusive. */
  public static final class Snapshot {
    private long sequence = NONE;
    private @Nullable Snapshot older;
    private @Nullable Snapshot newer;

    /** The last sequence number that it sees. */
    public long sequence() {
      return sequence;
    }
  }

  private final Scratch scratch = new Scratch();
  private long sequence;
  private @Nullable Snapshot newest;
  private int count;

  /** The shard's working memory for applying a mutation. */
  Scratch scratch() {
    return scratch;
  }

  /** The number of the next mutation. */
  public long next() {
    return ++sequence;
  }

  /** The number of the last mutation. */
  public long sequence() {
    return sequence;
  }

  /** Opens a snapshot of everything applied so far, using an object that is not in use. */
  public void open(Snapshot snapshot) {
    snapshot.sequence = sequence;
    snapshot.older = newest;
    snapshot.newer = null;
    if (newest != null) {
      newest.newer = snapshot;
    }
    newest = snapshot;
    count++;
  }

  /** Closes a snapshot. */
  public void close(Snapshot snapshot) {
    Snapshot older = snapshot.older;
    Snapshot newer = snapshot.newer;
    if (older != null) {
      older.newer = newer;
    }
    if (newer != null) {
      newer.older = older;
    } else {
      newest = older;
    }
    snapshot.older = null;
    snapshot.newer = null;
    snapshot.sequence = NONE;
    count--;
  }

  /** The sequence number of the newest open snapshot, or {@link #NONE}. */
  public long newestOpen() {
    return newest == null ? NONE : newest.sequence;
  }

  /** The number of open snapshots. */
  public int openCount() {
    return count;
  }
}
