package io.helenus.server.query.definition;

import io.helenus.server.schema.IndexSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.shard.Shard;
import io.helenus.storage.env.Scheduler.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds back the answer to CREATE INDEX until the index is built, so that a client may use it at
 * once if the table has little data; but not for long, since drivers wait no more than two seconds.
 * Shard thread only.
 */
final class BuildWait {
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Runnable answer;
  private int left;
  private boolean answered;
  private @Nullable Timer limit;

  private BuildWait(int left, Runnable answer) {
    this.left = left;
    this.answer = answer;
  }

  /** Answers when all indexes of the table are built, or a second has passed. */
  static void forIndexes(TableSchema table, IndexBuilds builds, Shard shard, Runnable answer) {
    List<IndexSchema> stored = new ArrayList<>();
    for (IndexSchema index : table.indexes()) {
      if (table.isStored(index)) {
        stored.add(index);
      }
    }
    BuildWait wait = new BuildWait(stored.size(), answer);
    if (stored.isEmpty()) {
      wait.end();
      return;
    }
    wait.limit = shard.schedule(wait::end, LONGEST_NANOS);
    for (IndexSchema index : stored) {
      builds.whenBuilt(table.storageId(), index.id(), () -> shard.execute(wait::oneBuilt));
    }
  }

  private void oneBuilt() {
    if (--left == 0) {
      end();
    }
  }

  private void end() {
    if (answered) {
      return;
    }
    answered = true;
    if (limit != null) {
      limit.cancel();
    }
    answer.run();
  }
}
