package io.helenus.storage.log;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Reads the records of one log of an earlier start, in order, and judges what is no valid record
 * (storage/docs/commitlog.md, "What a bad record means"). Used once, by one thread, at the start.
 *
 * <ol>
 *   <li>Hand over records until one is invalid or the segment says that the next one goes on.
 *   <li>Look for valid records behind the bad place, in this segment and the later ones.
 *   <li>None: the end, or a torn tail. Some, and nothing can have been forgotten, or one of them
 *       shows that the bad place was durable: damage. Else a torn tail.
 *   <li>Damage is raised, or, if so decided, told of and gone over.
 * </ol>
 */
public final class LogReplay {
  /** Takes what is read. */
  public interface Visitor {
    /** A record; the payload is good during the call only. */
    void record(long logId, long position, MemorySegment segment, long offset, int length);
  }

  /** What to do about a damaged place that has records behind it. */
  public interface OnDamage {
    /** Is told of the place; returns to go on behind it, or raises {@link StorageException}. */
    void damaged(String place);

    /** Raises it. */
    static OnDamage refusing() {
      return place -> {
        throw new StorageException(
            place
                + "; restore the file, or start with -D commitlog_skip_damaged=true, which goes on"
                + " behind it and loses what stood there");
      };
    }

    /** Goes on with the next record. */
    static OnDamage telling(Consumer<String> listener) {
      return listener::accept;
    }
  }

  private static final int NOTHING = -1;

  private final FileSystem files;
  private final LogFiles.OldLog log;
  private final OnDamage onDamage;
  private final Consumer<String> warnings;
  private final Crc32c checksum = new Crc32c();

  /** Reads this log. Warnings, of torn ends, are for a person. */
  public LogReplay(
      FileSystem files, LogFiles.OldLog log, OnDamage onDamage, Consumer<String> warnings) {
    this.files = files;
    this.log = log;
    this.onDamage = onDamage;
    this.warnings = warnings;
  }

  /** Reads all. A file that is no segment of the log is a {@link StorageException}. */
  public void run(Visitor visitor) throws IOException {
    boolean goesOn = true;
    for (int i = 0; i < log.segments().size() && goesOn; i++) {
      try (Loaded loaded = load(log.segments().get(i))) {
        goesOn = replay(loaded, i, visitor);
      }
    }
  }

  /** Reads the first segment alone; later ones only help to judge a bad place in it. */
  void runFirst(Visitor visitor) throws IOException {
    try (Loaded loaded = load(log.segments().getFirst())) {
      boolean goesOn = replay(loaded, 0, visitor);
      assert goesOn || !log.segments().isEmpty();
    }
  }

  /** A segment's bytes in memory. */
  private record Loaded(
      String path, SegmentHeader header, MemorySegment bytes, long size, Arena arena)
      implements AutoCloseable {
    @Override
    public void close() {
      arena.close();
    }
  }

  private Loaded load(LogFiles.OldSegment segment) throws IOException {
    Arena arena = Arena.ofConfined();
    boolean loaded = false;
    try (FileSystem.File file = files.open(segment.path())) {
      long size = file.size();
      MemorySegment bytes = arena.allocate(Math.max(SegmentHeader.BYTES, size), 8);
      long count = file.read(0, bytes, 0, size);
      SegmentHeader header = SegmentHeader.read(bytes, count, segment.path());
      if (header.logId() != log.logId() || header.sequence() != segment.sequence()) {
        throw new StorageException(
            segment.path() + " is damaged at offset 16: it belongs to another log or place");
      }
      loaded = true;
      return new Loaded(segment.path(), header, bytes, count, arena);
    } finally {
      if (!loaded) {
        arena.close();
      }
    }
  }

