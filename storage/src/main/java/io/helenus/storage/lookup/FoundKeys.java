package io.helenus.storage.lookup;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.memory.ShareExhaustedException;
import io.helenus.storage.run.EntryCursor;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lists the keys that an index finds for a request, run by run, unless there are too many. Shard
 * thread only.
 */
public final class FoundKeys implements AutoCloseable {
  /** The result of a step. */
  public enum Step {
    /** All keys are listed. */
    END,
    /** Blocks are being loaded: repeat the step later. */
    WAITING,
    /** The time slice is over: repeat the step later. */
    YIELD,
    /** There are too many keys. */
    TOO_MANY
  }

  private static final int KEYS_LIMIT_BYTES = 16 << 20;

  private final List<EntryCursor> runs;
  private final IndexRange range;
  private final KeyList keys;
  private final BooleanSupplier isTimeUp;
  private final int limit;
  private final boolean isOneTerm;
  private final ByteWriter start = new ByteWriter(128);
  private @Nullable RangeEstimate estimate;
  private double estimated;
  private int run;
  private boolean sought;
  private int walked;

  /**
   * Lists the keys.
   *
   * @param isTimeUp counts an entry, and tells whether the time slice is over
   * @param limit above how many keys there are too many
   */
  public FoundKeys(
      TermSources index,
      ReadRequest request,
      IndexBlocks blocks,
      KeyList keys,
      BooleanSupplier isTimeUp,
      int limit) {
    this.keys = keys;
    this.isTimeUp = isTimeUp;
    this.limit = limit;
    range = new IndexRange(request);
    isOneTerm = range.isOneTerm();
    start.putBytes(range.segment(), range.lower(), range.lowerLength());
    if (isOneTerm) {
      start.putBytes(range.segment(), 0, range.keyLowerLength());
    }
    runs = IndexRead.cursors(index, request, blocks);
    if ((!isOneTerm || range.hasAllKeys())
        && RangeEstimate.allEntries(index.files()) > walkLimit()) {
      estimate = new RangeEstimate(index.files(), range, blocks, isTimeUp);
    }
  }

  /** Lists more keys, unless an estimate says at once that there are too many. */
  public Step advance() {
    RangeEstimate current = estimate;
    if (current != null) {
      Step step = current.advance();
      if (step != Step.END) {
        return step;
      }
      estimated = current.entries();
      estimate = null;
      current.close();
      // of a range of keys, others are estimated too
      if (estimated > (range.hasAllKeys() ? limit : walkLimit())) {
        return Step.TOO_MANY;
      }
    }
    while (run < runs.size()) {
      EntryCursor cursor = runs.get(run);
      EntryCursor.Step step =
          sought ? cursor.next() : cursor.seek(start.segment(), 0, start.size(), 0);
      if (step == EntryCursor.Step.WAITING) {
        return Step.WAITING;
      }
      sought = true;
      if (step == EntryCursor.Step.END || range.isBeyond(cursor) || !take(cursor)) {
        run++;
        sought = false;
      }
      if (areTooMany()) {
        return Step.TOO_MANY;
      }
      if (isTimeUp.getAsBoolean()) {
        return Step.YIELD;
      }
    }
    return Step.END;
  }

  /** Lists the key of an entry; false if it is beyond the last one of its term. */
  private boolean take(EntryCursor cursor) {
    walked++;
    int term = IndexRange.termLength(cursor);
    long at = cursor.keyOffset() + term;
    int length = cursor.keyLength() - term;
    if (length == 0 || range.isKeyBefore(cursor.keySegment(), at, length)) {
      return true;
    }
    if (range.isKeyBeyond(cursor.keySegment(), at, length)) {
      return !isOneTerm;
    }
    try {
      keys.add(cursor.keySegment(), at, length, cursor.prefixLength() - term);
    } catch (ShareExhaustedException e) {
      walked = Integer.MAX_VALUE / 2; // there are too many for the memory
    }
    return true;
  }

  /** Above how many entries there are too many: some may be out of date, or of keys not needed. */
  private int walkLimit() {
    return 2 * limit;
  }

  private boolean areTooMany() {
    return walked > walkLimit() || keys.size() > limit || keys.bytes() > KEYS_LIMIT_BYTES;
  }

  /** About how many keys there are in files, if this was estimated, or else 0. */
  public double estimated() {
    return estimated;
  }

  @Override
  public void close() {
    RangeEstimate current = estimate;
    if (current != null) {
      current.close();
    }
    runs.forEach(EntryCursor::close);
  }
}
