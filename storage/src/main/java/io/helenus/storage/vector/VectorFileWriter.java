package io.helenus.storage.vector;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.engine.GraphLimits;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.memory.SegmentSource;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file of vectors (storage/docs/index.md). The keys go to a file of their own first, which
 * the caller deletes. One thread at a time.
 */
public final class VectorFileWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 256 << 10;

  private final int tableId;
  private final IndexDescriptor index;
  private final VectorOptions options;
  private final FileSystem.File file;
  private final FileSystem.File keyFile;
  private final GraphLimits graphs;
  private final ByteWriter entries;
  private final ByteWriter keys;
  private final Crc32c crc = new Crc32c();
  private final Crc32c keyCrc = new Crc32c();
  private final @Nullable VectorCodeWriter codes;
  private long entryBytes;
  private long keyBytes;
  private int count;

  // once all vectors are written
  private final Arena mapped = Arena.ofShared();
  private MemorySegment written = MemorySegment.NULL;
  private boolean finished;
  private long keysAt;
  private long codesAt;
  private long end;
  private int nodesPerGraph;
  private int width;
  private @Nullable GraphBuilder graph;
  private @Nullable GraphWidth measuring;

  /** How many vectors are in graphs that have been written. */
  private int inGraphs;

  /** Writes the vectors of an index to an empty file, with the help of another one for the keys. */
  public VectorFileWriter(
      int tableId,
      IndexDescriptor index,
      FileSystem.File file,
      FileSystem.File keyFile,
      GraphLimits graphs,
      SegmentSource memory) {
    this.tableId = tableId;
    this.index = index;
    options = Objects.requireNonNull(index.vectors());
    this.file = file;
    this.keyFile = keyFile;
    this.graphs = graphs;
    entries = ByteWriter.recycling(memory, BUFFER_BYTES);
    keys = ByteWriter.recycling(memory, BUFFER_BYTES);
    boolean hasCodes = VectorLayout.hasCodes(options.dimension());
    codes = hasCodes ? new VectorCodeWriter(options, file, keys) : null;
  }

  /** The memory that a writer takes for vectors of a dimension. */
  public static long memoryBytes(int dimension) {
    return 2L * BUFFER_BYTES + VectorLayout.entryBytes(dimension);
  }

  /** Adds the vector of a row. Rows come in the order of their keys. */
  public void add(
      MemorySegment key,
      long offset,
      int length,
      int prefixLength,
      float[] vector,
      float squaredLength)
      throws IOException {
    int start = entries.size();
    int size = VectorLayout.entryBytes(vector.length);
    entries.reserve(size);
    MemorySegment target = entries.segment();
    MemorySegment.copy(vector, 0, target, VectorRun.FLOAT, start, vector.length);
    int lengthAt = start + VectorLayout.squaredLengthAt(vector.length);
    target.set(VectorRun.FLOAT, lengthAt, squaredLength);
    int sum = VectorLayout.sum(crc, count, target, start, lengthAt + Float.BYTES - start);
    entries.setInt(start + VectorLayout.vectorSumAt(vector.length), sum);
    int keyStart = keys.size();
    keys.putInt(length).putInt(prefixLength).putBytes(key, offset, length);
    int keySize = keys.size() - keyStart;
    keys.putInt(VectorLayout.sum(keyCrc, count, keys.segment(), keyStart, keySize));
    if (codes != null) {
      codes.see(vector, squaredLength);
    }
    count++;
    if (entries.size() + size > BUFFER_BYTES) {
      flushEntries();
    }
    if (keys.size() > BUFFER_BYTES / 2) {
      flushKeys();
    }
  }

  /** How many vectors have been added. */
  public int count() {
    return count;
  }

  private void flushEntries() throws IOException {
    file.write(entryBytes, entries.segment(), 0, entries.size());
    entryBytes += entries.size();
    entries.clear();
  }

  private void flushKeys() throws IOException {
    keyFile.write(keyBytes, keys.segment(), 0, keys.size());
    keyBytes += keys.size();
    keys.clear();
  }

  /** Whether there are so many vectors that the file should have graphs. */
  public boolean hasManyVectors() {
    return count >= graphs.fewestVectors();
  }

  /**
   * Adds some vectors to a graph, and writes a graph that has all of its vectors. Nothing can be
   * added to the file afterwards.
   *
   * @param vectors how many
   * @return whether there are vectors left without a graph
   */
  public boolean buildGraphs(int vectors) throws IOException {
    finishVectors();
    if (nodesPerGraph == 0) {
      nodesPerGraph = (int) (graphs.heapBytes() / GraphBuilder.bytesPerVector(options));
      written = file.map(mapped);
      end += VectorLayout.codesBytes(options.dimension(), count);
      if (codes != null) {
        codes.begin(codesAt);
      }
    }
    int size = Math.min(nodesPerGraph, count - inGraphs);
    float[] vector = new float[options.dimension()];
    GraphBuilder existing = graph;
    GraphBuilder building =
        existing == null ? new GraphBuilder(options, vectors(inGraphs)) : existing;
    graph = building;
    for (int i = 0; i < vectors && building.size() < size; i++) {
      building.add();
      if (codes != null) {
        int added = inGraphs + building.size() - 1;
        codes.add(vector, read(added, vector));
      }
    }
    if (building.size() == size && isMeasured(building, vectors)) {
      graph = null;
      try (building) {
        end = write(building.built(options), inGraphs, end);
      }
      inGraphs += size;
    }
    return inGraphs < count;
  }

  /** Measures, as long as some vectors take, how wide searches of a graph must be. */
  private boolean isMeasured(GraphBuilder building, int vectors) {
    GraphWidth begun = measuring;
    GraphWidth running =
        begun == null ? new GraphWidth(options, building.built(options), vectors(inGraphs)) : begun;
    measuring = running;
    if (!running.measure(vectors)) {
      return false;
    }
    measuring = null;
    width = Math.max(width, running.width());
    return true;
  }

  private void finishVectors() throws IOException {
    if (!finished) {
      finished = true;
      flushEntries();
      keysAt = entryBytes;
      appendKeys(keysAt);
      codesAt = keysAt + keyBytes;
      end = codesAt;
    }
  }

  /** Writes the rest of the file and syncs it; it has graphs if they have been built. */
  public void finish() throws IOException {
    finishVectors();
    long startsAt = end;
    if (count > 0) {
      end = writeStarts(file.map(mapped), startsAt);
    }
    if (inGraphs != 0 && inGraphs != count) {
      throw new IllegalStateException("not all graphs have been built");
    }
    entries
        .clear()
        .putInt(VectorLayout.MAGIC)
        .putInt(VectorLayout.VERSION)
        .putInt(tableId)
        .putInt(index.id())
        .putInt(options.dimension())
        .putInt(options.similarity().ordinal())
        .putInt(count)
        .putInt(nodesPerGraph == 0 ? 0 : GraphBuilder.degree(options))
        .putLong(keysAt)
        .putLong(codesAt)
        .putLong(startsAt)
        .putInt(nodesPerGraph)
        .putInt(width);
    entries.putInt(VectorLayout.sum(crc, end, entries.segment(), 0, entries.size()));
    assert entries.size() == VectorLayout.FOOTER_BYTES;
    file.write(end, entries.segment(), 0, entries.size());
    file.sync();
  }

  /** Writes the starts of the keys, which are in the file already; returns where they end. */
  private long writeStarts(MemorySegment written, long startsAt) throws IOException {
    long at = startsAt;
    entries.clear();
    int from = 0;
    long key = 0;
    for (int i = 0; i < count; i++) {
      int keyLength = Bytes.getInt(written, keysAt + key);
      long bytes = keysAt + key + VectorLayout.KEY_HEADER_BYTES;
      entries.putLong(VectorLayout.start(written, bytes, keyLength)).putLong(key);
      key += VectorLayout.KEY_HEADER_BYTES + keyLength + VectorLayout.SUM_BYTES;
      if (i % VectorLayout.STARTS == VectorLayout.STARTS - 1 || i == count - 1) {
        int length = entries.size() - from;
        int block = i / VectorLayout.STARTS;
        entries.putInt(VectorLayout.sum(crc, block, entries.segment(), from, length));
        from = entries.size();
        if (from > BUFFER_BYTES / 2 || i == count - 1) {
          file.write(at, entries.segment(), 0, from);
          at += from;
          entries.clear();
          from = 0;
        }
      }
    }
    return at;
  }

  private long write(Graph graph, int first, long start) throws IOException {
    int[] neighbours = new int[graph.degree()];
    long at = start;
    entries.clear();
    for (int node = 0; node < graph.size(); node++) {
      int used = graph.neighbours(node, neighbours);
      int from = entries.size();
      entries.putInt(used);
      for (int i = 0; i < neighbours.length; i++) {
        entries.putInt(i < used ? neighbours[i] : 0);
      }
      int length = entries.size() - from;
      entries.putInt(VectorLayout.sum(crc, first + node, entries.segment(), from, length));
      if (entries.size() + length > BUFFER_BYTES || node == graph.size() - 1) {
        file.write(at, entries.segment(), 0, entries.size());
        at += entries.size();
        entries.clear();
      }
    }
    return at;
  }

  private GraphScore.Vectors vectors(int first) {
    return (node, into) -> read(first + node, into);
  }

  /** Reads a vector that has been written; returns the square of its length. */
  private float read(int ordinal, float[] into) {
    long at = (long) ordinal * VectorLayout.entryBytes(into.length);
    MemorySegment.copy(written, VectorRun.FLOAT, at, into, 0, into.length);
    return written.get(VectorRun.FLOAT, at + VectorLayout.squaredLengthAt(into.length));
  }

  private void appendKeys(long at) throws IOException {
    if (keyBytes == 0) {
      keyBytes = keys.size();
      file.write(at, keys.segment(), 0, keyBytes);
      return;
    }
    flushKeys();
    for (long copied = 0; copied < keyBytes; ) {
      entries.clear().reserve((int) Math.min(BUFFER_BYTES, keyBytes - copied));
      long read = keyFile.read(copied, entries.segment(), 0, entries.size());
      if (read < entries.size()) {
        throw new IOException(keyFile.path() + " is shorter than what was written to it");
      }
      file.write(at + copied, entries.segment(), 0, read);
      copied += read;
    }
  }

  /** Releases its memory. */
  @Override
  public void close() throws IOException {
    graph = null;
    measuring = null;
    mapped.close();
    entries.release();
    keys.release();
  }
}
