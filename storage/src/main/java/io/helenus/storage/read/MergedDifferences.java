package io.helenus.storage.read;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaDifferences;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.merge.EntryMerge;
import io.helenus.storage.merge.PurgeRules;
import io.helenus.storage.reply.Replies;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares the merge of replies, made by the code that merges files, with each of them. Shard
 * thread only.
 */
final class MergedDifferences implements ReplicaDifferences {
  private static final int STEP_ENTRIES = 256;

  private final EntryMerge merge;
  private final ByteWriter partition = new ByteWriter(128);
  private final BoundView bound = new BoundView();
  private final List<ReplicaLack> lacks = new ArrayList<>();
  private boolean ended;

  MergedDifferences(
      Replies replies,
      ReadRequest request,
      TableSources sources,
      long epoch,
      LargeSegments segments) {
    List<EntryCursor> runs = new ArrayList<>();
    for (int i = 0; i < replies.count(); i++) {
      runs.add(replies.comparing(i));
      lacks.add(new ReplicaLack(replies.comparing(i), request, sources, epoch));
    }
    merge = new EntryMerge(runs, sources.table(), PurgeRules.KEEP_ALL, segments);
  }

  @Override
  public boolean advance() {
    for (int i = 0; i < STEP_ENTRIES && !ended; i++) {
      if (merge.next()) {
        compare();
      } else {
        ended = true;
        lacks.forEach(ReplicaLack::endPartition);
      }
    }
    return !ended;
  }

  private void compare() {
    if (!merge.isInPartition(partition)) {
      partition.clear().putBytes(merge.keySegment(), merge.keyOffset(), merge.prefixLength());
      lacks.forEach(lack -> lack.beginPartition(partition));
    }
    long timestamp = RowFormat.NO_TIMESTAMP;
    long seconds = 0;
    if (merge.kind() == Entry.BOUND) {
      bound.wrap(merge.valueSegment(), merge.valueOffset());
      timestamp = bound.openedTimestamp();
      seconds = bound.openedSeconds();
    }
    for (int i = 0; i < lacks.size(); i++) {
      lacks.get(i).compare(merge, timestamp, seconds);
    }
  }

  @Override
  public ByteWriter mutations(int replica) {
    return lacks.get(replica).mutations();
  }

  @Override
  public int count(int replica) {
    return lacks.get(replica).count();
  }

  @Override
  public int offset(int replica, int mutation) {
    return lacks.get(replica).offset(mutation);
  }

  void close() {
    merge.close();
  }
}
