package io.helenus.server.node;

import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.env.Scheduler;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Everything outside of a node, handed in: the real one, or the simulation's.
 *
 * @param files below the data folder
 * @param loops one event loop for each shard
 * @param io a pool for blocks, syncs and the metadata log
 * @param background a pool for flush and compaction
 * @param fatal told when the node must stop at once, because it no longer knows what is on the disk
 */
public record World(
    FileSystem files,
    Clock clock,
    Randomness randomness,
    List<Scheduler> loops,
    Executor io,
    Executor background,
    Consumer<? super Exception> fatal) {
  /** Copies. */
  public World {
    loops = List.copyOf(loops);
  }
}
