package io.helenus.storage.job;

import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.run.Entry;
import io.helenus.storage.vector.VectorFeed;
import io.helenus.storage.vector.VectorFileWriter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The file of an index of vectors for one SSTable while it is written. Nothing is created before
 * the first entry. It gets its name at the end, since it may replace one without graphs. One
 * background thread at a time.
 */
final class VectorIndexOutput implements IndexOutput {
  /** How many floats {@link #prepare} adds to a graph: about a quarter of a second. */
  private static final int PREPARED_FLOATS = 1 << 16;

  private final JobContext context;
  private final TableDescriptor table;
  private final IndexDescriptor index;
  private final String path;
  private final String keyPath;
  private final String writtenPath;
  private final boolean graphs;
  private final VectorFeed feed;
  private FileSystem.@Nullable File file;
  private FileSystem.@Nullable File keyFile;
  private @Nullable VectorFileWriter writer;
  private boolean hasTurn;
  private boolean isWritten;
  private boolean isNamed;

  VectorIndexOutput(
      JobContext context,
      TableDescriptor table,
      IndexDescriptor index,
      long number,
      boolean graphs) {
    this.graphs = graphs;
    this.context = context;
    this.table = table;
    this.index = index;
    path = LiveFile.indexPath(table.id(), number, index.id());
    keyPath = path + ".0";
    writtenPath = path + ".1";
    feed = new VectorFeed(index);
  }

  /** The native memory that it takes for vectors. */
  static long memoryBytes(VectorOptions options) {
    return VectorFileWriter.memoryBytes(options.dimension());
  }

  @Override
  public int indexId() {
    return index.id();
  }

  private VectorFileWriter writer() throws IOException {
    VectorFileWriter existing = writer;
    if (existing != null) {
      return existing;
    }
    FileSystem.File target = context.files().create(writtenPath);
    file = target;
    isWritten = true;
    FileSystem.File keys = context.files().create(keyPath);
    keyFile = keys;
    VectorFileWriter made =
        new VectorFileWriter(
            table.id(),
            index,
            new WatchedFile(context, target),
            keys,
            context.graphLimits(),
            context.memory().segments(Use.COMPACTION));
    writer = made;
    return made;
  }

  @Override
  public void add(Entry entry) throws IOException {
    feed.add(entry, writer());
  }

  /** Builds graphs, if it is this file's turn: the others submit their jobs again until it is. */
  @Override
  public boolean prepare() throws IOException {
    VectorFileWriter made = writer();
    if (!graphs || !made.hasManyVectors()) {
      return false;
    }
    if (!hasTurn && !context.graphTurns().tryAcquire()) {
      return true;
    }
    hasTurn = true;
    if (made.buildGraphs(Math.max(1, PREPARED_FLOATS / feed.options().dimension()))) {
      return true;
    }
    endTurn();
    return false;
  }

  private void endTurn() {
    if (hasTurn) {
      hasTurn = false;
      context.graphTurns().release();
    }
  }

  @Override
  public void finish() throws IOException {
    VectorFileWriter made = writer();
    made.finish();
    made.close();
    writer = null;
    deleteKeys();
    closeFile();
    context.files().rename(writtenPath, path);
    isWritten = false;
    isNamed = true;
  }

  @Override
  public OpenIndex open() throws IOException {
    if (!isNamed) {
      throw new IllegalStateException(path + " is not finished");
    }
    return OpenIndex.adopt(context, table.id(), index, path, context.files().open(path));
  }

  @Override
  public void close() {
    // it is not open
  }

  @Override
  public void discard() throws IOException {
    endTurn();
    VectorFileWriter unfinished = writer;
    if (unfinished != null) {
      unfinished.close();
      writer = null;
    }
    deleteKeys();
    closeFile();
    if (isWritten) {
      isWritten = false;
      context.files().delete(writtenPath);
    }
    if (isNamed) {
      isNamed = false;
      context.files().delete(path);
    }
  }

  private void closeFile() throws IOException {
    FileSystem.File open = file;
    if (open != null) {
      file = null;
      open.close();
    }
  }

  private void deleteKeys() throws IOException {
    FileSystem.File keys = keyFile;
    if (keys != null) {
      keyFile = null;
      keys.close();
      context.files().delete(keyPath);
    }
  }
}
