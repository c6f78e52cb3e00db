package io.helenus.storage.testing;

/** What a simulation can find wrong. A planted bug counts as caught only under its own name. */
public enum Violation {
  /** An acknowledged write that had to survive is missing. */
  LOST_WRITE,
  /** Something deleted, overwritten or expired is visible again. */
  RESURRECTED,
  /** A value that nobody wrote there, or a row in the wrong place. */
  WRONG_ROW,
  /** A part of an atomic mutation or of a logged batch is there, another part is not. */
  TORN_MUTATION,
  /** After a power loss a later record of a shard's log survived and an earlier one did not. */
  HOLE_IN_LOG,
  /** A write that was refused is visible. */
  REFUSED_WRITE_APPLIED,
  /** A paged read left a row out. */
  SKIPPED_ROW,
  /** A paged read returned a row twice. */
  REPEATED_ROW,
  /** A read fails although no read fault is injected. */
  UNREADABLE,
  /** A request is refused for no reason that the simulation has given. */
  UNEXPECTED_ERROR,
  /** A request is never answered, or answered twice. */
  NO_ANSWER,
  /** The node stopped itself for no reason that the simulation has given. */
  NODE_STOPPED,
  /** The node does not start on the files that a crash left. */
  NOT_STARTED,
  /** Files stay behind that nothing references. */
  LEAKED_FILE,
  /** An exception or a failed assertion of the code under test. */
  EXCEPTION
}
