package io.helenus.server.metadata;

import io.helenus.server.schema.SchemaEdit;
import java.util.List;
import java.util.UUID;

/**
 * One entry of the metadata log. Entries contain no statements, only the resolved results, so that
 * applying them is deterministic. Immutable.
 */
public sealed interface MetadataEntry {

  /**
   * A node joined the cluster with these tokens.
   *
   * @param clusterName the name of the cluster that it joined or, as the first node, created
   */
  record NodeJoined(ClusterNode node, String clusterName) implements MetadataEntry {}

  /** A member is to be found elsewhere from now on, or runs another release of Helenus. */
  record NodeRegistered(UUID hostId, NodeAddresses addresses, String release)
      implements MetadataEntry {}

  /**
   * Other members decide the entries after this one.
   *
   * @param voters all of them, an odd number
   */
  record VotersChanged(List<UUID> voters) implements MetadataEntry {
    /** Copies the list. */
    public VotersChanged {
      voters = List.copyOf(voters);
    }
  }

  /**
   * A table and its views lost what was written to them by mutations that were planned before.
   *
   * @param tableId its storage id
   */
  record TableTruncated(int tableId) implements MetadataEntry {}

  /** The schema changed. */
  record SchemaChanged(SchemaEdit edit) implements MetadataEntry {}
}
