package io.helenus.storage.log;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.Fields;
import io.helenus.storage.engine.InspectionSink;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Describes one segment, up to its end or its first damaged place. Stateless. */
public final class SegmentInspection {
  private SegmentInspection() {}

  /**
   * Reads the header and all records.
   *
   * @param warnings receives a message about a torn tail, which is not damage
   * @throws StorageException when the file is damaged, naming it and the offset
   */
  public static void run(
      FileSystem files, String path, Consumer<String> warnings, InspectionSink sink)
      throws IOException {
    SegmentHeader header = header(files, path, sink);
    LogFiles.OldLog log = new LogFiles.OldLog(header.logId(), segments(files, path, header));
    LogReplay.OnDamage refuse =
        place -> {
          throw new StorageException(place);
        };
    new LogReplay(files, log, refuse, warnings)
        .runFirst(
            (logId, position, segment, offset, length) ->
                sink.record(LogPosition.offset(position), segment.asSlice(offset, length)));
  }

  private static SegmentHeader header(FileSystem files, String path, InspectionSink sink)
      throws IOException {
    try (FileSystem.File file = files.open(path)) {
      ByteWriter bytes = new ByteWriter(SegmentHeader.BYTES);
      bytes.reserve(SegmentHeader.BYTES);
      long read = file.read(0, bytes.segment(), 0, SegmentHeader.BYTES);
      SegmentHeader header = SegmentHeader.read(bytes.segment(), read, path);
      sink.part(
          "header",
          new Fields()
              .put("log_id", header.logId())
              .put("start", header.logId() / LogFiles.SHARDS_LIMIT)
              .put("shard", header.logId() % LogFiles.SHARDS_LIMIT)
              .put("sequence", header.sequence())
              .put("segment_id", header.segmentId())
              .put("generation", header.generation())
              .put("segment_bytes", header.sizeBytes())
              .put("file_bytes", file.size())
              .put("boot_id", header.bootId()));
      return header;
    }
  }

  /** This segment, which may have any name, and the segments that follow it in its folder. */
  private static List<LogFiles.OldSegment> segments(
      FileSystem files, String path, SegmentHeader header) {
    List<LogFiles.OldSegment> segments = new ArrayList<>();
    String folder = path.substring(0, path.lastIndexOf('/') + 1);
    String next = path;
    int sequence = header.sequence();
    do {
      segments.add(new LogFiles.OldSegment(next, sequence++));
      next = folder + LogFiles.liveName(header.logId(), sequence);
    } while (files.exists(next));
    return segments;
  }
}
