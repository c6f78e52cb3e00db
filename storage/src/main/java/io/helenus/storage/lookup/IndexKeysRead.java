package io.helenus.storage.lookup;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.RawCursor;
import io.helenus.storage.engine.ReadCursor.Status;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.read.ShardReads;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.read.TimeSlice;
import io.helenus.storage.reply.KeysWriter;
import io.helenus.storage.row.KeyFormat;
import org.jspecify.annotations.Nullable;

/**
 * Lists the keys of the rows that an index finds, for a coordinator that reads these rows from
 * several replicas. Shard thread only.
 */
public final class IndexKeysRead implements RawCursor {
  private static final int CLOCK_EVERY = 64;

  private final ReadRequest request;
  private final int limitBytes;
  private final TimeSlice slice;
  private final @Nullable IndexBlocks blocks;
  private final @Nullable Candidates candidates;
  private @Nullable KeysWriter keys;
  private boolean open = true;
  private boolean complete;

  /**
   * Opens it.
   *
   * @param slabs memory for the keys that it collects
   * @param index null if it does not cover all rows, so that all come into question
   */
  public IndexKeysRead(
      ShardReads reads,
      SlabPool slabs,
      TableSources sources,
      @Nullable TermSources index,
      ReadRequest request,
      int limitBytes) {
    this.request = request;
    this.limitBytes = limitBytes;
    slice = new TimeSlice(reads.clock(), CLOCK_EVERY);
    if (index == null) {
      blocks = null;
      candidates = null;
    } else {
      sources.retain();
      IndexBlocks opened = new IndexBlocks(reads.cache(), sources::release, index.onDamage());
      blocks = opened;
      candidates = IndexRead.candidates(index, request, opened, slabs, slice);
    }
  }

  @Override
  public Status advance(ByteWriter reply) {
    KeysWriter writer = keys;
    if (writer == null) {
      writer = new KeysWriter(reply);
      keys = writer;
    }
    Candidates found = candidates;
    if (found == null || blocks == null) {
      writer.endWithAll();
      return Status.DONE;
    }
    blocks.requireNoFailure();
    slice.begin();
    while (true) {
      switch (found.next()) {
        case READY -> {
          if (isWanted(found.key(), found.prefixLength())) {
            writer.add(found.key(), found.prefixLength());
            if (writer.size() >= limitBytes) {
              writer.endBehind(found.key(), found.prefixLength());
              return Status.DONE;
            }
          }
        }
        case END -> {
          complete = true;
          writer.end();
          return Status.DONE;
        }
        case TOO_MANY -> {
          writer.endWithAll();
          return Status.DONE;
        }
        case WAITING -> {
          return Status.WAITING;
        }
        case YIELD -> {
          return Status.YIELD;
        }
      }
      if (slice.isUp()) {
        return Status.YIELD;
      }
    }
  }

  private boolean isWanted(ByteWriter key, int prefix) {
    return Bytes.getByte(key.segment(), prefix) == KeyFormat.SECTION_STATIC
        || IndexRead.isInSlices(request, key.segment(), prefix, key.size() - prefix);
  }

  @Override
  public void whenReady(Runnable continuation) {
    if (blocks != null) {
      blocks.whenReady(continuation);
    }
  }

  @Override
  public boolean isComplete() {
    return complete;
  }

  @Override
  public int rowsRead() {
    return 0;
  }

  @Override
  public int tombstonesRead() {
    return 0;
  }

  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    if (candidates != null) {
      candidates.close();
    }
    if (blocks != null) {
      blocks.close();
    }
  }
}
