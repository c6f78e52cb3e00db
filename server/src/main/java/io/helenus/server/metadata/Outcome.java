package io.helenus.server.metadata;

/** What became of a proposal that is in the log; a pure function of the entries up to it. */
public enum Outcome {
  /** It has changed the state. */
  APPLIED,
  /**
   * It was decided in another slot than the one that it was validated for, and has no effect:
   * validate again and make another proposal.
   */
  VOID,
  /** It cannot be applied to the state that it was validated for, and has no effect. */
  REFUSED
}
