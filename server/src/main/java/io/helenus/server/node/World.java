package io.helenus.server.node;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.env.Scheduler;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Everything outside of a node, handed in: the real one, or the simulation's.
 *
 * @param files below the data folder
 * @param loops one event loop for each shard
 * @param io a pool for blocks, syncs and the metadata log
 * @param background a pool for flush and compaction
 * @param fatal stops the node; decides what an unexpected exception means
 */
public record World(
    FileSystem files,
    Clock clock,
    Randomness randomness,
    List<Scheduler> loops,
    Executor io,
    Executor background,
    FatalErrors fatal) {
  /** Copies. */
  public World {
    loops = List.copyOf(loops);
  }
}
