package io.helenus.server.simulation;

import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.Collection;
import java.util.function.Predicate;

/** The check that a data folder has the live files and no others. */
final class FileChecks {
  private static final String FOLDER = "sstables/";

  /** The smallest id of a table that a statement has created. */
  private static final int FIRST_TABLE_ID = 100;

  private FileChecks() {}

  /**
   * Requires that there are as many files of rows as are live, and those of the indexes of the
   * tables among them.
   *
   * @param indexes of each table
   */
  static void requireNoOthers(Collection<String> paths, int live, int indexes) {
    long rows = count(paths, path -> path.endsWith(".sst"));
    long ofTables = count(paths, FileChecks::isOfTable);
    long ofIndexes = count(paths, path -> path.endsWith(".idx"));
    if (rows != live || ofIndexes != indexes * ofTables) {
      throw new ViolationError(
          Violation.LEAKED_FILE,
          rows + " files, " + live + " live, and " + ofIndexes + " of indexes: " + paths);
    }
  }

  private static long count(Collection<String> paths, Predicate<String> kind) {
    return paths.stream().filter(path -> path.startsWith(FOLDER)).filter(kind).count();
  }

  private static boolean isOfTable(String path) {
    return path.endsWith(".sst")
        && Integer.parseInt(path.substring(FOLDER.length(), path.indexOf('-'))) >= FIRST_TABLE_ID;
  }
}
