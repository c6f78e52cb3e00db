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
 * Reads the records of a log of an earlier start in order, and classifies invalid records
 * (storage/docs/commitlog.md, "Invalid records"). Used once, by one thread, at start-up.
 *
 * <ol>
 *   <li>Pass records to the visitor until one is invalid, or until an end mark, after which the log
 *       continues in the next segment.
 *   <li>Search for valid records after the invalid one, in this segment and the later ones.
 *   <li>If there are none, the log ends here, possibly with a torn tail. Otherwise it is damage if
 *       no write can have been lost, or if a later record shows that this position had been synced;
 *       if neither is the case, it is a torn tail.
 *   <li>Damage is an error, or is reported and skipped if so configured.
 * </ol>
 */
public final class LogReplay {
  /** Receives the records. */
  public interface Visitor {
    /** A record; the payload is valid only during the call. */
    void record(long logId, long position, MemorySegment segment, long offset, int length);
  }

  /** Decides how to handle damage that is followed by valid records. */
  public interface OnDamage {
    /** Returns in order to skip the damage, or raises {@link StorageException}. */
    void onDamage(String place);

    /** Raises {@link StorageException}. */
    static OnDamage failing() {
      return place -> {
        throw new StorageException(
            place
                + "; restore the file, or start with -D commitlog_skip_damaged=true to skip the"
                + " damaged records and lose them");
      };
    }

    /** Reports the damage and continues with the next valid record. */
    static OnDamage reporting(Consumer<String> listener) {
      return listener::accept;
    }
  }

  private static final int NOTHING = -1;

  private final FileSystem files;
  private final LogFiles.OldLog log;
  private final OnDamage onDamage;
  private final Consumer<String> warnings;
  private final Crc32c checksum = new Crc32c();

  /** Reads a log. Torn tails are reported as warnings, for an operator. */
  public LogReplay(
      FileSystem files, LogFiles.OldLog log, OnDamage onDamage, Consumer<String> warnings) {
    this.files = files;
    this.log = log;
    this.onDamage = onDamage;
    this.warnings = warnings;
  }

  /**
   * Reads all records. Raises {@link StorageException} for a file that is not a segment of the log.
   */
  public void run(Visitor visitor) throws IOException {
    boolean continues = true;
    for (int i = 0; i < log.segments().size() && continues; i++) {
      try (Loaded loaded = load(log.segments().get(i))) {
        continues = replay(loaded, i, visitor);
      }
    }
  }

  /** Reads only the first segment; the later ones are used to classify invalid records in it. */
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
            segment.path()
                + " is damaged at offset 16: its header belongs to another log or segment");
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
        at = afterInvalid(segment, index, at);
        if (at < 0) {
          return at == CONTINUE_IN_NEXT;
        }
      } else {
        int field = Bytes.getInt(segment.bytes, at + RecordFormat.LENGTH_OFFSET);
        if (field == RecordFormat.END_MARK) {
          return true;
        }
        long position = LogPosition.of(segment.header.sequence(), at);
        RecordFormat.visit(visitor, log.logId(), position, segment.bytes, at, field);
        at += RecordFormat.recordBytes(payload);
      }
    }
    return true;
  }

  private static final long LOG_ENDS = -1;
  private static final long CONTINUE_IN_NEXT = -2;

  /**
   * Classifies an invalid record: returns the offset to continue at, or one of the two negative
   * constants.
   */
  private long afterInvalid(Loaded segment, int index, long at) throws IOException {
    long place = LogPosition.of(segment.header.sequence(), at);
    LaterRecords found = new LaterRecords(place);
    scan(segment, at + RecordFormat.ALIGNMENT_BYTES, found);
    for (int i = index + 1; i < log.segments().size(); i++) {
      try (Loaded later = load(log.segments().get(i))) {
        scan(later, SegmentHeader.BYTES, found);
      }
    }
    if (!found.any) {
      if (isOfThisUse(segment, at)) {
        warnings.accept(
            segment.path
                + " ends in a torn record at offset "
                + at
                + ", which was never acknowledged; it is ignored");
      }
      return LOG_ENDS;
    }
    if (!found.placeWasDurable && !segment.header.nothingLost(files.bootId())) {
      warnings.accept(
          segment.path
              + " was not synced beyond offset "
              + at
              + " when the machine stopped; it is replayed up to there");
      return LOG_ENDS;
    }
    onDamage.onDamage(
        segment.path + " is damaged at offset " + at + " and has valid records after it");
    return found.firstInSegment < 0 ? CONTINUE_IN_NEXT : found.firstInSegment;
  }

  /** The valid records found after an invalid one. */
  private static final class LaterRecords {
    private final long place;
    private long firstInSegment = -1;
    private boolean any;
    private boolean placeWasDurable;

    LaterRecords(long place) {
      this.place = place;
    }
  }

  private void scan(Loaded segment, long from, LaterRecords found) {
    long at = from;
    while (at + RecordFormat.HEADER_BYTES <= segment.size) {
      int payload = isOfThisUse(segment, at) ? validPayload(segment, at) : NOTHING;
      if (payload == NOTHING) {
        at += RecordFormat.ALIGNMENT_BYTES;
        continue;
      }
      if (found.firstInSegment < 0
          && LogPosition.sequence(found.place) == segment.header.sequence()) {
        found.firstInSegment = at;
      }
      found.any = true;
      if (Bytes.getLong(segment.bytes, at + RecordFormat.DURABLE_OFFSET) > found.place) {
        found.placeWasDurable = true;
      }
      at += RecordFormat.recordBytes(payload);
    }
  }

  private static boolean isOfThisUse(Loaded segment, long at) {
    return Bytes.getInt(segment.bytes, at + RecordFormat.SEGMENT_ID_OFFSET)
            == segment.header.segmentId()
        && Bytes.getInt(segment.bytes, at + RecordFormat.GENERATION_OFFSET)
            == segment.header.generation();
  }

  /**
   * The payload's length if there is a valid record of this use of the segment, otherwise NOTHING.
   */
  private int validPayload(Loaded segment, long at) {
    if (!isOfThisUse(segment, at)) {
      return NOTHING;
    }
    int field = Bytes.getInt(segment.bytes, at + RecordFormat.LENGTH_OFFSET);
    int length = RecordFormat.payloadBytes(field);
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
