package io.helenus.storage.memtable;

import org.jspecify.annotations.Nullable;

/**
 * The sequence numbers of one shard's mutations, and which of them open cursors look at, so that a
 * memtable knows which old versions of a row somebody may still ask for. Shard thread only.
 */
public final class Snapshots {
  /** No snapshot is open: smaller than every sequence number. */
  public static final long NONE = -1;

  /** A sequence number that sees everything. */
  public static final long ALL = Long.MAX_VALUE;

  /** One open snapshot: sees the mutations up to and with its sequence number. */
  public static final class Snapshot {
    private long sequence = NONE;
    private @Nullable Snapshot older;
    private @Nullable Snapshot newer;

    /** What it sees: mutations up to and with this number. */
    public long sequence() {
      return sequence;
    }
  }

  private final Scratch scratch = new Scratch();
  private long sequence;
  private @Nullable Snapshot newest;
  private int count;

  /** The shard's room for applying one mutation. */
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

  /** Opens a snapshot of what has been applied so far, in an object that is not open. */
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

  /** How many are open. */
  public int openCount() {
    return count;
  }
}
