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
 * The outside world of a node's storage.
 *
 * @param files the data folder
 * @param clock for grace periods and expiry
 * @param shards the scheduler of each shard
 * @param io for syncs, log segments and loads of blocks; several threads
 * @param background for flushes and compactions; at most half the cores
 * @param fatal receives, on any thread, a failure after which the node must stop without
 *     acknowledging anything more, such as a failed sync
 */
public record StorageEnvironment(
    FileSystem files,
    Clock clock,
    List<Scheduler> shards,
    Executor io,
    Executor background,
    Consumer<? super Exception> fatal) {
  /** Copies, and makes the schedulers drop tasks of shards that have stopped. */
  public StorageEnvironment {
    List<Scheduler> stoppable = new ArrayList<>();
    for (Scheduler shard : shards) {
      stoppable.add(new StoppableScheduler(shard));
    }
    shards = List.copyOf(stoppable);
  }
}