  /** Replays a segment; false if the log ends in it. */
  private boolean replay(Loaded segment, int index, Visitor visitor) throws IOException {
    long at = SegmentHeader.BYTES;
    while (at + RecordFormat.HEADER_BYTES <= segment.size) {
      int payload = validPayload(segment, at);
      if (payload == NOTHING) {
        at = afterBadPlace(segment, index, at);
        if (at < 0) {
          return at == CONTINUE_IN_NEXT;
        }
      } else if (Bytes.getInt(segment.bytes, at + RecordFormat.LENGTH_OFFSET)
          == RecordFormat.END_MARK) {
        return true;
      } else {
        visitor.record(
            log.logId(),
            LogPosition.of(segment.header.sequence(), at),
            segment.bytes,
            at + RecordFormat.HEADER_BYTES,
            payload);
        at += RecordFormat.recordBytes(payload);
      }
    }
    return true;
  }

  private static final long LOG_ENDS = -1;
  private static final long CONTINUE_IN_NEXT = -2;

  /** Judges a place with no valid record: where to go on, or one of the two negative answers. */
  private long afterBadPlace(Loaded segment, int index, long at) throws IOException {
    long place = LogPosition.of(segment.header.sequence(), at);
    Followers followers = new Followers(place);
    scan(segment, at + RecordFormat.ALIGNMENT_BYTES, followers);
    for (int i = index + 1; i < log.segments().size(); i++) {
      try (Loaded later = load(log.segments().get(i))) {
        scan(later, SegmentHeader.BYTES, followers);
      }
    }
    if (!followers.any) {
      if (namesThisUse(segment, at)) {
        warnings.accept(
            segment.path
                + " ends in a torn record at offset "
                + at
                + ": what was not acknowledged there is lost");
      }
      return LOG_ENDS;
    }
    if (!followers.placeWasDurable && !segment.header.nothingForgotten(files.machineRun())) {
      warnings.accept(
          segment.path
              + " was not on the disk from offset "
              + at
              + " on when the machine stopped: it is replayed up to there");
      return LOG_ENDS;
    }
    onDamage.damaged(segment.path + " is damaged at offset " + at + ", with records behind it");
    return followers.firstInSegment < 0 ? CONTINUE_IN_NEXT : followers.firstInSegment;
  }

  /** What was found behind a bad place. */
  private static final class Followers {
    private final long place;
    private long firstInSegment = -1;
    private boolean any;
    private boolean placeWasDurable;

    Followers(long place) {
      this.place = place;
    }
  }

  private void scan(Loaded segment, long from, Followers followers) {
    long at = from;
    while (at + RecordFormat.HEADER_BYTES <= segment.size) {
      int payload = namesThisUse(segment, at) ? validPayload(segment, at) : NOTHING;
      if (payload == NOTHING) {
        at += RecordFormat.ALIGNMENT_BYTES;
        continue;
      }
      if (followers.firstInSegment < 0
          && LogPosition.sequence(followers.place) == segment.header.sequence()) {
        followers.firstInSegment = at;
      }
      followers.any = true;
      if (Bytes.getLong(segment.bytes, at + RecordFormat.DURABLE_OFFSET) > followers.place) {
        followers.placeWasDurable = true;
      }
      at += RecordFormat.recordBytes(payload);
    }
  }

  private static boolean namesThisUse(Loaded segment, long at) {
    return Bytes.getInt(segment.bytes, at + RecordFormat.SEGMENT_ID_OFFSET)
            == segment.header.segmentId()
        && Bytes.getInt(segment.bytes, at + RecordFormat.GENERATION_OFFSET)
            == segment.header.generation();
  }

  /** The payload's length if a valid record of this segment's use stands there, else NOTHING. */
  private int validPayload(Loaded segment, long at) {
    if (!namesThisUse(segment, at)) {
      return NOTHING;
    }
    int field = Bytes.getInt(segment.bytes, at + RecordFormat.LENGTH_OFFSET);
    int length = field == RecordFormat.END_MARK ? 0 : field;
    if (length < 0 || length > segment.size - at - RecordFormat.HEADER_BYTES) {
      return NOTHING;
    }
    int covered = RecordFormat.HEADER_BYTES - RecordFormat.LENGTH_OFFSET + length;
    int expected = Bytes.getInt(segment.bytes, at);
    boolean valid =
        checksum.of(segment.bytes, at + RecordFormat.LENGTH_OFFSET, covered) == expected;
    return valid ? length : NOTHING;
  }
}
