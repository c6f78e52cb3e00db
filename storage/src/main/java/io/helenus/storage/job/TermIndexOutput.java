package io.helenus.storage.job;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.index.IndexFeed;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memtable.TermTree;
import io.helenus.storage.merge.MergeHeap;
import io.helenus.storage.run.Entry;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of an index with terms for one SSTable while it is written. Entries are sorted in
 * memory; those that exceed it go to sorted parts, which are merged at the end. One background
 * thread at a time.
 */
final class TermIndexOutput implements IndexOutput {
  private final JobContext context;
  private final TableDescriptor table;
  private final IndexDescriptor index;
  private final String path;
  private final long sortedBytes;
  private final IndexFeed feed;
  private final List<FileSystem.File> parts = new ArrayList<>();
  private TermTree tree;
  private FileSystem.@Nullable File file;

  /**
   * Writes the file of an index for the SSTable with a number.
   *
   * @param sortedBytes the memory for sorting
   */
  TermIndexOutput(
      JobContext context,
      TableDescriptor table,
      IndexDescriptor index,
      long number,
      long sortedBytes) {
    this.context = context;
    this.table = table;
    this.index = index;
    this.sortedBytes = sortedBytes;
    path = LiveFile.indexPath(table.id(), number, index.id());
    tree = newTree();
    feed = new IndexFeed(index, (key, prefix, term) -> tree.add(key, prefix, term));
  }

  private TermTree newTree() {
    return new TermTree(context.memory().slabs(Use.COMPACTION));
  }

  @Override
  public int indexId() {
    return index.id();
  }

  @Override
  public void add(Entry entry) throws IOException {
    feed.add(entry);
    if (tree.memoryBytes() > sortedBytes) {
      FileSystem.File part = context.files().create(path + "." + parts.size());
      parts.add(part);
      write(part, tree.cursor());
      tree.free();
      tree = newTree();
    }
  }

  @Override
  public void finish() throws IOException {
    if (tree.size() == 0 && parts.isEmpty()) {
      tree.add(new ByteWriter(1).putByte(0), 1, 1);
    }
    FileSystem.File made = context.files().create(path);
    file = made;
    if (parts.isEmpty()) {
      write(made, tree.cursor());
    } else {
      merge(made);
    }
    tree.free();
    deleteParts();
  }

  private void write(FileSystem.File target, EntryCursor entries) throws IOException {
    try (SstableWriter writer = writer(target)) {
      EntryCursor.Step step = entries.first();
      while (step == EntryCursor.Step.READY) {
        writer.add(entries);
        step = entries.next();
      }
      writer.finish();
    }
  }

  private SstableWriter writer(FileSystem.File target) {
    return context
        .format()
        .create(
            new WatchedFile(context, target),
            SstableWriter.Options.ofIndex(table.id(), table.compression()));
  }

  private void merge(FileSystem.File target) throws IOException {
    List<Sstable> opened = new ArrayList<>();
    try (DirectBlocks blocks = context.blocks();
        SstableWriter writer = writer(target)) {
      List<EntryCursor> cursors = new ArrayList<>();
      for (FileSystem.File part : parts) {
        Sstable sorted = context.format().open(part);
        opened.add(sorted);
        cursors.add(sorted.cursor(blocks));
      }
      cursors.add(tree.cursor());
      merge(cursors, writer);
      writer.finish();
      cursors.forEach(EntryCursor::close);
    } finally {
      opened.forEach(Sstable::release);
    }
  }

  private static void merge(List<EntryCursor> cursors, SstableWriter writer) throws IOException {
    MergeHeap heap = new MergeHeap();
    heap.clear(false, 0, 0);
    for (int i = 0; i < cursors.size(); i++) {
      if (cursors.get(i).first() == EntryCursor.Step.READY) {
        heap.push(cursors.get(i), i);
      }
    }
    int[] group = new int[cursors.size()];
    while (heap.popGroup()) {
      int count = heap.groupCount();
      for (int i = 0; i < count; i++) {
        group[i] = heap.groupId(i);
      }
      writer.add(heap.group(0));
      for (int i = 0; i < count; i++) {
        EntryCursor cursor = cursors.get(group[i]);
        if (cursor.next() == EntryCursor.Step.READY) {
          heap.push(cursor, group[i]);
        }
      }
    }
  }

  @Override
  public OpenIndex open() throws IOException {
    FileSystem.File made = file;
    if (made == null) {
      throw new IllegalStateException(path + " is not finished");
    }
    return OpenIndex.adopt(context, table.id(), index, path, made);
  }

  @Override
  public void close() throws IOException {
    FileSystem.File made = file;
    if (made != null) {
      made.close();
    }
  }

  @Override
  public void discard() throws IOException {
    tree.free();
    deleteParts();
    FileSystem.File made = file;
    if (made != null) {
      file = null;
      made.close();
      context.files().delete(path);
    }
  }

  private void deleteParts() throws IOException {
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).close();
      context.files().delete(path + "." + i);
    }
    parts.clear();
  }
}
