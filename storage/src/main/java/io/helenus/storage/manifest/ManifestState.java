package io.helenus.storage.manifest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The state that results from all edits. Guarded by the manifest's lock. */
final class ManifestState {
  private final TreeMap<Long, LiveFile> files = new TreeMap<>();

  /** By table id, then by log id. */
  private final Map<Integer, Map<Long, List<Change.Flushed>>> flushed = new HashMap<>();

  /**
   * The last truncations in microseconds by table id; copied on write, so that it can be shared.
   */
  private Map<Integer, Change.Truncated> truncated = Map.of();

  private Change.@Nullable CounterShare counterShare;
  private long nextFileNumber = 1;

  long nextFileNumber() {
    return nextFileNumber;
  }

  Collection<LiveFile> files() {
    return files.values();
  }

  boolean isLive(long fileNumber) {
    return files.containsKey(fileNumber);
  }

  TreeSet<Integer> tableIds() {
    TreeSet<Integer> ids = new TreeSet<>(flushed.keySet());
    ids.addAll(truncated.keySet());
    files.values().forEach(file -> ids.add(file.tableId()));
    return ids;
  }

  Map<Integer, Change.Truncated> truncated() {
    return truncated;
  }

  Change.@Nullable CounterShare counterShare() {
    return counterShare;
  }

  boolean hasTable(int tableId) {
    return flushed.containsKey(tableId)
        || truncated.containsKey(tableId)
        || files.values().stream().anyMatch(file -> file.tableId() == tableId);
  }

  boolean isFlushed(int tableId, long logId, long token, long position) {
    Map<Long, List<Change.Flushed>> logs = flushed.get(tableId);
    if (logs == null) {
      return false;
    }
    for (Change.Flushed entry : logs.getOrDefault(logId, List.of())) {
      if (position < entry.position()
          && token >= entry.firstToken()
          && token <= entry.lastToken()) {
        return true;
      }
    }
    return false;
  }

  TreeSet<Long> logIds() {
    TreeSet<Long> ids = new TreeSet<>();
    flushed.values().forEach(logs -> ids.addAll(logs.keySet()));
    return ids;
  }

  void apply(List<Change> changes) {
    for (Change change : changes) {
      apply(change);
    }
  }

  private void apply(Change change) {
    switch (change) {
      case Change.Counters counters ->
          nextFileNumber = Math.max(nextFileNumber, counters.nextFileNumber());
      case Change.FileAdded(LiveFile file) -> {
        files.put(file.number(), file);
        nextFileNumber = Math.max(nextFileNumber, file.number() + 1);
      }
      case Change.FileRemoved removed -> files.remove(removed.number());
      case Change.Flushed entry -> addFlushed(entry);
      case Change.Truncated entry -> {
        Map<Integer, Change.Truncated> more = new TreeMap<>(truncated);
        more.put(entry.tableId(), entry);
        truncated = more;
      }
      case Change.CounterShare share -> counterShare = share;
      case Change.TableForgotten forgotten -> {
        Map<Integer, Change.Truncated> fewer = new TreeMap<>(truncated);
        fewer.remove(forgotten.tableId());
        truncated = fewer;
        files.values().removeIf(file -> file.tableId() == forgotten.tableId());
        flushed.remove(forgotten.tableId());
      }
      case Change.LogForgotten forgotten -> {
        flushed.values().forEach(logs -> logs.remove(forgotten.logId()));
        flushed.values().removeIf(Map::isEmpty);
      }
    }
  }

  private void addFlushed(Change.Flushed entry) {
    List<Change.Flushed> entries =
        flushed
            .computeIfAbsent(entry.tableId(), id -> new TreeMap<>())
            .computeIfAbsent(entry.logId(), id -> new ArrayList<>());
    entries.removeIf(
        older ->
            older.position() <= entry.position()
                && older.firstToken() >= entry.firstToken()
                && older.lastToken() <= entry.lastToken());
    entries.add(entry);
  }

  /** The whole state as one edit. */
  List<Change> snapshot() {
    List<Change> changes = new ArrayList<>();
    changes.add(new Change.Counters(nextFileNumber));
    files.values().forEach(file -> changes.add(new Change.FileAdded(file)));
    for (Map<Long, List<Change.Flushed>> logs : new TreeMap<>(flushed).values()) {
      logs.values().forEach(changes::addAll);
    }
    changes.addAll(truncated.values());
    if (counterShare != null) {
      changes.add(counterShare);
    }
    return changes;
  }
}
