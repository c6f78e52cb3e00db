package io.helenus.storage.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.MemoryShare;
import io.helenus.storage.memory.PageDiscard;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Growth of writers, and what becomes of their memory. */
class ByteWriterTest {
  private static final int LARGE = 3 * LargeSegments.SMALLEST_BYTES;
  private static final int KEPT = 4096;

  private final LargeSegments kept = new LargeSegments();

  private static void fill(ByteWriter writer, int bytes) {
    for (int i = 0; i < bytes; i += Integer.BYTES) {
      writer.putInt(i);
    }
  }

  private static void requireFilled(ByteWriter writer, int bytes) {
    assertEquals(bytes, writer.size());
    for (int i = 0; i < bytes; i += Integer.BYTES) {
      assertEquals(i, Bytes.getInt(writer.segment(), i));
    }
  }

  @Test
  void contentsSurviveGrowth() {
    for (ByteWriter writer :
        new ByteWriter[] {new ByteWriter(16), ByteWriter.recycling(kept, 16)}) {
      fill(writer, LARGE);
      requireFilled(writer, LARGE);
    }
  }

  @Test
  void appendsItsOwnContentsWhileItGrows() {
    ByteWriter writer = ByteWriter.recycling(kept, LargeSegments.SMALLEST_BYTES);
    fill(writer, LargeSegments.SMALLEST_BYTES);
    writer.putBytes(writer.segment(), 0, LargeSegments.SMALLEST_BYTES);
    for (int i = 0; i < LargeSegments.SMALLEST_BYTES; i += Integer.BYTES) {
      assertEquals(i, Bytes.getInt(writer.segment(), LargeSegments.SMALLEST_BYTES + i));
    }
  }

  @Test
  void aLargeSegmentServesTheNextWriter() {
    ByteWriter first = ByteWriter.recycling(kept, 16);
    fill(first, LARGE);
    long address = first.segment().address();
    int capacity = first.capacity();
    first.clear(KEPT);
    assertEquals(KEPT, first.capacity());
    ByteWriter second = ByteWriter.recycling(kept, 16);
    fill(second, LARGE);
    assertEquals(address, second.segment().address());
    assertEquals(capacity, second.capacity());
    fill(first, LARGE);
    assertNotEquals(address, first.segment().address());
    requireFilled(second, LARGE);
  }

  @Test
  void writersInUseShareNothing() {
    ByteWriter[] writers = new ByteWriter[8];
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < writers.length; i++) {
        writers[i] = writers[i] == null ? ByteWriter.recycling(kept, 16) : writers[i];
        writers[i].clear(KEPT);
      }
      for (ByteWriter writer : writers) {
        fill(writer, LARGE);
      }
      for (ByteWriter writer : writers) {
        requireFilled(writer, LARGE);
      }
    }
  }

  @Test
  void aVeryLargeSegmentThatExceedsWhatIsKeptIsReusedWithoutItsPages() {
    LargeSegments few = new LargeSegments(MemoryShare.unlimited(), PageDiscard.NONE, 8 << 20);
    ByteWriter writer = ByteWriter.recycling(few, 9 << 20);
    MemorySegment large = writer.segment();
    assertTrue(writer.capacity() >= 9 << 20);
    writer.clear(KEPT);
    assertEquals(0, few.keptBytes());
    assertEquals(0, few.share().usedBytes());
    assertSame(large, ByteWriter.recycling(few, 9 << 20).segment());
  }

  @Test
  void aWriterReturnsToItsSmallSegment() {
    ByteWriter writer = ByteWriter.recycling(kept, KEPT);
    fill(writer, KEPT);
    MemorySegment small = writer.segment();
    writer.makeRoom(LARGE);
    assertTrue(writer.capacity() >= KEPT + LARGE);
    requireFilled(writer, KEPT);
    writer.clear(KEPT);
    assertSame(small, writer.segment());
    fill(writer, LARGE);
    assertEquals(LARGE, Bytes.getInt(writer.segment(), LARGE - Integer.BYTES) + Integer.BYTES);
    MemorySegment detached = writer.detach();
    assertTrue(writer.capacity() < LargeSegments.SMALLEST_BYTES);
    fill(writer, KEPT);
    requireFilled(writer, KEPT);
    assertTrue(kept.share().usedBytes() >= LARGE);
    kept.giveBack(detached);
    writer.release();
    assertEquals(0, kept.share().usedBytes());
  }
}
