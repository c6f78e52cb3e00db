package io.helenus.server.metadata;

import io.helenus.server.schema.SchemaEdit;

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

  /** The schema changed. */
  record SchemaChanged(SchemaEdit edit) implements MetadataEntry {}
}
