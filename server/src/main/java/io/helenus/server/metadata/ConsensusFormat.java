package io.helenus.server.metadata;

import io.helenus.server.consensus.AcceptedValue;
import io.helenus.server.consensus.Ballot;
import io.helenus.server.consensus.RegisterState;
import io.helenus.storage.bytes.ByteWriter;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Ballots, votes and proposals as bytes, in files and between nodes; the format is described in
 * docs/metadata-log.md. Malformed input raises what {@link FactInput} raises. Stateless.
 */
final class ConsensusFormat {
  private ConsensusFormat() {}

  /** Reads bytes of the newest format, and nothing beyond them. */
  static FactReader reader(byte[] bytes) {
    ByteWriter copy = new ByteWriter(bytes.length).putBytes(bytes);
    return new FactReader(
        copy.segment().asSlice(0, bytes.length), 0, bytes.length, FactFormat.VERSION);
  }

  static void putUuid(ByteWriter out, UUID uuid) {
    out.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
  }

  static void putBallot(ByteWriter out, Ballot ballot) {
    out.putLong(ballot.micros());
    putUuid(out, ballot.hostId());
    out.putLong(ballot.life());
  }

  static Ballot ballot(FactInput in) {
    return new Ballot(in.i64(), in.uuid(), in.i64());
  }

  static void putValue(ByteWriter out, byte[] value) {
    out.putVarint(value.length).putBytes(value);
  }

  static byte[] value(FactInput in) {
    return in.bytes(in.count());
  }

  static void putAccepted(ByteWriter out, @Nullable AcceptedValue accepted) {
    out.putByte(accepted == null ? 0 : 1);
    if (accepted != null) {
      putBallot(out, accepted.ballot());
      putValue(out, accepted.value());
    }
  }

  static @Nullable AcceptedValue accepted(FactInput in) {
    return in.u8() == 0 ? null : new AcceptedValue(ballot(in), value(in));
  }

  static void putRegister(ByteWriter out, RegisterState register) {
    Ballot promised = register.promised();
    out.putByte(promised == null ? 0 : 1);
    if (promised != null) {
      putBallot(out, promised);
    }
    putAccepted(out, register.accepted());
  }

  static RegisterState register(FactInput in) {
    return new RegisterState(in.u8() == 0 ? null : ballot(in), accepted(in));
  }

  /** Writes a proposal up to the end of what contains it. */
  static void putProposal(ByteWriter out, Proposal proposal) {
    ProposalId id = proposal.id();
    putUuid(out, id.proposer());
    out.putLong(id.life()).putLong(id.number()).putLong(proposal.slot());
    out.putBytes(proposal.bytes());
  }

  /** Reads a proposal, which goes on to the end of the input. */
  static Proposal proposal(FactReader in) {
    ProposalId id = new ProposalId(in.uuid(), in.i64(), in.i64());
    long slot = in.i64();
    byte[] entry = in.rest();
    return new Proposal(id, slot, in.entry(), entry);
  }

  /** A proposal as the value of a register. */
  static byte[] valueOf(Proposal proposal) {
    ByteWriter out = new ByteWriter(64 + proposal.bytes().length);
    putProposal(out, proposal);
    return out.toArray();
  }

  /**
   * The proposal that is the value of a register.
   *
   * @throws NewerReleaseException if only a later release reads it
   */
  static Proposal proposalOf(byte[] value) {
    FactReader in = reader(value);
    Proposal proposal = proposal(in);
    if (in.position() != value.length) {
      throw new IllegalArgumentException("unexpected bytes at the end of a proposal");
    }
    return proposal;
  }
}
