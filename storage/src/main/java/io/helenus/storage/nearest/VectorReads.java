package io.helenus.storage.nearest;

import io.helenus.storage.env.FatalErrors;
import io.helenus.storage.memory.SegmentSource;
import java.util.concurrent.Executor;

/**
 * What the reads of nearest rows of a shard share.
 *
 * @param search runs searches, off the shards
 * @param shard runs what follows them
 * @param fatal decides whether a failed search stops the node
 * @param memory for the keys to which a search is restricted
 */
public record VectorReads(
    Executor search, Executor shard, FatalErrors fatal, SegmentSource memory) {}
