package io.helenus.server.cluster;

/** What messages between nodes are ({@code docs/internode.md}, Kinds). */
public final class MessageKind {
  /** A mutation of one partition: token i64 ‖ mutation; acknowledged when it is in the log. */
  public static final byte MUTATION = 1;

  /** The same, with what a read has found that this replica lacks. */
  public static final byte REPAIR = 2;

  /** A read of data: first token i64 ‖ last token i64 ‖ most bytes u32 ‖ request; a raw reply. */
  public static final byte READ_DATA = 3;

  /** A read of a digest, as READ_DATA; the reply is the digest. */
  public static final byte READ_DIGEST = 4;

  /** A message of the metadata log; no reply. */
  public static final byte METADATA = 6;

  /** What nodes tell each other when a cluster forms; the reply is the same of the other side. */
  public static final byte HELLO = 7;

  /** What a member says about itself, again and again; no reply. */
  public static final byte REPORT = 8;

  /**
   * Added to the kind of a mutation, repair or read whose client has asked for a trace: the id of
   * the trace (16 bytes) precedes the body.
   */
  public static final byte TRACED = (byte) 0x80;

  /** Whether a message concerns the whole node, not a replica. */
  static boolean isForNode(byte kind) {
    return kind >= METADATA && kind <= REPORT;
  }

  private MessageKind() {}
}
