package io.helenus.server.metadata;

import io.helenus.server.schema.SchemaEdit;

/** One entry of the metadata log: resolved facts. Immutable. */
public sealed interface MetadataEntry {

  /**
   * A node is part of the cluster, with these tokens.
   *
   * @param clusterName of the cluster it has joined or, as the first one, made
   */
  record NodeJoined(ClusterNode node, String clusterName) implements MetadataEntry {}

  /** The schema changes. */
  record SchemaChanged(SchemaEdit edit) implements MetadataEntry {}
}
