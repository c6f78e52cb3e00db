package io.helenus.storage.local;

import io.helenus.storage.job.OpenFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * Files of a table that shards have retained, so that no compaction deletes them while another
 * thread uses them. Any thread.
 */
final class PinnedFiles {
  /** A file that a shard has retained. */
  private record Pin(ShardEngine shard, OpenFile file) {}

  private final List<Pin> pins = new ArrayList<>();

  /** Retains the files that a shard has now. On its thread. */
  synchronized void retain(ShardEngine shard, TableStore store) {
    for (OpenFile file : store.files()) {
      file.sstable().retain();
      pins.add(new Pin(shard, file));
    }
  }

  /** The files in order of their numbers; one that several shards have retained is there once. */
  synchronized Collection<OpenFile> files() {
    TreeMap<Long, OpenFile> files = new TreeMap<>();
    pins.forEach(pin -> files.putIfAbsent(pin.file().live().number(), pin.file()));
    return files.values();
  }

  /** Releases all files, each on the thread of its shard. */
  synchronized void release() {
    for (Pin pin : pins) {
      pin.shard().execute(() -> pin.file().sstable().release());
    }
    pins.clear();
  }
}
