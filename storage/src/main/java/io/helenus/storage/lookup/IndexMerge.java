package io.helenus.storage.lookup;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadCursor.Status;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaDifferences;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.read.FollowUp;
import io.helenus.storage.read.MergedReplies;
import io.helenus.storage.read.ShardReads;
import io.helenus.storage.read.TableSources;
import io.helenus.storage.reply.KeyLists;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The merge of a read by an index: it asks the replicas for the keys that their indexes find, then
 * for the rows of their union, a part of a partition at a time. Shard thread only.
 */
public final class IndexMerge implements ReplicaMerge {
  /** How many rows of a partition are read at once. */
  private static final int ROWS_LIMIT = 1000;

  private final ShardReads reads;
  private final TableSources sources;
  private final ReadRequest request;
  private final int replicas;
  private final FollowUp followUp;
  private final KeyLists keys = new KeyLists();
  private final PartsOutput output = new PartsOutput();
  private final ByteWriter partition = new ByteWriter(64);
  private final ByteWriter position = new ByteWriter(64);
  private @Nullable MergedReplies reading;

  /** The part that has been read, whose differences may be wanted until the next replies. */
  private @Nullable MergedReplies read;

  private ReadRequest rows = new ReadRequest();
  private boolean readingRange;
  private boolean hasKeys;

  /** Whether {@code keys} is at a key that has not been used. */
  private boolean pending;

  private boolean whole;
  private boolean ended;
  private int rowsRead;
  private boolean closed;

  /** Opens it. */
  public IndexMerge(ShardReads reads, TableSources sources, ReadRequest request, int replicas) {
    this.reads = reads;
    this.sources = sources;
    this.request = request;
    this.replicas = replicas;
    sources.retain();
    followUp = new FollowUp(request);
  }

  @Override
  public ReadRequest nextRequest() {
    MergedReplies current = reading;
    return current != null ? current.nextRequest() : followUp.request();
  }

  @Override
  public void replies(List<MemorySegment> replies) {
    closeRead();
    MergedReplies current = reading;
    if (current != null) {
      current.replies(replies);
    } else {
      keys.take(replies);
      hasKeys = true;
      pending = false;
    }
  }

  @Override
  public Status advance(RowSink sink) {
    output.to(sink);
    while (true) {
      MergedReplies current = reading;
      if (current != null) {
        Status status = current.advance(readingRange ? sink : output);
        if (status != Status.DONE) {
          return status;
        }
        endReading(current);
      } else if (ended) {
        return Status.DONE;
      } else if (!hasKeys) {
        return Status.WAITING;
      } else if (gather()) {
        reading = reads.merge(sources, rows, replicas);
      } else if (keys.areAll()) {
        readAll();
      } else {
        goOn();
      }
    }
  }

  private void endReading(MergedReplies current) {
    rowsRead += current.rowsRead();
    closeRead();
    read = current;
    reading = null;
    readingRange = false;
    if (whole) {
      output.skip();
      whole = false;
    }
  }

  private void closeRead() {
    if (read != null) {
      read.close();
      read = null;
    }
  }

  /** Some replica cannot narrow what is left: all of it is read. */
  private void readAll() {
    ReadRequest left = followUp.request();
    hasKeys = false;
    int lower = left.keys().lowerLength();
    MemorySegment segment = left.segment();
    rows = new ReadRequest().resetLike(left);
    if (left.keys().isPartition()) {
      beginPartition(segment, lower);
      rows.partition(segment, 0, lower).addSlicesOf(left);
    } else {
      readingRange = true;
      rows.partitions(segment, 0, lower, segment, lower, left.keys().upperLength());
    }
    rows.addElementsOf(left);
    if (!output.isSkipping() || readingRange) {
      reading = reads.merge(sources, rows, replicas);
    }
    endOrGoOnBehind();
  }

  private void beginPartition(MemorySegment prefix, int length) {
    if (!Bytes.equal(prefix, 0, length, partition.segment(), 0, partition.size())) {
      partition.clear().putBytes(prefix, 0, length);
      output.beginPartition();
    }
  }

  /** After what is left of a partition alone, the read goes on behind it. */
  private void endOrGoOnBehind() {
    byte[] prefix = followUp.partition();
    if (prefix == null) {
      ended = true;
    } else {
      followUp.goOn(behind(prefix), prefix.length);
    }
  }

  private ByteWriter behind(byte[] prefix) {
    return position
        .clear()
        .putBytes(prefix)
        .putByte(KeyFormat.SECTION_ROWS)
        .putByte(KeyFormat.TAG_BOUND_AFTER);
  }

  /** The lists of keys have been used up. */
  private void goOn() {
    hasKeys = false;
    int prefixLength = keys.putPosition(position);
    if (prefixLength == 0) {
      endOrGoOnBehind();
    } else {
      followUp.goOn(position, prefixLength);
    }
  }

  /** Collects the rows to read next, of one partition; false if there are none. */
  private boolean gather() {
    boolean begun = false;
    while (pending || keys.next()) {
      pending = true;
      ByteWriter key = keys.key();
      int prefix = keys.prefixLength();
      if (!isInPartition(key, prefix)) {
        if (begun) {
          return true;
        }
        beginPartition(key.segment(), prefix);
      }
      if (begun && !whole && rows.keys().sliceCount() >= ROWS_LIMIT) {
        return true;
      }
      pending = false;
      if (output.isSkipping() || whole) {
        continue;
      }
      if (!begun) {
        begun = true;
        rows = ofPartition();
        rows.addElementsOf(request);
      }
      take(key, prefix);
    }
    return begun;
  }

  private ReadRequest ofPartition() {
    ReadRequest made = new ReadRequest().resetLike(request);
    return made.partition(partition.segment(), 0, partition.size());
  }

  private boolean isInPartition(ByteWriter key, int prefix) {
    return prefix == partition.size()
        && Bytes.equal(key.segment(), 0, prefix, partition.segment(), 0, prefix);
  }

  private void take(ByteWriter key, int prefix) {
    if (Bytes.getByte(key.segment(), prefix) == KeyFormat.SECTION_STATIC) {
      whole = true;
      rows = ofPartition();
      rows.addElementsOf(request).addSlicesOf(request);
    } else {
      rows.addRow(key.segment(), prefix, key.size() - prefix);
    }
  }

  @Override
  public ReplicaDifferences differences(long epoch) {
    MergedReplies current = read != null ? read : reading;
    if (current == null) {
      throw new IllegalStateException("lists of keys have no differences");
    }
    return current.differences(epoch);
  }

  @Override
  public int rowsRead() {
    MergedReplies current = reading;
    return rowsRead + (current == null ? 0 : current.rowsRead());
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    closeRead();
    if (reading != null) {
      reading.close();
      reading = null;
    }
    sources.release();
  }
}
