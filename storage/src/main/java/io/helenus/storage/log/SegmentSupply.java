package io.helenus.storage.log;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.Scheduler;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Prepares segments ahead of the writer and recycles them, on I/O threads. Before a segment is
 * passed to the receiver, its header and name are durable and its first part is allocated. Called
 * on the shard's thread, on which the callbacks run too.
 */
final class SegmentSupply {
  /** Receives the results, on the shard's thread. */
  interface Receiver {
    /** A segment is ready to be written. */
    void onPrepared(LogSegment segment);

    /** More of a segment is allocated. */
    void onExtended(LogSegment segment);

    /** Space could not be allocated; nothing is lost, and it may be tried again. */
    void onNoSpace(IOException why);

    /** A sync, rename or deletion failed: the node must stop. */
    void onSyncFailed(IOException why);
  }

  private static final int FIRST_STEP_BYTES = 256 << 10;
  private static final int LARGEST_STEP_BYTES = 4 << 20;
  private static final int ZERO_BYTES = 64 << 10;
  private static final int FREE_FILES_LIMIT = 2;

  private final FileSystem files;
  private final Scheduler shard;
  private final Executor io;
  private final LogOptions options;
  private final Receiver receiver;
  private final ArrayDeque<LogSegment> free = new ArrayDeque<>();
  private @Nullable MemorySegment zeros;
  private int segmentCount;
  private long stepBytes = FIRST_STEP_BYTES;
  private boolean preparing;
  private @Nullable LogSegment extending;

  /** Prepared, and not passed on yet: the shard may have ended. Guarded by this. */
  private @Nullable LogSegment waiting;

  /** Guarded by this. */
  private boolean closed;

  SegmentSupply(
      FileSystem files, Scheduler shard, Executor io, LogOptions options, Receiver receiver) {
    this.files = files;
    this.shard = shard;
    this.io = io;
    this.options = options;
    this.receiver = receiver;
  }

  /** Starts preparing the segment with a sequence, unless one is being prepared. */
  void prepare(int sequence) {
    if (preparing) {
      return;
    }
    preparing = true;
    LogSegment old = free.poll();
    SegmentHeader header =
        new SegmentHeader(
            options.logId(),
            old == null ? ++segmentCount : old.header.segmentId(),
            old == null ? 1 : old.header.generation() + 1,
            sequence,
            options.segmentBytes(),
            options.bootId());
    long size = Math.min(options.segmentBytes(), stepBytes);
    io.execute(() -> prepareOnDisk(old, header, size));
  }

  private void prepareOnDisk(@Nullable LogSegment old, SegmentHeader header, long newFileBytes) {
    if (isClosed()) {
      if (old != null) {
        discard(old, old.freePath());
      }
      return;
    }
    LogSegment segment;
    try {
      segment = old == null ? newSegment(header, newFileBytes) : reused(old, header);
    } catch (IOException e) {
      shard.execute(
          () -> {
            preparing = false;
            receiver.onNoSpace(e);
          });
      return;
    }
    try {
      segment.file.sync();
      files.rename(segment.freePath(), segment.livePath());
      files.syncFolder(LogFiles.FOLDER);
    } catch (IOException e) {
      shard.execute(() -> receiver.onSyncFailed(e));
      return;
    }
    if (keep(segment)) {
      shard.execute(this::passOn);
    }
  }

