package io.helenus.storage.vector;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.engine.IndexDescriptor;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.engine.StorageException;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * An open file of vectors (storage/docs/index.md), mapped into memory. Every piece is verified
 * whenever it is read, but the starts of keys only once per {@link #reader}; damage raises a {@link
 * StorageException} that names file and position. Each reader is for one thread at a time; users
 * are counted on the shard's thread.
 */
public final class VectorFile {
  private static final ValueLayout.OfInt NUMBERS =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final String path;
  private final Arena arena;
  private final MemorySegment contents;
  private final int dimension;
  private final int count;
  private final long keysAt;
  private final int degree;
  private final long codesAt;
  private final long graphsAt;
  private final long startsAt;
  private final int nodesPerGraph;
  private final int width;
  private int users = 1;
  private @Nullable Runnable whenUnused;

  private VectorFile(
      String path, Arena arena, MemorySegment contents, int dimension, MemorySegment footer) {
    this.path = path;
    this.arena = arena;
    // users are counted, so that it stays mapped: without a check for it, and a note for the JVM
    // that it is in use, whenever a sum is computed
    this.contents =
        MemorySegment.ofAddress(contents.address()).reinterpret(contents.byteSize()).asReadOnly();
    this.dimension = dimension;
    count = Bytes.getInt(footer, 24);
    degree = Bytes.getInt(footer, 28);
    keysAt = Bytes.getLong(footer, 32);
    codesAt = Bytes.getLong(footer, 40);
    startsAt = Bytes.getLong(footer, 48);
    nodesPerGraph = Bytes.getInt(footer, 56);
    width = Bytes.getInt(footer, 60);
    graphsAt = codesAt + (nodesPerGraph == 0 ? 0 : VectorLayout.codesBytes(dimension, count));
  }

  /**
   * Opens the file of an index, which stays open only as long as this takes.
   *
   * @throws StorageException if the file is damaged, unfinished, or of another index
   */
  public static VectorFile open(int tableId, IndexDescriptor index, FileSystem.File file)
      throws IOException {
    Arena arena = Arena.ofShared();
    try {
      return open(tableId, index, file.path(), arena, file.map(arena));
    } catch (Throwable e) {
      arena.close();
      throw e;
    }
  }

  private static VectorFile open(
      int tableId, IndexDescriptor index, String path, Arena arena, MemorySegment contents) {
    VectorOptions options = Objects.requireNonNull(index.vectors());
    long at = contents.byteSize() - VectorLayout.FOOTER_BYTES;
    if (at < 0) {
      throw damage(path, 0, "it is too short");
    }
    MemorySegment footer = contents.asSlice(at);
    int length = VectorLayout.FOOTER_BYTES - VectorLayout.SUM_BYTES;
    if (VectorLayout.sum(new Crc32c(), at, footer, 0, length) != Bytes.getInt(footer, length)
        || Bytes.getInt(footer, 0) != VectorLayout.MAGIC) {
      throw damage(path, at, "the footer is damaged, or of another version of the format");
    }
    if (Bytes.getInt(footer, 4) != VectorLayout.VERSION) {
      throw damage(path, at, "it is of another version of the format");
    }
    if (Bytes.getInt(footer, 8) != tableId
        || Bytes.getInt(footer, 12) != index.id()
        || Bytes.getInt(footer, 16) != options.dimension()
        || Bytes.getInt(footer, 20) != options.similarity().ordinal()) {
      throw damage(path, at, "it is of another index");
    }
    return new VectorFile(path, arena, contents, options.dimension(), footer);
  }

  private static StorageException damage(String path, long position, String why) {
    return new StorageException(path + " is damaged at " + position + ": " + why);
  }

  /** The path of the file. */
  public String path() {
    return path;
  }

  /** The size of the file in bytes. */
  public long sizeBytes() {
    return contents.byteSize();
  }

  /** The number of vectors. */
  public int size() {
    return count;
  }

  /** Whether it has graphs, so that not all vectors need be compared. */
  public boolean hasGraphs() {
    return nodesPerGraph > 0;
  }

  /** Adds a user. Shard thread. */
  public void retain() {
    if (users <= 0) {
      throw new IllegalStateException(path + " used after its last release");
    }
    users++;
  }

