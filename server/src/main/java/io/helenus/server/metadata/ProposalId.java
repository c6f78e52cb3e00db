package io.helenus.server.metadata;

import java.util.UUID;

/**
 * The identity of a proposal, never used for another one. Immutable.
 *
 * @param proposer the host id of the proposing node
 * @param life which of the node's runs it is: greater than that of any run before
 * @param number counts the proposals of that run
 */
public record ProposalId(UUID proposer, long life, long number) {
  /** Whether the same node proposed this one later than another. */
  boolean isAfter(ProposalId other) {
    return life != other.life ? life > other.life : number > other.number;
  }

  @Override
  public String toString() {
    return proposer + "/" + Long.toHexString(life) + "/" + number;
  }
}
