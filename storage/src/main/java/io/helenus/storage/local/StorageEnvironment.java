package io.helenus.storage.local;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.env.StoppableScheduler;
import io.helenus.storage.memory.NodeMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The files, clock and executors that a node's storage uses.
 *
 * @param files the data folder
 * @param clock for grace periods and expiry
 * @param randomness for ids of counter shares
 * @param shards the scheduler of each shard
 * @param io for syncs, log segments and loads of blocks; several threads
 * @param search for searches of vectors, which keep a processor busy; at most as many as there are
 * @param background for flushes and compactions; at most half the cores
 * @param fatal decides whether an unexpected exception stops the node; after a failure that leaves
 *     an unknown state, such as a failed sync, stops it without further acknowledgements
 * @param memory native memory and its limits
 */
public record StorageEnvironment(
    FileSystem files,
    Clock clock,
    Randomness randomness,
    List<Scheduler> shards,
    Executor io,
    Executor search,
    Executor background,
    FatalErrors fatal,
    NodeMemory memory) {
  /**
   * Wraps the schedulers so that they drop tasks of shards that have stopped, and the executors so
   * that an exception that escapes a task halts the node.
   */
  public StorageEnvironment {
    List<Scheduler> stoppable = new ArrayList<>();
    for (Scheduler shard : shards) {
      stoppable.add(new StoppableScheduler(shard));
    }
    shards = List.copyOf(stoppable);
    io = fatal.guarded(io);
    search = fatal.guarded(search);
    background = fatal.guarded(background);
  }
}
