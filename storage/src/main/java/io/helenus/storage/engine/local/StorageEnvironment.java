package io.helenus.storage.engine.local;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.StoppableScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The outside world as a node's storage sees it.
 *
 * @param files below the data folder
 * @param clock for grace periods and expiry
 * @param shards one thread of work for each shard
 * @param io for syncs, log segments and reads of blocks; several threads
 * @param background for flush and compaction; at most half the cores
 * @param fatal stops the node when it cannot go on, for example after a failed sync, without
 *     acknowledging anything more; decides what an unexpected exception means
 */
public record StorageEnvironment(
    FileSystem files,
    Clock clock,
    List<Scheduler> shards,
    Executor io,
    Executor background,
    FatalErrors fatal) {
  /**
   * Results that arrive for a shard that has stopped are dropped. An exception that escapes a task
   * of a pool halts the node.
   */
  public StorageEnvironment {
    List<Scheduler> stoppable = new ArrayList<>();
    for (Scheduler shard : shards) {
      stoppable.add(new StoppableScheduler(shard));
    }
    shards = List.copyOf(stoppable);
    io = fatal.guarded(io);
    background = fatal.guarded(background);
  }
}
