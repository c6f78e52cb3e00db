package io.helenus.server.metadata;

import io.helenus.server.consensus.AcceptedValue;
import io.helenus.server.consensus.Ballot;
import io.helenus.server.consensus.RegisterState.Reply;
import io.helenus.storage.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What nodes tell each other about the metadata log; the format is described in
 * docs/metadata-log.md. Immutable.
 */
sealed interface MetadataMessage {
  /** The version of the format. */
  int VERSION = 1;

  /** Asks a voter for its promise for a slot or, with a value, to accept that. */
  record Request(long slot, Ballot ballot, byte @Nullable [] value) implements MetadataMessage {}

  /** A voter replies to a request. */
  record Voted(long slot, Reply reply) implements MetadataMessage {}

  /**
   * Entries that are decided.
   *
   * @param first the index of the first one
   * @param end the index of the last entry that the sender has
   */
  record Entries(long first, long end, List<byte[]> values) implements MetadataMessage {}

  /** Asks for the entries after an index; the reply is {@link Entries} or {@link Snapshot}. */
  record Fetch(long afterIndex) implements MetadataMessage {}

  /** The state of the sender, for a node that needs entries that were rolled off. */
  record Snapshot(byte[] state) implements MetadataMessage {}

  /**
   * A member says how far it is; only members do, once their join is durable with them.
   *
   * @param durable the index of its last entry
   * @param followed up to which entry its clients see what was applied
   * @param asks whether it wants what it has not
   */
  record Progress(long durable, long followed, boolean asks) implements MetadataMessage {}

  int PREPARE = 1;
  int ACCEPT = 2;
  int PROMISED = 3;
  int ACCEPTED = 4;
  int REJECTED = 5;
  int ENTRIES = 6;
  int FETCH = 7;
  int SNAPSHOT = 8;
  int PROGRESS = 9;

  /** The message as bytes. */
  default byte[] encoded() {
    ByteWriter out = new ByteWriter(64);
    out.putByte(VERSION);
    switch (this) {
      case Request(long slot, Ballot ballot, byte[] value) -> {
        out.putByte(value == null ? PREPARE : ACCEPT).putLong(slot);
        ConsensusFormat.putBallot(out, ballot);
        if (value != null) {
          ConsensusFormat.putValue(out, value);
        }
      }
      case Voted(long slot, Reply reply) -> put(out, slot, reply);
      case Entries(long first, long end, List<byte[]> values) -> {
        out.putByte(ENTRIES).putLong(first).putLong(end).putVarint(values.size());
        values.forEach(value -> ConsensusFormat.putValue(out, value));
      }
      case Fetch(long afterIndex) -> out.putByte(FETCH).putLong(afterIndex);
      case Snapshot(byte[] state) -> out.putByte(SNAPSHOT).putBytes(state);
      case Progress(long durable, long followed, boolean asks) ->
          out.putByte(PROGRESS).putLong(durable).putLong(followed).putByte(asks ? 1 : 0);
    }
    return out.toArray();
  }

  private static void put(ByteWriter out, long slot, Reply reply) {
    switch (reply) {
      case Reply.Promised(Ballot ballot, AcceptedValue accepted) -> {
        out.putByte(PROMISED).putLong(slot);
        ConsensusFormat.putBallot(out, ballot);
        ConsensusFormat.putAccepted(out, accepted);
      }
      case Reply.Accepted(Ballot ballot) -> {
        out.putByte(ACCEPTED).putLong(slot);
        ConsensusFormat.putBallot(out, ballot);
      }
      case Reply.Rejected(Ballot ballot, Ballot promised) -> {
        out.putByte(REJECTED).putLong(slot);
        ConsensusFormat.putBallot(out, ballot);
        ConsensusFormat.putBallot(out, promised);
      }
    }
  }

  /**
   * Reads a message. Fields that a later release has added to its end are skipped.
   *
   * @throws IllegalArgumentException if it is malformed, or of a version or kind that this release
   *     does not know
   */
  static MetadataMessage decode(byte[] bytes) {
    FactReader in = ConsensusFormat.reader(bytes);
    try {
      int version = in.u8();
      if (version != VERSION) {
        throw new IllegalArgumentException("version " + version);
      }
      return decode(in);
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("truncated", e);
    }
  }

  private static MetadataMessage decode(FactReader in) {
    int kind = in.u8();
    return switch (kind) {
      case PREPARE -> new Request(in.i64(), ConsensusFormat.ballot(in), null);
      case ACCEPT -> new Request(in.i64(), ConsensusFormat.ballot(in), ConsensusFormat.value(in));
      case PROMISED ->
          new Voted(
              in.i64(),
              new Reply.Promised(ConsensusFormat.ballot(in), ConsensusFormat.accepted(in)));
      case ACCEPTED -> new Voted(in.i64(), new Reply.Accepted(ConsensusFormat.ballot(in)));
      case REJECTED ->
          new Voted(
              in.i64(), new Reply.Rejected(ConsensusFormat.ballot(in), ConsensusFormat.ballot(in)));
      case ENTRIES -> {
        long first = in.i64();
        long end = in.i64();
        List<byte[]> values = new ArrayList<>();
        for (int i = in.count(); i > 0; i--) {
          values.add(ConsensusFormat.value(in));
        }
        yield new Entries(first, end, values);
      }
      case FETCH -> new Fetch(in.i64());
      case SNAPSHOT -> new Snapshot(in.rest());
      case PROGRESS -> new Progress(in.i64(), in.i64(), in.u8() == 1);
      default -> throw new IllegalArgumentException("kind " + kind);
    };
  }
}
