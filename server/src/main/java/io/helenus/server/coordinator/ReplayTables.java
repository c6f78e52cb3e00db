package io.helenus.server.coordinator;

/** The table properties that a batch log replay depends on. Any thread. */
public interface ReplayTables {
  /** Returned by {@link #gcGraceSeconds} for a table that no longer exists. */
  int DROPPED = -1;

  /** The gc_grace_seconds of a table, or {@link #DROPPED}. */
  int gcGraceSeconds(int tableId);

  /** The time of the table's last truncation in microseconds since 1970; 0 if never truncated. */
  long truncatedAtMicros(int tableId);
}
