package io.helenus.storage.job;

import io.helenus.storage.engine.GraphLimits;
import io.helenus.storage.engine.PartitionLimits;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.manifest.Manifest;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.SstableFormat;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * The objects that the background jobs of a node share. Immutable; its parts may be used on any
 * thread.
 *
 * @param files the data folder
 * @param clock wall clock for purge decisions and reports
 * @param io runs syncs and closes of files
 * @param background runs flushes and compactions
 * @param fatalErrors decides whether an unexpected exception stops the node, and stops it
 * @param manifest the live files
 * @param format of new SSTables
 * @param shardMap which tokens belong to which shard
 * @param registry which SSTables are open, and which of them are obsolete
 * @param running the jobs that are running, so that closing can wait for them
 * @param activity progress and history of jobs, for operators
 * @param graphLimits when graphs of vectors are built
 * @param graphTurns a permit for each graph that may be built at the same time
 * @param partitionLimits which partitions to report when they are written to files
 * @param memory native memory, of which jobs take the share of {@link Use#COMPACTION}
 * @param jobMemory which compactions may run at once
 */
public record JobContext(
    FileSystem files,
    Clock clock,
    Executor io,
    Executor background,
    FatalErrors fatalErrors,
    Manifest manifest,
    SstableFormat format,
    ShardMap shardMap,
    FileRegistry registry,
    RunningJobs running,
    Activity activity,
    GraphLimits graphLimits,
    Semaphore graphTurns,
    PartitionLimits partitionLimits,
    NodeMemory memory,
    JobMemory jobMemory) {

  /** Memory for large rows. */
  public LargeSegments segments() {
    return memory.segments(Use.COMPACTION);
  }

  /** A source of the blocks of whole files. */
  public DirectBlocks blocks() {
    return new DirectBlocks(memory.slabs(Use.COMPACTION));
  }

  public long nowSeconds() {
    return clock.wallSeconds();
  }

  public long nowMicros() {
    return clock.wallMicros();
  }

  /** Stops the node. */
  public void fatal(Throwable why) {
    fatalErrors.halt(why);
  }

  /** The exception to fail a job with; see {@link FatalErrors#contain}. */
  public Exception contain(Throwable failure) {
    return fatalErrors.contain(failure);
  }

  /** The greatest token of a shard. */
  public long lastToken(int shard) {
    return shard + 1 == shardMap.count() ? Long.MAX_VALUE : shardMap.firstToken(shard + 1) - 1;
  }

  /**
   * Runs a job on a background thread, unless the node is stopping. A job must handle its own
   * failures; an exception that escapes it halts the node.
   */
  public void runInBackground(Runnable job) {
    background.execute(
        () -> {
          if (running.enter()) {
            try {
              job.run();
            } finally {
              running.exit();
            }
          }
        });
  }
}