  /** Removes a user. Shard thread. */
  public void release() {
    users--;
    if (users == 0 && whenUnused != null) {
      whenUnused.run();
    }
  }

  /** Sets the action that runs on the shard's thread when the last user is gone. */
  public void whenUnused(Runnable action) {
    whenUnused = action;
  }

  /** Unmaps the file. Not for shards, because it stalls all threads for a moment. */
  public void close() {
    arena.close();
  }

  /** The vectors for one reader. */
  public VectorSource reader() {
    return new Reader();
  }

  /** Reads the file. One thread at a time. */
  private final class Reader implements VectorSource {
    private final Crc32c crc = new Crc32c();
    private final int entryBytes = VectorLayout.entryBytes(dimension);

    /** The blocks of starts that have been verified: a block is read many times in a row. */
    private final BitSet verifiedStarts = new BitSet(count / VectorLayout.STARTS + 1);

    /** The key that was verified last, and where it is: the next one read is often the same. */
    private int lastKey = -1;

    private long lastKeyAt;

    private void verify(long place, long at, int length) {
      // a sum is of a buffer, which cannot be larger than 2 GiB
      boolean isLarge = contents.byteSize() > Integer.MAX_VALUE;
      int sum =
          isLarge
              ? VectorLayout.sum(crc, place, contents.asSlice(at, length), 0, length)
              : VectorLayout.sum(crc, place, contents, at, length);
      if (sum != Bytes.getInt(contents, at + length)) {
        throw damage(path, at, "a checksum does not match");
      }
    }

    @Override
    public int size() {
      return count;
    }

    @Override
    public float read(int ordinal, float[] into) {
      long at = (long) ordinal * entryBytes;
      // first, because a copy does not wait for one part after the other to be loaded
      MemorySegment.copy(contents, VectorRun.FLOAT, at, into, 0, dimension);
      verify(ordinal, at, VectorLayout.vectorSumAt(dimension));
      return contents.get(VectorRun.FLOAT, at + VectorLayout.squaredLengthAt(dimension));
    }

    @Override
    public @Nullable VectorCodes codes() {
      return nodesPerGraph > 0 && VectorLayout.hasCodes(dimension) ? new FileCodes() : null;
    }

    @Override
    public int nodesPerGraph() {
      return nodesPerGraph;
    }

    @Override
    public int graphWidth() {
      return width;
    }

    @Override
    public Graph graph(int index) {
      int first = index * nodesPerGraph;
      return new FileGraph(first, Math.min(nodesPerGraph, count - first));
    }

    private final class FileCodes implements VectorCodes {
      private final int codeBytes = VectorLayout.codeBytes(dimension);
      private final long firstAt = codesAt + VectorLayout.meanBytes(dimension);

      /** So that the JIT compiler does not leave out what is only read ahead. */
      @SuppressWarnings("UnusedVariable")
      private int readAhead;

      @Override
      public float[] mean() {
        float[] mean = new float[dimension];
        verify(codesAt, codesAt, Float.BYTES * dimension);
        MemorySegment.copy(contents, VectorRun.FLOAT, codesAt, mean, 0, dimension);
        return mean;
      }

      @Override
      public void read(int ordinal, VectorCode into) {
        long at = firstAt + (long) ordinal * codeBytes;
        MemorySegment.copy(contents, ValueLayout.JAVA_BYTE, at, into.digits, 0, dimension);
        verify(ordinal, at, codeBytes - VectorLayout.SUM_BYTES);
        into.scale = contents.get(VectorRun.FLOAT, at + dimension);
        into.squaredLength = contents.get(VectorRun.FLOAT, at + dimension + 4);
        into.rest = contents.get(VectorRun.FLOAT, at + dimension + 8);
      }

      @Override
      public void readAhead(int ordinal) {
        long at = firstAt + (long) ordinal * codeBytes;
        readAhead += VectorLayout.touch(contents, at, codeBytes);
      }
    }

    /** A graph of the vectors from one on. */
    private final class FileGraph implements Graph {
      private final int first;
      private final int nodes;

      FileGraph(int first, int nodes) {
        this.first = first;
        this.nodes = nodes;
      }

