package io.helenus.server.metadata;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.util.List;

/**
 * Reads metadata logs without changing them, with the reader that a node uses; a node may be using
 * them. Blocks. Stateless.
 */
public final class MetadataInspection {
  private MetadataInspection() {}

  /**
   * Reads one file and hands over everything up to its end or its first damaged place.
   *
   * @return how many bytes of an unfinished entry the file ends in
   * @throws MetadataException when the file is damaged, naming it and the offset
   */
  public static long run(
      FileSystem files, String path, List<KeyspaceSchema> systemKeyspaces, MetadataVisitor visitor)
      throws IOException {
    try (MetadataFile file = MetadataFile.openAny(files, path)) {
      return file.read(systemKeyspaces, visitor);
    }
  }

  /**
   * The state that the newest file of a data folder yields.
   *
   * @throws MetadataException when there is none, or it is damaged
   */
  public static ClusterState state(FileSystem files, List<KeyspaceSchema> systemKeyspaces)
      throws IOException {
    try (MetadataFile file = LocalMetadataLog.openNewest(files)) {
      MetadataFile.Contents contents = file.read(systemKeyspaces);
      ClusterState state = contents.snapshot();
      for (MetadataLog.Proposal proposal : contents.proposals()) {
        state =
            state
                .apply(state.index() + 1, proposal, LocalMetadataLog.encode(proposal.entry()))
                .state();
      }
      return state;
    }
  }
}
