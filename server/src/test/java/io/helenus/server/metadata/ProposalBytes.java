package io.helenus.server.metadata;

import java.util.Arrays;

/** What was decided, byte by byte. Stateless. */
public final class ProposalBytes {
  private ProposalBytes() {}

  /** A hash of the encoded entry. */
  public static long hash(Proposal proposal) {
    return Arrays.hashCode(proposal.bytes()) * 31L + proposal.slot();
  }
}
