package io.helenus.storage.sstable.v1;

import io.helenus.storage.env.FileSystem;
import io.helenus.storage.sstable.Sstable;
import io.helenus.storage.sstable.SstableFormat;
import io.helenus.storage.sstable.SstableWriter;

/** The first file format. */
public final class V1Format implements SstableFormat {
  @Override
  public int version() {
    return 1;
  }

  @Override
  public SstableWriter create(FileSystem.File file, SstableWriter.Options options) {
    throw new IllegalStateException("skeleton");
  }

  @Override
  public Sstable open(FileSystem.File file) {
    throw new IllegalStateException("skeleton");
  }
}
