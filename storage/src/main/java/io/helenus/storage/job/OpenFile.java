package io.helenus.storage.job;

import io.helenus.storage.env.FileSystem;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.sstable.Sstable;
import java.io.IOException;

/** A live SSTable that one shard has open. Opened and closed on background threads. */
public final class OpenFile {
  private final LiveFile live;
  private final Sstable sstable;
  private final boolean shared;

  private OpenFile(LiveFile live, Sstable sstable, boolean shared) {
    this.live = live;
    this.sstable = sstable;
    this.shared = shared;
  }

  /** Opens a live file for a shard; {@code shared} if it also contains rows of other shards. */
  public static OpenFile open(JobContext context, LiveFile live, boolean shared)
      throws IOException {
    FileSystem.File file = context.files().open(live.path());
    try {
      return adopt(context, live, file, shared);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Wraps a live file that is already open, and takes ownership of it. */
  public static OpenFile adopt(
      JobContext context, LiveFile live, FileSystem.File file, boolean shared) {
    Sstable sstable = context.format().open(file);
    context.registry().opened(live);
    sstable.whenUnused(
        () ->
            context
                .io()
                .execute(
                    () -> {
                      try {
                        file.close();
                      } catch (IOException e) {
                        context.fatal(e);
                      }
                      context.registry().closed(live);
                    }));
    return new OpenFile(live, sstable, shared);
  }

  public LiveFile live() {
    return live;
  }

  public Sstable sstable() {
    return sstable;
  }

  public boolean isShared() {
    return shared;
  }
}
