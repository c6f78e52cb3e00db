package io.helenus.storage.manifest;

/**
 * A live SSTable. Immutable.
 *
 * @param number of the file, given once
 * @param tableId whose rows it holds
 * @param level of leveled compaction; 0 otherwise
 * @param sizeBytes of the file
 * @param repairedAtMicros when it was repaired, 0 for never
 * @param pendingRepairHigh with the next one the id of a repair under way; 0 for none
 * @param pendingRepairLow the lower half of that id
 * @param firstToken the smallest token that it serves
 * @param lastToken the greatest token that it serves
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
  /** Where SSTables lie. */
  public static final String FOLDER = "sstables";

  static final String NAME_END = ".sst";

  /** A new file of level 0 that no repair has seen. */
  public static LiveFile fresh(
      long number, int tableId, long sizeBytes, long firstToken, long lastToken) {
    return new LiveFile(number, tableId, 0, sizeBytes, 0, 0, 0, firstToken, lastToken);
  }

  /** The path of the file with this number. */
  public static String path(int tableId, long number) {
    return FOLDER + "/" + tableId + "-" + number + NAME_END;
  }

  /** The path of this file. */
  public String path() {
    return path(tableId, number);
  }
}
