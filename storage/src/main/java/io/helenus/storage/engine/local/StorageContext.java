package io.helenus.storage.engine.local;

import io.helenus.storage.compaction.GraceRule;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.StorageOptions;
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

  void fatal(Exception why) {
    environment.fatal().accept(why);
  }

  /** The greatest token of a shard. */
  long lastToken(int shard) {
    return shard + 1 == shardMap.count() ? Long.MAX_VALUE : shardMap.firstToken(shard + 1) - 1;
  }

  /**
   * Runs a job beside the shards, unless the node is stopping. What a job raises it should have
   * handled itself: nobody knows then how things stand.
   */
  void runInBackground(Runnable job) {
    background()
        .execute(
            () -> {
              if (jobs.enter()) {
                try {
                  job.run();
                } catch (RuntimeException e) {
                  fatal(e);
                  throw e;
                } finally {
                  jobs.exit();
                }
              }
            });
  }
}
