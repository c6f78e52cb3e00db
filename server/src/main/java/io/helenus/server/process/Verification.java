package io.helenus.server.process;

import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.metadata.LocalMetadataLog;
import io.helenus.server.metadata.MetadataException;
import io.helenus.server.metadata.TimestampReservation;
import io.helenus.server.node.DataLayout;
import io.helenus.server.node.Node;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.DiskFileSystem;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.local.StorageCheck;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * {@code helenus verify}: reads all files of a stopped node and lists damage. Changes nothing. Used
 * once, by one thread.
 */
final class Verification {
  private final FileSystem files;
  private final PrintStream out;
  private int damaged;

  private Verification(FileSystem files, PrintStream out) {
    this.files = files;
    this.out = out;
  }

  /**
   * Checks the data folder of the settings; returns the number of problems found.
   *
   * @throws IOException if there is no data folder or a node is using it
   */
  static int run(Settings settings, PrintStream out) throws IOException {
    Path folder = Path.of(settings.text(Setting.DATA_DIRECTORY));
    if (!Files.isDirectory(folder.resolve(LocalMetadataLog.FOLDER))) {
      throw new IOException(folder + " is not the data folder of a node");
    }
    DiskFileSystem files = new DiskFileSystem(folder);
    try (Closeable lock = files.lock(Node.LOCK)) {
      assert lock != null;
      DataLayout.check(files);
      return new Verification(files, out).run();
    }
  }

  private int run() {
    checkMetadata();
    StorageCheck storage = new StorageCheck(files, this::damage, this::remark);
    int tables = storage.checkTables();
    int logs = storage.checkLogs();
    out.println(
        "Read the metadata log, "
            + count(tables, "SSTable")
            + " and "
            + count(logs, "commit log")
            + ": "
            + (damaged == 0 ? "no damage found" : count(damaged, "problem")));
    return damaged;
  }

  private void checkMetadata() {
    try {
      long tornBytes = LocalMetadataLog.check(files, SystemKeyspaces.all());
      if (tornBytes > 0) {
        remark("the metadata log ends with " + tornBytes + " bytes of an incomplete entry");
      }
    } catch (IOException | MetadataException e) {
      damage(String.valueOf(e.getMessage()));
    }
    try {
      TimestampReservation.check(files);
    } catch (IOException | MetadataException e) {
      damage(String.valueOf(e.getMessage()));
    }
  }

  private void damage(String place) {
    damaged++;
    out.println("damaged: " + place);
  }

  private void remark(String text) {
    out.println("note: " + text);
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
