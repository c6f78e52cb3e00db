package io.helenus.storage.reply;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowFormat;
import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.MemorySegment;

/**
 * A cursor over the replies of one replica, which follow one another: steps beyond a stop of the
 * present ones return WAITING. One thread at a time.
 */
final class ReplyCursor extends EntryCursor {
  private final ReplyRun run;
  private boolean reversed;
  private final ByteWriter key = new ByteWriter(128);
  private final ByteWriter waitingFor = new ByteWriter(64);
  private final BoundView bound = new BoundView();
  private boolean ends;
  private int index;
  private boolean waiting;
  private int stopPrefix;

  /** Whether the next step is the first one in a new run. */
  private boolean resuming;

  ReplyCursor(ReplyRun run) {
    this.run = run;
  }

  /** Begins a read in this direction. */
  void begin(boolean newReversed) {
    reversed = newReversed;
    ends = false;
    index = 0;
    waiting = false;
    stopPrefix = 0;
    resuming = false;
    key.clear();
    waitingFor.clear();
    takeDeletions(-1);
  }

  /** Continues with the run of the next reply, and whether that ends before the read does. */
  void restart(boolean newEnds) {
    ends = newEnds;
    resuming = true;
    if (!waiting) {
      waitingFor.clear().putBytes(key.segment(), 0, key.size());
      stopPrefix = 0;
    }
    waiting = false;
  }

  /** Whether the last step waits for more. */
  boolean isWaiting() {
    return waiting;
  }

  /** The key from which on, or in a reversed read before which, more is needed. */
  ByteWriter waitingFor() {
    return waitingFor;
  }

  /** The length of the prefix of that key if it is a stop; 0 if it was sought. */
  int stopPrefix() {
    return stopPrefix;
  }

  private Step awaitBehindStop() {
    stopPrefix = prefixLength;
    return await(key.segment(), 0, key.size());
  }

  private Step await(MemorySegment from, long offset, int length) {
    waiting = true;
    waitingFor.clear().putBytes(from, offset, length);
    return Step.WAITING;
  }

  private Step moveTo(int to) {
    run.putKey(to, key);
    return moved(to, 0);
  }

  /** The key of this entry has been put, all but its first bytes. */
  private Step moved(int to, int same) {
    index = to;
    waiting = false;
    resuming = false;
    keySegment = key.segment();
    keyOffset = 0;
    keyLength = key.size();
    prefixLength = run.prefixLength(to);
    valueSegment = run.valueSegment(to);
    valueOffset = run.valueOffset(to);
    valueLength = run.valueLength(to);
    unchanged = same;
    return Step.READY;
  }

  /** The index of the first entry at or after a key. */
  private int lowerBound(MemorySegment segment, long offset, int length) {
    int low = 0;
    int high = run.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (run.compare(middle, segment, offset, length) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Takes the deletions in force behind an entry, which may be before the first one. */
  private void takeDeletions(int at) {
    openTimestamp = RowFormat.NO_TIMESTAMP;
    openSeconds = 0;
    partitionTimestamp = RowFormat.NO_TIMESTAMP;
    partitionSeconds = 0;
    if (at < 0) {
      return;
    }
    int last = run.boundUpTo(at);
    if (last >= 0) {
      bound.wrap(run.valueSegment(last), run.valueOffset(last));
      openTimestamp = bound.openedTimestamp();
      openSeconds = bound.openedSeconds();
    }
    int deletion = run.partitionDeletion(at);
    if (deletion >= 0) {
      MemorySegment segment = run.valueSegment(deletion);
      partitionTimestamp = Bytes.getLong(segment, run.valueOffset(deletion));
      partitionSeconds = Bytes.getInt(segment, run.valueOffset(deletion) + 8) & 0xFFFFFFFFL;
    }
  }

  @Override
  public Step seek(MemorySegment slice, long offset, int length, int prefix) {
    int at = lowerBound(slice, offset, length);
    if (at == run.size() && ends && !reversed) {
      stopPrefix = 0;
      return await(slice, offset, length);
    }
    if (reversed && ends && at <= run.firstStop() && isOfRows(slice, offset, length)) {
      run.putKey(run.firstStop(), waitingFor);
      waiting = true;
      return Step.WAITING;
    }
    if (prefix > 0) {
      takeDeletions(at - 1);
    }
    index = at;
    return at == run.size() ? Step.END : moveTo(at);
  }

  /** Whether a key is not of a static row, which precedes the rows in a reversed read too. */
  private boolean isOfRows(MemorySegment slice, long offset, int length) {
    int section = run.prefixLength(run.firstStop());
    return length > section && Bytes.getByte(slice, offset + section) == KeyFormat.SECTION_ROWS;
  }

  @Override
  public Step find(MemorySegment slice, long offset, int length, int prefix) {
    Step step = seek(slice, offset, length, prefix);
    return step == Step.READY && compareKey(slice, offset, length) != 0 ? Step.END : step;
  }

  @Override
  public Step seekBefore(MemorySegment slice, long offset, int length, int prefix) {
    return before(lowerBound(slice, offset, length), slice, offset, length, prefix);
  }

  /** Goes on behind a stop, where the next reply may have a bound, or before an entry. */
  private Step resumeBackwards() {
    int at = lowerBound(waitingFor.segment(), 0, waitingFor.size());
    if (stopPrefix > 0
        && at < run.size()
        && run.compare(at, waitingFor.segment(), 0, waitingFor.size()) == 0) {
      at++;
    }
    return before(at, waitingFor.segment(), 0, waitingFor.size(), 0);
  }

  /** Moves to the entry before an index, which is that of a key. */
  private Step before(int end, MemorySegment slice, long offset, int length, int prefix) {
    int at = end - 1;
    if (ends && reversed && at < run.firstStop()) {
      stopPrefix = 0;
      return await(slice, offset, length);
    }
    if (prefix > 0) {
      takeDeletions(at);
    }
    index = at;
    return at < 0 ? Step.END : moveTo(at);
  }

  @Override
  public Step next() {
    if (resuming && !reversed) {
      return seek(waitingFor.segment(), 0, waitingFor.size(), 0);
    }
    if (!reversed && index < run.size() && run.isStop(index)) {
      return awaitBehindStop();
    }
    if (index + 1 == run.size()) {
      return Step.END;
    }
    if (!resuming && run.putNextKey(index, key)) {
      return moved(index + 1, prefixLength);
    }
    return moveTo(index + 1);
  }

  @Override
  public Step previous() {
    if (resuming && reversed) {
      return resumeBackwards();
    }
    if (reversed && index >= 0 && run.isStop(index)) {
      return awaitBehindStop();
    }
    return index > 0 ? moveTo(index - 1) : Step.END;
  }

  @Override
  public void close() {
    waiting = false;
  }
}
