package io.helenus.storage.lookup;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.merge.MergeHeap;
import io.helenus.storage.run.EntryCursor;
import java.util.List;

/**
 * The keys under one term: the runs have them in order, so that they are merged as they are read.
 */
final class TermCandidates implements Candidates {
  private final List<EntryCursor> cursors;
  private final IndexRange range;
  private final MergeHeap heap = new MergeHeap();
  private final ByteWriter start = new ByteWriter(128);
  private final ByteWriter key = new ByteWriter(128);

  /** The cursors that must be sought before the first key, and moved before the next one. */
  private final boolean[] unsought;

  private final boolean[] unmoved;
  private int prefixLength;

  /** Takes ownership of the cursors. */
  TermCandidates(List<EntryCursor> cursors, IndexRange range) {
    this.cursors = cursors;
    this.range = range;
    unsought = new boolean[cursors.size()];
    unmoved = new boolean[cursors.size()];
    java.util.Arrays.fill(unsought, true);
    heap.clear(false, 0, 0);
    start.putBytes(range.segment(), range.lower(), range.lowerLength());
    start.putBytes(range.segment(), 0, range.keyLowerLength());
  }

  @Override
  public Step next() {
    while (true) {
      if (!moveAll()) {
        return Step.WAITING;
      }
      if (!heap.popGroup()) {
        return Step.END;
      }
      EntryCursor first = heap.group(0);
      for (int i = 0; i < heap.groupCount(); i++) {
        unmoved[heap.groupId(i)] = true;
      }
      int term = range.lowerLength();
      if (first.keyLength() == term) {
        continue;
      }
      long at = first.keyOffset() + term;
      int length = first.keyLength() - term;
      if (range.isKeyBeyond(first.keySegment(), at, length)) {
        return Step.END;
      }
      key.clear().putBytes(first.keySegment(), at, length);
      prefixLength = first.prefixLength() - term;
      return Step.READY;
    }
  }

  /** Moves the cursors of the last group; false if some wait for a block. */
  private boolean moveAll() {
    boolean complete = true;
    for (int i = 0; i < cursors.size(); i++) {
      if (unsought[i] || unmoved[i]) {
        EntryCursor cursor = cursors.get(i);
        EntryCursor.Step step =
            unsought[i] ? cursor.seek(start.segment(), 0, start.size(), 0) : cursor.next();
        if (step == EntryCursor.Step.WAITING) {
          complete = false;
          continue;
        }
        unsought[i] = false;
        unmoved[i] = false;
        if (step == EntryCursor.Step.READY && isOfTerm(cursor)) {
          heap.push(cursor, i);
        }
      }
    }
    return complete;
  }

  private boolean isOfTerm(EntryCursor cursor) {
    int term = range.lowerLength();
    return cursor.keyLength() >= term
        && Bytes.equal(
            cursor.keySegment(), cursor.keyOffset(), term, range.segment(), range.lower(), term);
  }

  @Override
  public ByteWriter key() {
    return key;
  }

  @Override
  public int prefixLength() {
    return prefixLength;
  }

  @Override
  public void close() {
    cursors.forEach(EntryCursor::close);
  }
}
