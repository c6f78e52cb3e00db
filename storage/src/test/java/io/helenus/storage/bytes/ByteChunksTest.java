package io.helenus.storage.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.memory.LargeSegments;
import org.junit.jupiter.api.Test;

/** Chunks are taken in order, and their memory is released as they are taken. */
class ByteChunksTest {
  private static final int LARGE = 3 * LargeSegments.SMALLEST_BYTES;

  private final LargeSegments segments = new LargeSegments();
  private final ByteWriter writer = ByteWriter.recycling(segments, 64);

  /** Numbers from 0 on, in chunks of these sizes. */
  private ByteChunks chunks(int... sizes) {
    ByteChunks chunks = new ByteChunks(segments);
    int next = 0;
    for (int size : sizes) {
      for (int i = 0; i < size; i += Integer.BYTES) {
        writer.putInt(next++);
      }
      chunks.add(writer);
      assertEquals(0, writer.size());
    }
    return chunks;
  }

  private static void requireNumbers(int first, ByteWriter bytes) {
    for (int i = 0; i < bytes.size(); i += Integer.BYTES) {
      assertEquals(first + i / Integer.BYTES, Bytes.getInt(bytes.segment(), i));
    }
  }

  @Test
  void partsOfAnySizeAreTakenInOrder() {
    for (int part : new int[] {4, 100, 65_536, 300_000, 10_000_000}) {
      ByteChunks chunks = chunks(LARGE, 8, LARGE + 4, LARGE);
      long size = chunks.size();
      assertEquals(3 * LARGE + 12, size);
      ByteWriter taken = new ByteWriter(64);
      while (!chunks.isEnd()) {
        int expected = (int) Math.min(part, size - taken.size());
        assertEquals(expected, chunks.take(part, taken));
      }
      assertEquals(0, chunks.take(part, taken));
      assertEquals(size, taken.size());
      requireNumbers(0, taken);
      assertEquals(0, segments.share().usedBytes());
    }
  }

  @Test
  void memoryIsGivenBackWithTheLastByteOfAChunkOrWhenReleased() {
    ByteChunks chunks = chunks(LARGE, LARGE, LARGE);
    long each = segments.share().usedBytes() / 3;
    assertTrue(each >= LARGE);
    ByteWriter taken = new ByteWriter(64);
    chunks.take(LARGE - 1, taken);
    assertEquals(3 * each, segments.share().usedBytes());
    chunks.take(1, taken);
    assertEquals(2 * each, segments.share().usedBytes());
    assertFalse(chunks.isEnd());
    chunks.release();
    assertEquals(0, segments.share().usedBytes());
    assertTrue(chunks.isEnd());
    chunks.release();
    assertEquals(0, segments.share().usedBytes());
  }

  @Test
  void bytesAreCopiedByPosition() {
    ByteChunks chunks = chunks(LARGE, 8, LARGE);
    for (int position : new int[] {0, 400, LARGE - 8, LARGE, LARGE + 8, 2 * LARGE}) {
      ByteWriter copied = new ByteWriter(64);
      chunks.copy(position, 8, copied);
      requireNumbers(position / Integer.BYTES, copied);
    }
    chunks.release();
  }
}
