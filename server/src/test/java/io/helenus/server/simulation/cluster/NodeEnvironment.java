package io.helenus.server.simulation.cluster;

import io.helenus.server.internode.Network;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.Clock;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Randomness;
import io.helenus.storage.env.Scheduler;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What a process of a simulated cluster is started with.
 *
 * @param host the index of the machine
 * @param life which process of the machine this is, from 1
 * @param address where it listens to other nodes
 * @param seeds the addresses of all machines at the moment, as a name service would answer
 * @param files the data folder, which the machine keeps
 * @param loops one event loop for each shard
 * @param io the pool for what waits for the disk
 * @param background the pool for long work
 * @param history where the process reports what it takes for decided
 */
record NodeEnvironment(
    int host,
    int life,
    InetSocketAddress address,
    Supplier<List<InetSocketAddress>> seeds,
    FileSystem files,
    SyncMode syncMode,
    Clock clock,
    Randomness randomness,
    List<? extends Scheduler> loops,
    Executor io,
    Executor background,
    Network network,
    FatalErrors fatal,
    HistoryChecks.Reporter history) {
  /** The same with other files, for a planted bug. */
  NodeEnvironment with(FileSystem others) {
    return new NodeEnvironment(
        host,
        life,
        address,
        seeds,
        others,
        syncMode,
        clock,
        randomness,
        loops,
        io,
        background,
        network,
        fatal,
        history);
  }

  /** The same with another network, for a planted bug. */
  NodeEnvironment with(Network other) {
    return new NodeEnvironment(
        host,
        life,
        address,
        seeds,
        files,
        syncMode,
        clock,
        randomness,
        loops,
        io,
        background,
        other,
        fatal,
        history);
  }
}
