package io.helenus.storage.manifest;

import io.helenus.storage.row.ShareId;

/** A change in an edit of the manifest: storage/docs/manifest.md. Immutable. */
public sealed interface Change {
  /** File numbers below this one may have been assigned. */
  record Counters(long nextFileNumber) implements Change {}

  /** A file has become live. */
  record FileAdded(LiveFile file) implements Change {}

  /** A file is no longer live. */
  record FileRemoved(long number) implements Change {}

  /**
   * A table's records in a log below a position, with tokens in a range (inclusive), are in
   * SSTables or were truncated.
   */
  record Flushed(int tableId, long logId, long firstToken, long lastToken, long position)
      implements Change {}

  /**
   * The last truncation of a table.
   *
   * @param epoch that of the last truncation that all members of a cluster carry out, 0 for none:
   *     mutations of an earlier epoch have no effect on the table any more
   */
  record Truncated(int tableId, long atMicros, long epoch) implements Change {}

  /** A table was dropped: its files and positions are removed. */
  record TableForgotten(int tableId) implements Change {}

  /**
   * The id of the node's counter shares has changed, or what the next start has to know about it.
   *
   * @param atRisk whether records of the commit log with increments under this id may be lost; then
   *     the next increments after a start need another id
   */
  record CounterShare(ShareId id, boolean atRisk) implements Change {}

  /** A log's segments were deleted: its positions are removed. */
  record LogForgotten(long logId) implements Change {}
}
