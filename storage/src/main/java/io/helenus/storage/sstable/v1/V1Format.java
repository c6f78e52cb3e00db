package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.bytes.Lz4;
import io.helenus.storage.engine.InspectionSink;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.sstable.DirectBlocks;
import io.helenus.storage.sstable.FileMemory;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableFormat;
import io.helenus.storage.sstable.SstableWriter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The first file format: storage/docs/sstable.md. One instance serves all files of a node, so that
 * they share buffers for loading blocks. Any thread.
 */
public final class V1Format implements SstableFormat {
  private static final int SCRATCH_LIMIT = 16;
  private static final int SCRATCH_KEPT_BYTES = 256 * 1024;

  private final ArrayDeque<Scratch> free = new ArrayDeque<>();
  private final FileMemory memory;
  private final SlabPool slabs;
  private final LargeSegments segments;
  private final LargeSegments loads;
  private @Nullable Lz4 lz4;

  /** The working memory of one load: a buffer for the stored bytes and a checksum. */
  static final class Scratch {
    final ByteWriter stored;
    final Crc32c crc = new Crc32c();

    Scratch(LargeSegments segments) {
      stored = ByteWriter.recycling(segments, Layout.BLOCK_BYTES + 1024);
    }
  }

  /** Takes memory for open files, written files and loads of blocks from a node's shares. */
  public V1Format(NodeMemory node) {
    memory = new FileMemory(node);
    slabs = node.slabs(Use.COMPACTION);
    segments = node.segments(Use.COMPACTION);
    loads = node.segments(Use.BUFFERS);
  }

  /** Without limits: for tools and tests. */
  public V1Format() {
    this(NodeMemory.unlimited());
  }

  /** The memory of the files that it has opened. */
  public FileMemory memory() {
    return memory;
  }

  /** A source of blocks for reading a whole file. */
  DirectBlocks blocks() {
    return new DirectBlocks(slabs);
  }

  @Override
  public int version() {
    return Layout.VERSION;
  }

  @Override
  public SstableWriter create(FileSystem.File file, SstableWriter.Options options) {
    boolean compressed = options.compression() == TableDescriptor.Compression.LZ4;
    return new V1Writer(file, options, compressed ? lz4() : null, slabs, segments);
  }

  @Override
  public Sstable open(FileSystem.File file) {
    return V1Opener.open(this, file, null);
  }

  @Override
  public Sstable describe(FileSystem.File file, InspectionSink sink) {
    return V1Opener.open(this, file, sink);
  }

  Scratch takeScratch() {
    synchronized (free) {
      Scratch scratch = free.pollLast();
      return scratch != null ? scratch : new Scratch(loads);
    }
  }

  void giveBack(Scratch scratch) {
    scratch.stored.clear(SCRATCH_KEPT_BYTES);
    synchronized (free) {
      if (free.size() < SCRATCH_LIMIT) {
        free.addLast(scratch);
      }
    }
  }

  Lz4 lz4() {
    synchronized (free) {
      Lz4 codec = lz4;
      if (codec == null) {
        codec = new Lz4();
        lz4 = codec;
      }
      return codec;
    }
  }
}
