package io.helenus.storage.local;

import io.helenus.storage.compaction.GraceRule;
import io.helenus.storage.engine.ShardMap;
import io.helenus.storage.engine.StorageOptions;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.job.JobContext;
import io.helenus.storage.manifest.Manifest;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.nearest.VectorReads;
import io.helenus.storage.sstable.FileMemory;
import java.util.concurrent.Executor;

/** The objects that the shards of a node share. Immutable; its parts may be used on any thread. */
record StorageContext(
    StorageEnvironment environment,
    StorageOptions options,
    GraceRule graceRule,
    CounterShareClaim counterShare,
    FileMemory fileMemory,
    JobContext jobs) {

  NodeMemory memory() {
    return environment.memory();
  }

  /** What the reads of nearest rows of a shard share. */
  VectorReads vectorReads(Executor shard) {
    return new VectorReads(
        environment.search(), shard, jobs.fatalErrors(), memory().segments(Use.BUFFERS));
  }

  FileSystem files() {
    return jobs.files();
  }

  Manifest manifest() {
    return jobs.manifest();
  }

  ShardMap shardMap() {
    return jobs.shardMap();
  }
}
