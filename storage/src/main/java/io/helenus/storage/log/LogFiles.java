package io.helenus.storage.log;

import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The folder of commit log segments: names of segments, and finding and deleting the logs of
 * earlier starts. One thread at a time.
 */
public final class LogFiles {
  /** The folder of all segments. */
  public static final String FOLDER = "commitlog";

  /** A log id is the start number times this, plus the shard. */
  public static final int SHARDS_LIMIT = 1024;

  private static final String LOG_END = ".log";
  private static final String FREE_START = "free-";

  /** A log of an earlier start: its segments in order. Immutable. */
  public record OldLog(long logId, List<OldSegment> segments) {
    /** Copies. */
    public OldLog {
      segments = List.copyOf(segments);
    }
  }

  /** A segment of a log of an earlier start. Immutable. */
  public record OldSegment(String path, int sequence) {}

  private LogFiles() {}

  /** The id of a shard's log. */
  public static long logId(long startNumber, int shard) {
    return startNumber * SHARDS_LIMIT + shard;
  }

  static String livePath(long logId, int sequence) {
    return FOLDER + "/" + liveName(logId, sequence);
  }

  static String liveName(long logId, int sequence) {
    return hex(logId, 16) + "-" + hex(sequence & 0xFFFFFFFFL, 8) + LOG_END;
  }

  static String freePath(long logId, int segmentId) {
    return FOLDER + "/" + FREE_START + hex(logId, 16) + "-" + hex(segmentId & 0xFFFFFFFFL, 8);
  }

  private static String hex(long value, int digits) {
    String text = Long.toHexString(value);
    return "0".repeat(digits - text.length()) + text;
  }

  /**
   * Finds the logs in the folder, in order of their ids.
   *
   * @throws StorageException if a segment of a log is missing
   */
  public static List<OldLog> find(FileSystem files) throws IOException {
    Map<Long, TreeMap<Integer, String>> found = new TreeMap<>();
    for (String name : files.list(FOLDER)) {
      if (name.length() == 16 + 1 + 8 + LOG_END.length() && name.endsWith(LOG_END)) {
        long logId = Long.parseUnsignedLong(name.substring(0, 16), 16);
        int sequence = Integer.parseUnsignedInt(name.substring(17, 25), 16);
        found.computeIfAbsent(logId, id -> new TreeMap<>()).put(sequence, FOLDER + "/" + name);
      }
    }
    List<OldLog> logs = new ArrayList<>();
    found.forEach((logId, segments) -> logs.add(new OldLog(logId, inSequence(segments))));
    return logs;
  }

  private static List<OldSegment> inSequence(TreeMap<Integer, String> segments) {
    List<OldSegment> list = new ArrayList<>();
    int expected = segments.firstKey();
    for (Map.Entry<Integer, String> entry : segments.entrySet()) {
      if (entry.getKey() != expected) {
        throw new StorageException(
            "the commit log is damaged: the segment before " + entry.getValue() + " is missing");
      }
      list.add(new OldSegment(entry.getValue(), expected++));
    }
    return list;
  }

  /** Deletes the segments that earlier starts kept for reuse. */
  public static void deleteFree(FileSystem files) throws IOException {
    for (String name : files.list(FOLDER)) {
      if (name.startsWith(FREE_START)) {
        files.delete(FOLDER + "/" + name);
      }
    }
  }

  /**
   * Deletes a log whose records are all in SSTables, oldest segment first, so that no gap can
   * appear.
   */
  public static void delete(FileSystem files, OldLog log) throws IOException {
    for (OldSegment segment : log.segments) {
      files.delete(segment.path);
      files.syncFolder(FOLDER);
    }
  }
}
