package io.helenus.storage.sstable.v1;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.bytes.Lz4;
import io.helenus.storage.engine.InspectionSink;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.env.FileSystem;
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
  private @Nullable Lz4 lz4;

  /** The working memory of one load: a buffer for the stored bytes and a checksum. */
  static final class Scratch {
    final ByteWriter stored = new ByteWriter(Layout.BLOCK_BYTES + 1024);
    final Crc32c crc = new Crc32c();
  }

  /** Creates the format; buffers are allocated on demand. */
  public V1Format() {}

  @Override
  public int version() {
    return Layout.VERSION;
  }

  @Override
  public SstableWriter create(FileSystem.File file, SstableWriter.Options options) {
    boolean compressed = options.compression() == TableDescriptor.Compression.LZ4;
    return new V1Writer(file, options, compressed ? lz4() : null);
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
      return scratch != null ? scratch : new Scratch();
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
