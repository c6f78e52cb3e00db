package io.helenus.storage.testing;

/**
 * The kinds of failure that a simulation detects. A planted bug must be detected as its own kind.
 */
public enum Violation {
  /** An acknowledged write that had to survive is missing. */
  LOST_WRITE,
  /** Something deleted, overwritten or expired is visible again. */
  RESURRECTED,
  /** A value that was never written there, or a misplaced row. */
  WRONG_ROW,
  /** A materialized view differs from what its definition makes of its table. */
  WRONG_VIEW,
  /** An atomic mutation or a logged batch is present only in part. */
  TORN_MUTATION,
  /** After a power loss, a later record of a shard's log survived an earlier one. */
  HOLE_IN_LOG,
  /** A rejected write is visible. */
  REFUSED_WRITE_APPLIED,
  /** A paged read omitted a row. */
  SKIPPED_ROW,
  /** A paged read returned a row twice. */
  REPEATED_ROW,
  /** A read failed although no read fault was injected. */
  UNREADABLE,
  /** A request failed although the simulation injected no cause. */
  UNEXPECTED_ERROR,
  /** A request got no response, or two. */
  NO_ANSWER,
  /** The node halted although the simulation injected no cause. */
  NODE_STOPPED,
  /** The node does not start after a crash. */
  NOT_STARTED,
  /** Two nodes take different entries or states for decided. */
  DIVERGED_HISTORY,
  /** A replica lacks what a read had to leave on all of them. */
  DIVERGED_REPLICAS,
  /** What a run was to show never happened in it. */
  EMPTY_RUN,
  /** Unreferenced files were not deleted. */
  LEAKED_FILE,
  /** A request that has ended holds memory, or a place in a table. */
  LEAK,
  /** An exception or a failed assertion of the code under test. */
  EXCEPTION
}
