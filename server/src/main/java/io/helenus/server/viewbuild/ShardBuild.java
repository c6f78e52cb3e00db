package io.helenus.server.viewbuild;

import io.helenus.server.coordinator.ReplicaAccess;
import io.helenus.server.replica.ShardReplica;
import io.helenus.server.shard.Shard;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.env.Clock;
import io.helenus.storage.row.KeyFormat;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a view from one shard's part of its base table, in the order of tokens: finds some
 * partitions at a time, and queues the steps that build them. What fails is repeated. Shard thread
 * only.
 */
final class ShardBuild {
  private static final Logger LOG = LoggerFactory.getLogger(ShardBuild.class);
  private static final long RETRY_NANOS = 1_000_000_000;

  /** After the sections of a partition. */
  private static final int AFTER_PARTITION = KeyFormat.SECTION_ROWS + 1;

  private static final byte[] FIRST = {KeyFormat.SECTION_ROWS, KeyFormat.TAG_BOUND_BEFORE};

  private final Shard shard;
  private final ReplicaAccess replica;
  private final ShardReplica part;
  private final Clock clock;
  private final int baseId;
  private final int viewId;
  private final Listener listener;
  private ByteWriter from = new ByteWriter(64);
  private List<byte[]> prefixes = List.of();
  private boolean last;
  private int left;

  /** Watches a build; called on the shard of the build. */
  interface Listener {
    /** Whether the build is to go on. */
    boolean goesOn();

    /** All partitions up to a token have been built, so many more than before. */
    void advanced(long token, int partitions);

    /** The last partition has been built. */
    void ended();
  }

  /**
   * Prepares the build.
   *
   * @param afterToken the token up to which it has been done; Long.MIN_VALUE for none
   */
  ShardBuild(
      ReplicaAccess replica,
      ShardReplica part,
      Clock clock,
      int baseId,
      int viewId,
      long afterToken,
      Listener listener) {
    this.shard = part.shard();
    this.replica = replica;
    this.part = part;
    this.clock = clock;
    this.baseId = baseId;
    this.viewId = viewId;
    this.listener = listener;
    if (afterToken != Long.MIN_VALUE) {
      KeyFormat.putToken(afterToken, from);
    }
  }

  /** Builds the next partitions. */
  void next() {
    if (!listener.goesOn()) {
      return;
    }
    if (last) {
      listener.ended();
      return;
    }
    ReadRequest request = new ReadRequest().reset(baseId, clock.wallSeconds());
    request.partitions(from.segment(), 0, from.size(), from.segment(), 0, 0);
    PartitionPage page = new PartitionPage();
    part.read(
        shard,
        request,
        page,
        new ReplicaAccess.ReadReply() {
          @Override
          public void read(boolean stopped, int rows, int tombstones, long nanos) {
            last = !stopped;
            prefixes = page.prefixes();
            build();
          }

          @Override
          public void notRead(Exception cause) {
            retry(cause, ShardBuild.this::next);
          }
        });
  }

  private void build() {
    if (prefixes.isEmpty()) {
      next();
      return;
    }
    left = prefixes.size();
    for (byte[] prefix : prefixes) {
      step(prefix, FIRST);
    }
  }

  private void step(byte[] prefix, byte[] suffix) {
    BuildStep build =
        new BuildStep(
            replica,
            part,
            clock.wallSeconds(),
            baseId,
            viewId,
            prefix,
            suffix,
            ended -> {
              Exception failure = ended.failure();
              byte[] resumeAt = ended.resumeAt();
              if (!listener.goesOn()) {
                stepEnded();
              } else if (failure != null) {
                retry(failure, () -> step(prefix, suffix));
              } else if (resumeAt != null) {
                step(prefix, resumeAt);
              } else {
                stepEnded();
              }
            });
    part.queue(build.prefix(), build);
  }

  private void stepEnded() {
    if (--left == 0) {
      byte[] prefix = prefixes.getLast();
      from = new ByteWriter(prefix.length + 1).putBytes(prefix).putByte(AFTER_PARTITION);
      listener.advanced(KeyFormat.token(from.segment(), 0), prefixes.size());
      shard.executeLast(this::next);
    }
  }

  private void retry(Exception cause, Runnable again) {
    LOG.warn(
        "A step of the build of a materialized view failed and will be repeated: {}",
        String.valueOf(cause.getMessage()));
    shard.schedule(again, RETRY_NANOS);
  }
}
