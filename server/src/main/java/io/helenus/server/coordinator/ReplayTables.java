package io.helenus.server.coordinator;

/** What the replay of the batch log must know of tables. Any thread. */
public interface ReplayTables {
  /** The answer of {@link #gcGraceSeconds} for a table that does not exist any more. */
  int DROPPED = -1;

  /** The gc_grace_seconds of a table, or {@link #DROPPED}. */
  int gcGraceSeconds(int tableId);

  /** When the table was last truncated, microseconds since 1970; 0 for never. */
  long truncatedAtMicros(int tableId);
}
