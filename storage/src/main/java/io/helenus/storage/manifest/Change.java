package io.helenus.storage.manifest;

/** One change of an edit: storage/docs/manifest.md. */
public sealed interface Change {
  /** File numbers up to but without this one may have been used. */
  record Counters(long nextFileNumber) implements Change {}

  /** A file is live from now on. */
  record FileAdded(LiveFile file) implements Change {}

  /** A live file is no longer. */
  record FileRemoved(long number) implements Change {}

  /**
   * Records of a table in a log, with a token in the range (both ends included), below the
   * position, are in files or were truncated.
   */
  record Flushed(int tableId, long logId, long firstToken, long lastToken, long position)
      implements Change {}

  /** A table was truncated last at this time. */
  record Truncated(int tableId, long atMicros) implements Change {}

  /** A table was dropped: its files and positions go. */
  record TableForgotten(int tableId) implements Change {}

  /** A log's files are deleted: its positions go. */
  record LogForgotten(long logId) implements Change {}
}
