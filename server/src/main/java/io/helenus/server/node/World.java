package io.helenus.server.node;

import io.helenus.server.internode.Network;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.env.Scheduler;
import io.helenus.storage.memory.PageDiscard;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * The environment of a node: the real one or a simulation.
 *
 * @param files the data folder
 * @param loops one event loop per shard
 * @param io the pool for block reads, syncs and the metadata log
 * @param search the pool for searches of vectors
 * @param background the pool for flushes and compactions
 * @param pages returns free native memory to the system
 * @param heapRoom whether the heap has room for further tables and types
 * @param network the streams to other nodes
 * @param fatal handles unexpected exceptions and stops the node if necessary
 */
public record World(
    FileSystem files,
    Clock clock,
    Randomness randomness,
    List<Scheduler> loops,
    Executor io,
    Executor search,
    Executor background,
    PageDiscard pages,
    BooleanSupplier heapRoom,
    Network network,
    FatalErrors fatal) {
  /** Copies the list. */
  public World {
    loops = List.copyOf(loops);
  }
}
