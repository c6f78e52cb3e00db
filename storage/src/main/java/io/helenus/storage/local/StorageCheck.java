package io.helenus.storage.local;

import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.log.LogFiles;
import io.helenus.storage.log.LogReplay;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.manifest.Manifest;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.v1.V1Format;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads all files of a stopped node's storage and reports damage with file and offset. Changes
 * nothing. The caller must hold the lock of the data folder. Blocks; one thread.
 */
public final class StorageCheck {
  private final FileSystem files;
  private final Consumer<String> damage;
  private final Consumer<String> remarks;
  private final V1Format format = new V1Format();

  /**
   * Creates a check of the files of a data folder.
   *
   * @param damage receives a description of each damaged place
   * @param remarks receives descriptions of harmless findings, such as torn tails of logs
   */
  public StorageCheck(FileSystem files, Consumer<String> damage, Consumer<String> remarks) {
    this.files = files;
    this.damage = damage;
    this.remarks = remarks;
  }

  /** Reads the manifest and every block of every live file; returns the number of files. */
  public int checkTables() {
    List<LiveFile> live;
    try {
      live = Manifest.readLiveFiles(files);
    } catch (IOException | StorageException e) {
      damage.accept(String.valueOf(e.getMessage()));
      return 0;
    }
    for (LiveFile each : live) {
      try (FileSystem.File file = files.open(each.path())) {
        Sstable open = format.open(file);
        open.verify(damage);
        open.release();
      } catch (IOException | StorageException e) {
        damage.accept(String.valueOf(e.getMessage()));
      }
    }
    return live.size();
  }

  /** Reads every record of every commit log; returns the number of logs. */
  public int checkLogs() {
    List<LogFiles.OldLog> logs;
    try {
      logs = LogFiles.find(files);
    } catch (IOException | StorageException e) {
      damage.accept(String.valueOf(e.getMessage()));
      return 0;
    }
    for (LogFiles.OldLog log : logs) {
      try {
        LogReplay replay = new LogReplay(files, log, LogReplay.OnDamage.reporting(damage), remarks);
        replay.run((logId, position, segment, offset, length) -> {});
      } catch (IOException | StorageException e) {
        damage.accept(String.valueOf(e.getMessage()));
      }
    }
    return logs.size();
  }
}
