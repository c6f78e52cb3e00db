package io.helenus.storage.reply;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.run.EntryCursor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data replies of several replicas to one request after the other, as sorted runs that all end
 * at the same keys. Cursors that come to such an end wait until the replies to a request from there
 * on are taken. Reusable. One thread at a time.
 */
public final class Replies {
  private boolean reversed;
  private final List<ReplyRun> runs = new ArrayList<>();
  private final List<ReplyCursor> cursors = new ArrayList<>();
  private final List<Stop> stops = new ArrayList<>();
  private final ByteWriter keys = new ByteWriter(64);
  private boolean ends;
  private int count;

  /** How many of the runs and cursors are those of the present read. */
  private int used;

  /** Begins a read in this direction, of so many replicas at most. */
  public void begin(boolean newReversed, int replicas) {
    reversed = newReversed;
    used = replicas;
    count = 0;
    while (runs.size() < replicas) {
      ReplyRun run = new ReplyRun();
      runs.add(run);
      cursors.add(new ReplyCursor(run));
    }
    for (int i = 0; i < replicas; i++) {
      cursors.get(i).begin(newReversed);
    }
  }

  /** Forgets the replies, whose memory must be valid until then. */
  public void end() {
    for (int i = 0; i < used; i++) {
      runs.get(i).clear();
    }
    stops.clear();
    used = 0;
    count = 0;
  }

  /**
   * Takes the replies to a request, instead of those before; not necessarily of all replicas.
   *
   * @param partition the prefix of the partition that alone was asked for in a read that goes on
   *     behind it; null if the replies may be complete to the end of the read
   */
  public void take(List<MemorySegment> segments, byte @Nullable [] partition) {
    count = segments.size();
    for (int i = 0; i < used; i++) {
      if (i < count) {
        runs.get(i).load(segments.get(i), reversed);
      } else {
        runs.get(i).clear();
      }
    }
    findStops(partition);
    for (int i = 0; i < used; i++) {
      runs.get(i).show(stops, reversed, ends);
      cursors.get(i).restart(ends);
    }
  }

  private void findStops(byte @Nullable [] partition) {
    stops.clear();
    keys.clear();
    Stop end = null;
    for (int i = 0; i < used; i++) {
      ReplyRun run = runs.get(i);
      Stop position = run.position();
      if (position != null && (end == null || position.compare(end) < 0 != reversed)) {
        end = position;
      }
      run.addGaps(stops, keys);
    }
    if (end == null && partition != null) {
      int offset = keys.size();
      keys.putBytes(partition).putByte(KeyFormat.SECTION_ROWS).putByte(KeyFormat.TAG_BOUND_AFTER);
      end = Stop.last(keys, offset, partition.length);
    }
    ends = end != null;
    if (!stops.isEmpty()) {
      keepFirstGaps(end);
    }
    if (end != null && (stops.isEmpty() || !stops.getLast().isInPartitionOf(end))) {
      stops.add(end);
    }
  }

  /** Keeps the first gap of each partition, as far as they are before the end. */
  private void keepFirstGaps(@Nullable Stop end) {
    stops.sort(Stop::compare);
    List<Stop> kept = new ArrayList<>();
    for (Stop stop : stops) {
      if (end != null && stop.compare(end) >= 0) {
        break;
      }
      if (kept.isEmpty() || !kept.getLast().isInPartitionOf(stop)) {
        kept.add(stop);
      }
    }
    stops.clear();
    stops.addAll(kept);
  }

  /** The number of replies. */
  public int count() {
    return count;
  }

  /**
   * The cursors of the read over the replies, one for each replica. They go on with the replies
   * that are taken later.
   */
  public List<? extends EntryCursor> cursors() {
    return cursors.subList(0, used);
  }

  /** A cursor over the present reply of a replica, which has its end as a bound. */
  public EntryCursor comparing(int replica) {
    return new RunCursor(runs.get(replica));
  }

  /**
   * The key from which on a cursor of the read waits for more, or before which in a reversed one;
   * null if none waits.
   */
  public @Nullable ByteWriter waitingFor() {
    ReplyCursor first = firstWaiting();
    return first == null ? null : first.waitingFor();
  }

  /** The length of the prefix of that key if it is where the replies end; 0 if it was sought. */
  public int stopPrefix() {
    ReplyCursor first = firstWaiting();
    return first == null ? 0 : first.stopPrefix();
  }

  private @Nullable ReplyCursor firstWaiting() {
    ReplyCursor first = null;
    for (int i = 0; i < used; i++) {
      ReplyCursor cursor = cursors.get(i);
      if (cursor.isWaiting()
          && (first == null || compare(cursor.waitingFor(), first.waitingFor()) < 0 != reversed)) {
        first = cursor;
      }
    }
    return first;
  }

  private static int compare(ByteWriter a, ByteWriter b) {
    return Bytes.compare(a.segment(), 0, a.size(), b.segment(), 0, b.size());
  }
}
