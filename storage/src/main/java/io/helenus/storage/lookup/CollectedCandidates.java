package io.helenus.storage.lookup;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.memtable.TermTree;
import io.helenus.storage.run.EntryCursor;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys under a range of terms, which are not in their order in the runs. It collects the
 * smallest ones, sorted, passes them on, and then walks the range again for those that follow.
 */
final class CollectedCandidates implements Candidates {
  /** The memory above which it keeps fewer keys. */
  private static final long LARGEST_BYTES = 4 << 20;

  private final List<EntryCursor> cursors;
  private final IndexRange range;
  private final SlabPool slabs;
  private final BooleanSupplier isTimeUp;
  private final int keptKeys;
  private final int walkedLimit;
  private final ByteWriter key = new ByteWriter(128);
  private final ByteWriter from = new ByteWriter(128);
  private final ByteWriter bound = new ByteWriter(128);
  private TermTree collected;
  private @Nullable EntryCursor output;
  private int prefixLength;
  private int run;
  private boolean sought;
  private boolean truncated;
  private boolean first = true;
  private int walked;

  /**
   * Takes ownership of the cursors.
   *
   * @param slabs memory for the collected keys
   * @param isTimeUp counts an entry, and tells whether the time slice is over
   * @param keptKeys how many keys it collects, unless they are very long
   * @param walkedLimit above how many entries there are too many
   */
  CollectedCandidates(
      List<EntryCursor> cursors,
      IndexRange range,
      SlabPool slabs,
      BooleanSupplier isTimeUp,
      int keptKeys,
      int walkedLimit) {
    this.cursors = cursors;
    this.range = range;
    this.slabs = slabs;
    this.isTimeUp = isTimeUp;
    this.keptKeys = keptKeys;
    this.walkedLimit = walkedLimit;
    collected = new TermTree(slabs);
  }

  @Override
  public Step next() {
    while (true) {
      EntryCursor ready = output;
      if (ready == null) {
        Step step = collect();
        if (step != Step.READY) {
          return step;
        }
        continue;
      }
      EntryCursor.Step step = sought ? ready.next() : ready.first();
      sought = true;
      if (step == EntryCursor.Step.READY) {
        key.clear().putBytes(ready.keySegment(), ready.keyOffset(), ready.keyLength());
        prefixLength = ready.prefixLength();
        return Step.READY;
      }
      if (!truncated) {
        return Step.END;
      }
      // the keys after the last one
      from.clear().putBytes(key.segment(), 0, key.size()).putByte(0);
      output = null;
      sought = false;
      replace(new TermTree(slabs));
      truncated = false;
      bound.clear();
    }
  }

  /** Walks the range in all runs; READY at the end. */
  private Step collect() {
    while (run < cursors.size()) {
      EntryCursor cursor = cursors.get(run);
      EntryCursor.Step step =
          sought
              ? cursor.next()
              : cursor.seek(range.segment(), range.lower(), range.lowerLength(), 0);
      if (step == EntryCursor.Step.WAITING) {
        return Step.WAITING;
      }
      sought = true;
      if (step == EntryCursor.Step.END || range.isBeyond(cursor)) {
        run++;
        sought = false;
        continue;
      }
      if (first && ++walked > walkedLimit) {
        return Step.TOO_MANY;
      }
      take(cursor);
      if (isTimeUp.getAsBoolean()) {
        return Step.YIELD;
      }
    }
    first = false;
    run = 0;
    sought = false;
    output = collected.cursor();
    return Step.READY;
  }

  private void take(EntryCursor cursor) {
    int term = IndexRange.termLength(cursor);
    long at = cursor.keyOffset() + term;
    int length = cursor.keyLength() - term;
    if (length == 0
        || range.isKeyBefore(cursor.keySegment(), at, length)
        || range.isKeyBeyond(cursor.keySegment(), at, length)
        || Bytes.compare(cursor.keySegment(), at, length, from.segment(), 0, from.size()) < 0) {
      return;
    }
    if (bound.size() > 0
        && Bytes.compare(cursor.keySegment(), at, length, bound.segment(), 0, bound.size()) > 0) {
      truncated = true;
      return;
    }
    key.clear().putBytes(cursor.keySegment(), at, length);
    collected.add(key, cursor.prefixLength() - term, 0);
    if (collected.size() >= 2L * keptKeys
        || (collected.size() > 1 && collected.memoryBytes() > LARGEST_BYTES)) {
      truncate(collected.size() / 2);
    }
  }

  /** Keeps the smaller half of the collected keys. */
  private void truncate(long keys) {
    TermTree kept = new TermTree(slabs);
    EntryCursor all = collected.cursor();
    EntryCursor.Step step = all.first();
    while (step == EntryCursor.Step.READY && kept.size() < keys) {
      bound.clear().putBytes(all.keySegment(), all.keyOffset(), all.keyLength());
      kept.add(bound, all.prefixLength(), 0);
      step = all.next();
    }
    replace(kept);
    truncated = true;
  }

  private void replace(TermTree replacement) {
    collected.free();
    collected = replacement;
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
    collected.free();
  }
}