      @Override
      public int size() {
        return nodes;
      }

      @Override
      public int degree() {
        return degree;
      }

      @Override
      public int neighbours(int node, int[] into) {
        int size = VectorLayout.nodeBytes(degree);
        long at = graphsAt + (long) (first + node) * size;
        verify(first + node, at, size - VectorLayout.SUM_BYTES);
        int neighbours = Bytes.getInt(contents, at);
        MemorySegment.copy(contents, NUMBERS, at + Integer.BYTES, into, 0, neighbours);
        return neighbours;
      }
    }

    /** Verifies a key and returns where it is, after its lengths. */
    private long key(int ordinal) {
      if (ordinal == lastKey) {
        return lastKeyAt;
      }
      long at = keysAt + Bytes.getLong(contents, startOf(ordinal) + Long.BYTES);
      int length = Bytes.getInt(contents, at);
      long key = at + VectorLayout.KEY_HEADER_BYTES;
      if (length < 0 || key + length + VectorLayout.SUM_BYTES > codesAt) {
        throw damage(path, at, "a key ends beyond the keys");
      }
      verify(ordinal, at, VectorLayout.KEY_HEADER_BYTES + length);
      lastKey = ordinal;
      lastKeyAt = key;
      return key;
    }

    private int keyLength(long key) {
      return Bytes.getInt(contents, key - VectorLayout.KEY_HEADER_BYTES);
    }

    @Override
    public int appendKey(int ordinal, ByteWriter out) {
      long key = key(ordinal);
      out.putBytes(contents, key, keyLength(key));
      return Bytes.getInt(contents, key - Integer.BYTES);
    }

    @Override
    public Ordinals within(KeyRestriction restriction) {
      KeyRange range = restriction.range();
      int from = gallop(0, ordinal -> order(ordinal, range) < 0);
      // mostly the range has all of the file
      int to =
          count > 0 && order(count - 1, range) <= 0
              ? count
              : gallop(from, ordinal -> order(ordinal, range) <= 0);
      ListedKeys listed = restriction.listed();
      return listed == null ? Ordinals.range(from, to) : within(listed, from, to);
    }

    /** The vectors from one to before another whose rows are listed. */
    private Ordinals within(ListedKeys listed, int from, int to) {
      Ordinals some = Ordinals.none();
      int at = from;
      for (int i = 0; i < listed.size() && at < to; i++) {
        int key = i;
        at = gallop(at, ordinal -> order(ordinal, listed, key) < 0);
        int end = gallop(at, ordinal -> order(ordinal, listed, key) <= 0);
        for (; at < Math.min(end, to); at++) {
          some.add(at);
        }
      }
      return some;
    }

    /** Verifies the start of a key, its first 8 bytes, and returns where it is. */
    private long startOf(int ordinal) {
      int block = ordinal / VectorLayout.STARTS;
      if (!verifiedStarts.get(block)) {
        int first = block * VectorLayout.STARTS;
        int length = VectorLayout.START_BYTES * Math.min(VectorLayout.STARTS, count - first);
        verify(block, startsAt + VectorLayout.startAt(first), length);
        verifiedStarts.set(block);
      }
      return startsAt + VectorLayout.startAt(ordinal);
    }

    /** Whether a vector's key is before, in, or after the range. */
    private int order(int ordinal, KeyRange range) {
      long key = key(ordinal);
      return range.order(contents, key, keyLength(key));
    }

    /** Whether a vector's key is before, under, or after a listed one. */
    private int order(int ordinal, ListedKeys listed, int index) {
      // mostly the start is enough
      int order = listed.orderOfStart(Bytes.getLong(contents, startOf(ordinal)), index);
      if (order != 0) {
        return order;
      }
      long key = key(ordinal);
      return listed.order(contents, key, keyLength(key), index);
    }

    /** The first vector from one on for which a test that holds for the first ones fails. */
    private int gallop(int from, IntPredicate test) {
      int low = from;
      int step = 1;
      while (low + step <= count && test.test(low + step - 1)) {
        low += step;
        step = Math.min(step, 1 << 29) * 2;
      }
      int high = Math.min(count, low + step - 1);
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (test.test(middle)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
