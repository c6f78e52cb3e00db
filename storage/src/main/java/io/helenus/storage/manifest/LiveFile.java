package io.helenus.storage.manifest;

/**
 * A live SSTable. Immutable.
 *
 * @param number of the file, never reused
 * @param tableId the table whose rows it contains
 * @param level for leveled compaction, otherwise 0
 * @param sizeBytes size of the file
 * @param repairedAtMicros when it was repaired, in microseconds since 1970, or 0
 * @param pendingRepairHigh upper half of the id of a repair in progress, or 0
 * @param pendingRepairLow lower half of that id
 * @param firstToken the smallest token that it covers
 * @param lastToken the greatest token that it covers
 */
public record LiveFile(
    long number,
    int tableId,
    int level,
    long sizeBytes,
    long repairedAtMicros,
    long pendingRepairHigh,
    long pendingRepairLow,
    long firstToken,
    long lastToken) {
  /** The folder of SSTables. */
  public static final String FOLDER = "sstables";

  static final String NAME_END = ".sst";
  private static final String INDEX_END = ".idx";

  /** A new file of level 0 that has not been repaired. */
  public static LiveFile fresh(
      long number, int tableId, long sizeBytes, long firstToken, long lastToken) {
    return new LiveFile(number, tableId, 0, sizeBytes, 0, 0, 0, firstToken, lastToken);
  }

  /** The path of the file with this number. */
  public static String path(int tableId, long number) {
    return FOLDER + "/" + tableId + "-" + number + NAME_END;
  }

  /** The path of the file of an index that belongs to the file with this number. */
  public static String indexPath(int tableId, long number, int indexId) {
    return FOLDER + "/" + tableId + "-" + number + "." + indexId + INDEX_END;
  }

  /** The path of the file of an index that belongs to this file. */
  public String indexPath(int indexId) {
    return indexPath(tableId, number, indexId);
  }

  /** The path of this file. */
  public String path() {
    return path(tableId, number);
  }
}
