package io.helenus.storage.manifest;

import io.helenus.storage.engine.Fields;
import io.helenus.storage.engine.InspectionSink;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Describes one manifest: its edits, and the state that results from them. Stateless. */
public final class ManifestInspection {
  private ManifestInspection() {}

  /**
   * Reads all edits, then describes the state after the last readable one.
   *
   * @return the length of the incomplete edit at the end of the file, 0 for none
   * @throws StorageException when the file is damaged, naming it and the offset
   */
  public static long run(FileSystem files, String path, InspectionSink sink) throws IOException {
    ManifestState state = new ManifestState();
    try (FileSystem.File file = files.open(path)) {
      try {
        long end =
            ManifestFile.read(
                file,
                (offset, changes) -> {
                  state.apply(changes);
                  sink.part("edit", edit(offset, changes));
                });
        return file.size() - end;
      } finally {
        sink.part("state", describe(state));
      }
    }
  }

  private static Fields edit(long offset, List<Change> changes) {
    List<Fields> described = new ArrayList<>();
    changes.forEach(change -> described.add(describe(change)));
    return new Fields().put("offset", offset).put("changes", described);
  }

  private static Fields describe(ManifestState state) {
    List<Fields> files = new ArrayList<>();
    state.files().forEach(file -> files.add(describe(file)));
    List<Fields> flushed = new ArrayList<>();
    List<Fields> truncated = new ArrayList<>();
    for (Change change : state.snapshot()) {
      if (change instanceof Change.Flushed it) {
        flushed.add(describe(it));
      } else if (change instanceof Change.Truncated it) {
        truncated.add(describe(it, new Fields()));
      }
    }
    Fields fields =
        new Fields()
            .put("next_file", state.nextFileNumber())
            .put("files", files)
            .put("flushed", flushed)
            .put("truncated", truncated);
    Change.CounterShare share = state.counterShare();
    return share == null ? fields : fields.put("counter_share", List.of(describe(share)));
  }

  private static Fields describe(Change change) {
    return switch (change) {
      case Change.Counters(long nextFileNumber) ->
          change("counters").put("next_file", nextFileNumber);
      case Change.FileAdded(LiveFile file) -> change("file added").putAll(describe(file));
      case Change.FileRemoved(long number) -> change("file removed").put("file", number);
      case Change.Flushed flushed -> change("flushed").putAll(describe(flushed));
      case Change.TableForgotten(int tableId) -> change("table forgotten").put("table_id", tableId);
      case Change.LogForgotten(long logId) -> change("log forgotten").put("log_id", logId);
      case Change.Truncated truncated -> describe(truncated, change("truncated"));
      case Change.CounterShare share -> change("counter share").putAll(describe(share));
    };
  }

  private static Fields describe(Change.Truncated truncated, Fields into) {
    into.put("table_id", truncated.tableId()).putMicros("at", truncated.atMicros());
    return truncated.epoch() == 0 ? into : into.put("epoch", truncated.epoch());
  }

  private static Fields describe(Change.CounterShare share) {
    return new Fields()
        .put("id", new UUID(share.id().high(), share.id().low()).toString())
        .put("at_risk", share.atRisk());
  }

  private static Fields change(String name) {
    return new Fields().put("change", name);
  }

  private static Fields describe(LiveFile file) {
    Fields fields =
        new Fields()
            .put("file", file.number())
            .put("table_id", file.tableId())
            .put("level", file.level())
            .put("bytes", file.sizeBytes())
            .put("first_token", file.firstToken())
            .put("last_token", file.lastToken());
    if (file.repairedAtMicros() != 0) {
      fields.putMicros("repaired_at", file.repairedAtMicros());
    }
    if (file.pendingRepairHigh() != 0 || file.pendingRepairLow() != 0) {
      UUID repair = new UUID(file.pendingRepairHigh(), file.pendingRepairLow());
      fields.put("pending_repair", repair.toString());
    }
    return fields;
  }

  private static Fields describe(Change.Flushed flushed) {
    return new Fields()
        .put("table_id", flushed.tableId())
        .put("log_id", flushed.logId())
        .put("first_token", flushed.firstToken())
        .put("last_token", flushed.lastToken())
        .put("below", flushed.position());
  }
}
