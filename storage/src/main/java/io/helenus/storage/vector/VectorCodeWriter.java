package io.helenus.storage.vector;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Crc32c;
import io.helenus.storage.engine.IndexDescriptor.Similarity;
import io.helenus.storage.engine.IndexDescriptor.VectorOptions;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Writes the codes of the vectors of a file (storage/docs/index.md). It is given the vectors twice,
 * because the codes are relative to their mean. One thread at a time.
 */
final class VectorCodeWriter {
  private static final int WRITTEN_BYTES = 64 << 10;

  private final int dimension;
  private final Similarity similarity;
  private final double[] sums;
  private final float[] mean;
  private final VectorCode code;
  private final Crc32c crc = new Crc32c();
  private final FileSystem.File file;
  private final ByteWriter buffer;
  private long at;
  private int seen;
  private int coded;

  /** Writes to a file through a buffer, which is free once {@link #begin} is called. */
  VectorCodeWriter(VectorOptions options, FileSystem.File file, ByteWriter buffer) {
    this.file = file;
    this.buffer = buffer;
    dimension = options.dimension();
    similarity = options.similarity();
    sums = new double[dimension];
    mean = new float[dimension];
    code = new VectorCode(dimension);
  }

  /** Takes a vector into account. */
  void see(float[] vector, float squaredLength) {
    float factor = VectorCode.factor(similarity, squaredLength);
    for (int i = 0; i < dimension; i++) {
      sums[i] += vector[i] * factor;
    }
    seen++;
  }

  /** Begins to write at a position of the file, once it has seen all vectors. */
  void begin(long position) {
    at = position;
    for (int i = 0; i < dimension; i++) {
      mean[i] = (float) (sums[i] / seen);
    }
    int length = Float.BYTES * dimension;
    buffer.clear().reserve(length);
    MemorySegment.copy(mean, 0, buffer.segment(), VectorRun.FLOAT, 0, dimension);
    buffer.putInt(VectorLayout.sum(crc, at, buffer.segment(), 0, length));
  }

  /** Writes the code of the next vector. */
  void add(float[] vector, float squaredLength) throws IOException {
    code.set(vector, VectorCode.factor(similarity, squaredLength), mean);
    int start = buffer.size();
    int length = VectorLayout.codeBytes(dimension) - VectorLayout.SUM_BYTES;
    buffer.reserve(length);
    MemorySegment target = buffer.segment();
    MemorySegment.copy(code.digits, 0, target, ValueLayout.JAVA_BYTE, start, dimension);
    target.set(VectorRun.FLOAT, start + dimension, code.scale);
    target.set(VectorRun.FLOAT, start + dimension + 4, code.squaredLength);
    target.set(VectorRun.FLOAT, start + dimension + 8, code.rest);
    buffer.putInt(VectorLayout.sum(crc, coded++, target, start, length));
    if (buffer.size() >= WRITTEN_BYTES || coded == seen) {
      file.write(at, buffer.segment(), 0, buffer.size());
      at += buffer.size();
      buffer.clear();
    }
  }
}