  /** Keeps a prepared segment until it is passed on; false if nobody wants it any more. */
  private synchronized boolean keep(LogSegment segment) {
    if (closed) {
      discard(segment, segment.livePath());
      return false;
    }
    waiting = segment;
    return true;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private void passOn() {
    preparing = false;
    LogSegment prepared = takeWaiting();
    if (prepared != null) {
      receiver.onPrepared(prepared);
    }
  }

  private synchronized @Nullable LogSegment takeWaiting() {
    LogSegment taken = waiting;
    waiting = null;
    return taken;
  }

  private void discard(LogSegment segment, String path) {
    try {
      segment.file.close();
      files.delete(path);
    } catch (IOException _) {
      // it has no records: the next start deletes it
    }
  }

  private LogSegment newSegment(SegmentHeader header, long bytes) throws IOException {
    String path = LogFiles.freePath(header.logId(), header.segmentId());
    FileSystem.File file = files.create(path);
    try {
      writeHeader(file, header);
      writeZeros(file, SegmentHeader.BYTES, bytes);
    } catch (IOException e) {
      abandon(file, path, e);
      throw e;
    }
    return new LogSegment(file, header, bytes);
  }

  private void abandon(FileSystem.File file, String path, IOException why) {
    try {
      file.close();
      files.delete(path);
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  private LogSegment reused(LogSegment old, SegmentHeader header) throws IOException {
    writeHeader(old.file, header);
    return new LogSegment(old.file, header, old.allocatedBytes);
  }

  private static void writeHeader(FileSystem.File file, SegmentHeader header) throws IOException {
    ByteWriter bytes = new ByteWriter(SegmentHeader.BYTES);
    header.write(bytes);
    file.write(0, bytes.segment(), 0, bytes.size());
  }

  private void writeZeros(FileSystem.File file, long from, long to) throws IOException {
    MemorySegment source = zeroBytes();
    for (long at = from; at < to; ) {
      long length = Math.min(ZERO_BYTES, to - at);
      file.write(at, source, 0, length);
      at += length;
    }
  }

  private synchronized MemorySegment zeroBytes() {
    MemorySegment known = zeros;
    if (known == null) {
      known = Arena.ofAuto().allocate(ZERO_BYTES);
      zeros = known;
    }
    return known;
  }

  /**
   * Starts allocating the next step of a segment, or as much as a large record needs, unless an
   * allocation is in progress.
   */
  void extend(LogSegment segment, long neededBytes) {
    if (extending != null || segment.allocatedBytes >= options.segmentBytes()) {
      return;
    }
    extending = segment;
    stepBytes = Math.min(LARGEST_STEP_BYTES, stepBytes * 2);
    long from = segment.allocatedBytes;
    long to = Math.min(options.segmentBytes(), from + Math.max(stepBytes, neededBytes));
    io.execute(() -> extendOnDisk(segment, from, to));
  }

  private void extendOnDisk(LogSegment segment, long from, long to) {
    try {
      writeZeros(segment.file, from, to);
    } catch (IOException e) {
      shard.execute(
          () -> {
            extending = null;
            receiver.onNoSpace(e);
          });
      return;
    }
    try {
      segment.file.sync();
    } catch (IOException e) {
      shard.execute(() -> receiver.onSyncFailed(e));
      return;
    }
    shard.execute(
        () -> {
          extending = null;
          segment.allocatedBytes = to;
          receiver.onExtended(segment);
        });
  }

  /** Whether a segment is being extended, so that it cannot be recycled. */
  boolean isExtending(LogSegment segment) {
    return segment == extending;
  }

  /** The allocated space ahead of the writer below which {@link #extend} should be called. */
  long aheadBytes() {
    return stepBytes;
  }

  /** Recycles or deletes segments that are no longer needed, oldest first. */
  void giveBack(List<LogSegment> segments) {
    List<LogSegment> given = List.copyOf(segments);
    int keep = Math.max(0, FREE_FILES_LIMIT - free.size());
    io.execute(() -> giveBackOnDisk(given, keep));
  }

  private void giveBackOnDisk(List<LogSegment> given, int keep) {
    int kept = 0;
    try {
      for (LogSegment segment : given) {
        if (kept < keep && segment.allocatedBytes == options.segmentBytes()) {
          files.rename(segment.livePath(), segment.freePath());
          files.syncFolder(LogFiles.FOLDER);
          kept++;
          shard.execute(() -> free.add(segment));
        } else {
          segment.file.close();
          files.delete(segment.livePath());
          files.syncFolder(LogFiles.FOLDER);
        }
      }
    } catch (IOException e) {
      shard.execute(() -> receiver.onSyncFailed(e));
    }
  }

  /**
   * Closes and deletes the files kept for reuse, and what is being prepared. After the last tick.
   */
  void close() throws IOException {
    LogSegment unused = end();
    if (unused != null) {
      discard(unused, unused.livePath());
    }
    for (LogSegment segment : free) {
      segment.file.close();
      files.delete(segment.freePath());
    }
    free.clear();
  }

  private synchronized @Nullable LogSegment end() {
    closed = true;
    return takeWaiting();
  }
}
