package io.helenus.storage.engine.local;

import io.helenus.storage.compaction.GraceRule;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.StorageOptions;
import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.manifest.Manifest;
import io.helenus.storage.memtable.SlabPool;
import io.helenus.storage.sstable.SstableFormat;
import java.util.concurrent.Executor;

/** What all shards and jobs of a node share. Immutable; its parts are safe on any thread. */
record StorageContext(
    StorageEnvironment environment,
    StorageOptions options,
    Manifest manifest,
    SstableFormat format,
    SlabPool slabs,
    FileRegister register,
    RunningJobs jobs,
    Activity activity,
    GraceRule graceRule,
    ShardMap shardMap) {

  FileSystem files() {
    return environment.files();
  }

  Executor background() {
    return environment.background();
  }

  Executor io() {
    return environment.io();
  }

  long nowSeconds() {
    return Math.floorDiv(environment.clock().wallMicros(), 1_000_000L);
  }

  long nowMicros() {
    return environment.clock().wallMicros();
  }

  FatalErrors fatal() {
    return environment.fatal();
  }

  /** Stops the node. */
  void fatal(Throwable why) {
    environment.fatal().halt(why);
  }

  /** The exception to fail a background job with; see {@link FatalErrors#contain}. */
  Exception contain(Throwable failure) {
    return environment.fatal().contain(failure);
  }

  /** The greatest token of a shard. */
  long lastToken(int shard) {
    return shard + 1 == shardMap.count() ? Long.MAX_VALUE : shardMap.firstToken(shard + 1) - 1;
  }

  /**
   * Runs a job beside the shards, unless the node is stopping. A job contains its own failures;
   * what escapes it halts the node.
   */
  void runInBackground(Runnable job) {
    background()
        .execute(
            () -> {
              if (jobs.enter()) {
                try {
                  job.run();
                } finally {
                  jobs.exit();
                }
              }
            });
  }
}
