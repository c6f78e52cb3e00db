package io.helenus.storage.engine.local;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.StoppableScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The outside world as a node's storage sees it.
 *
 * @param files below the data folder
 * @param clock for grace periods and expiry
 * @param shards one thread of work for each shard
 * @param io for syncs, log segments and reads of blocks; several threads
 * @param background for flush and compaction; at most half the cores
 * @param fatal told once of what makes it impossible to go on, such as a failed sync: the node has
 *     to stop without acknowledging anything more. Called on any thread
 */
public record StorageEnvironment(
    FileSystem files,
    Clock clock,
    List<Scheduler> shards,
    Executor io,
    Executor background,
    Consumer<? super Exception> fatal) {
  /** Copies; what finishes beside a shard that has stopped is dropped. */
  public StorageEnvironment {
    List<Scheduler> stoppable = new ArrayList<>();
    for (Scheduler shard : shards) {
      stoppable.add(new StoppableScheduler(shard));
    }
    shards = List.copyOf(stoppable);
  }
}
