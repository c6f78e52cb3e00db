package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.schema.Replication;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.bytes.ByteWriter;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What this release does with what a later one has written. */
class LaterReleaseTest {
  private static final UUID PROPOSER = new UUID(1, 2);

  /** Release (3 bytes) and tag, before the length of an entry. */
  private static final int LENGTH_OFFSET = 4;

  private static byte[] keyspace() {
    ByteWriter out = new ByteWriter(64);
    new FactWriter(out)
        .entry(
            new MetadataEntry.SchemaChanged(
                new SchemaEdit.CreateKeyspace("ks", true, Replication.simple(1))));
    return out.toArray();
  }

  private static FactReader reader(byte[] bytes) {
    ByteWriter writer = new ByteWriter(bytes.length).putBytes(bytes);
    return new FactReader(writer.segment(), 0, bytes.length, FactFormat.VERSION);
  }

  private static Proposal proposal(byte[] entry) {
    return new Proposal(new ProposalId(PROPOSER, 1, 1), 1, reader(entry).entry(), entry);
  }

  /** An entry with bytes added to the end of its fields. */
  private static byte[] withMoreFields(byte[] entry) {
    ByteWriter out = new ByteWriter(64).putBytes(entry).putLong(42);
    return out.setInt(LENGTH_OFFSET, out.size() - LENGTH_OFFSET - 4).toArray();
  }

  @Test
  void fieldsThatWereAddedAreSkippedAndCountInTheVersion() {
    byte[] known = keyspace();
    byte[] more = withMoreFields(known);
    FactReader reader = reader(more);
    assertEquals(reader(known).entry(), reader.entry());
    assertEquals(more.length, reader.position());
    ClusterState first = ClusterState.first(SystemKeyspaces.all());
    ClusterState one = first.apply(1, proposal(known)).state();
    ClusterState other = first.apply(1, proposal(more)).state();
    assertEquals(
        String.valueOf(one.schema().keyspace("ks")), String.valueOf(other.schema().keyspace("ks")));
    assertNotEquals(one.schema().version(), other.schema().version());
  }

  @Test
  void aFollowerWritesTheBytesThatItRead() {
    MetadataFixture node = new MetadataFixture(1).open();
    byte[] more = withMoreFields(keyspace());
    node.propose(new Proposal(new ProposalId(PROPOSER, 1, 1), 2, reader(more).entry(), more));
    String before = StateText.of(node.log().state());
    node.kill();
    assertEquals(before, StateText.of(node.open().log().state()));
  }

  @Test
  void aTruncatedStructureIsDamage() {
    byte[] entry = keyspace();
    for (int length = 0; length < entry.length - LENGTH_OFFSET - 4; length++) {
      byte[] shorter = new ByteWriter(64).putBytes(entry).setInt(LENGTH_OFFSET, length).toArray();
      assertThrows(IllegalArgumentException.class, () -> reader(shorter).entry());
    }
    byte[] longer =
        new ByteWriter(64).putBytes(entry).setInt(LENGTH_OFFSET, entry.length).toArray();
    assertThrows(IllegalArgumentException.class, () -> reader(longer).entry());
  }

  /** An entry of a kind that this release does not know, as release 7.3.1 would write it. */
  private static byte[] ofLaterRelease() {
    return new ByteWriter(64).putBytes(new byte[] {7, 3, 1, 99, 0, 0, 0, 2, 5, 6}).toArray();
  }

  @Test
  void anUnknownEntryStopsTheNodeAndNamesTheRelease() {
    MetadataFixture node = new MetadataFixture(1).open();
    MetadataEntry known = reader(keyspace()).entry();
    byte[] bytes = ofLaterRelease();
    node.propose(new Proposal(new ProposalId(PROPOSER, 1, 1), 2, known, bytes));
    node.kill();
    MetadataException refused = assertThrows(MetadataException.class, node::open);
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("metadata/metadata-1.log"), message);
    assertTrue(message.contains("Helenus 7.3.1 or later is needed"), message);
    assertTrue(!message.contains("damaged"), message);
  }

  @Test
  void aSnapshotOfALaterReleaseIsRefused() {
    byte[] later = {0, 2, 0, 0, 0, 0, 0};
    NewerReleaseException refused =
        assertThrows(
            NewerReleaseException.class, () -> reader(later).snapshot(SystemKeyspaces.all()));
    assertTrue(String.valueOf(refused.getMessage()).contains("Helenus 0.2.0 or later"));
  }
}
