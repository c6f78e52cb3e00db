package io.helenus.server.metadata;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.util.List;

/**
 * Reads metadata logs and the file of reserved timestamps without changing them, with the same
 * readers as a node; safe while a node is using them. Blocks. Stateless.
 */
public final class MetadataInspection {
  private MetadataInspection() {}

  /**
   * Reads one file and passes its contents to a visitor, up to the end or the first damage.
   *
   * @return the length in bytes of an incomplete entry at the end of the file; 0 if there is none
   * @throws MetadataException if the file is damaged; the message names file and offset
   */
  public static long run(
      FileSystem files, String path, List<KeyspaceSchema> systemKeyspaces, MetadataVisitor visitor)
      throws IOException {
    try (MetadataFile file = MetadataFile.openAny(files, path)) {
      return file.read(systemKeyspaces, visitor);
    }
  }

  /**
   * Reads the state from the newest file of a data folder.
   *
   * @throws MetadataException if there is no file, or it is damaged
   */
  public static ClusterState state(FileSystem files, List<KeyspaceSchema> systemKeyspaces)
      throws IOException {
    try (MetadataFile file = MetadataFiles.openNewest(files)) {
      MetadataFile.Contents contents = file.read(systemKeyspaces);
      ClusterState state = contents.snapshot();
      for (Proposal proposal : contents.proposals()) {
        state = state.apply(state.index() + 1, proposal).state();
      }
      return state;
    }
  }

  /**
   * Reads the slots of a file of reserved timestamps (docs/timestamps.md).
   *
   * @return its two slots; none if the file is shorter than them, as it then was never synced
   * @throws MetadataException if a record has an unknown format version
   */
  public static List<TimestampSlot> timestamps(FileSystem files, String path) throws IOException {
    try (FileSystem.File file = files.open(path)) {
      return TimestampFile.readSlots(path, file, new Crc32c());
    }
  }
}
