package io.helenus.server.metadata;

import io.helenus.storage.bytes.ByteWriter;

/**
 * An entry that a node wants to be the one of a slot. Immutable; any thread.
 *
 * <p>The encoded entry goes with it: the schema version is computed from the bytes that were
 * decided, which a later release might write differently, or with fields that this one skips.
 */
public final class Proposal {
  private final ProposalId id;
  private final long slot;
  private final MetadataEntry entry;
  private final byte[] bytes;

  /**
   * Proposes an entry.
   *
   * @param slot the index that the entry was validated for, one above that of the state; in any
   *     other it is void
   */
  public Proposal(ProposalId id, long slot, MetadataEntry entry) {
    this(id, slot, entry, encode(entry));
  }

  /** A proposal that was read. */
  Proposal(ProposalId id, long slot, MetadataEntry entry, byte[] bytes) {
    this.id = id;
    this.slot = slot;
    this.entry = entry;
    this.bytes = bytes;
  }

  private static byte[] encode(MetadataEntry entry) {
    ByteWriter bytes = new ByteWriter(512);
    new FactWriter(bytes).entry(entry);
    return bytes.toArray();
  }

  /** Its identity. */
  public ProposalId id() {
    return id;
  }

  /** The only index at which it has an effect. */
  public long slot() {
    return slot;
  }

  /** The entry. */
  public MetadataEntry entry() {
    return entry;
  }

  /** The encoded entry, not to be changed. */
  byte[] bytes() {
    return bytes;
  }
}
