package io.helenus.storage.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which large segments are kept, and what is counted, also of those that are never released. */
class LargeSegmentsTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  private final MemoryShare share = MemoryShare.unlimited();
  private final List<Long> discarded = new ArrayList<>();
  private final LargeSegments segments =
      new LargeSegments(share, segment -> discarded.add(segment.address()), 4 * MIB);

  @Test
  void sizesArePowersOfTwoAndFourStepsPerDoublingAbove() {
    assertEquals(64 * KIB, LargeSegments.rounded(1));
    assertEquals(64 * KIB, LargeSegments.rounded(64 * KIB));
    assertEquals(128 * KIB, LargeSegments.rounded(64 * KIB + 1));
    assertEquals(MIB, LargeSegments.rounded(MIB));
    assertEquals(MIB + 256 * KIB, LargeSegments.rounded(MIB + 1));
    assertEquals(2 * MIB, LargeSegments.rounded(2 * MIB));
    assertEquals(2 * MIB + 512 * KIB, LargeSegments.rounded(2 * MIB + 1));
    assertEquals(10 * MIB, LargeSegments.rounded(10 * MIB - 5));
    assertEquals(12 * MIB, LargeSegments.rounded(10 * MIB + 1));
    assertEquals(1 << 30, LargeSegments.rounded(1 << 30));
  }

  @Test
  void aSegmentIsReused() {
    MemorySegment first = segments.take(100 * KIB);
    assertEquals(128 * KIB, share.usedBytes());
    segments.giveBack(first);
    assertEquals(0, share.usedBytes());
    assertEquals(128 * KIB, segments.keptBytes());
    assertEquals(first.address(), segments.take(128 * KIB).address());
    assertEquals(0, segments.keptBytes());
  }

  @Test
  void beyondItsLimitItKeepsNothing() {
    List<MemorySegment> taken = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      taken.add(segments.take(MIB));
    }
    taken.forEach(segments::giveBack);
    assertEquals(4 * MIB, segments.keptBytes());
    assertEquals(List.of(taken.get(4).address()), discarded);
    assertEquals(0, share.usedBytes());
  }

  @Test
  void asMuchIsKeptAsTheShareLeaves() {
    MemoryShare limited = new MemoryShare(12 * MIB);
    LargeSegments several =
        new LargeSegments(limited, segment -> discarded.add(segment.byteSize()), 2 * MIB);
    List<MemorySegment> taken = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      taken.add(several.take(3 * MIB));
    }
    taken.forEach(several::giveBack);
    assertEquals(12 * MIB, several.keptBytes());
    assertEquals(List.of(), discarded);

    MemorySegment other = several.take(4 * MIB);
    assertEquals(List.of(3L * MIB, 3L * MIB), discarded);
    assertEquals(6 * MIB, several.keptBytes());
    assertEquals(3 * MIB, several.take(3 * MIB).byteSize());
    assertEquals(3 * MIB, several.keptBytes());

    several.giveBack(other);
    assertEquals(7 * MIB, several.keptBytes());
    assertEquals(2, discarded.size());
  }

  @Test
  void segmentsWithoutPagesMakeRoomForOtherSizes() {
    List<MemorySegment> taken = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      taken.add(segments.take(MIB));
    }
    taken.forEach(segments::giveBack);
    MemorySegment other = segments.take(3 * MIB);
    segments.trim();
    segments.trim();
    assertEquals(4, discarded.size());
    segments.giveBack(other);
    assertEquals(3 * MIB, segments.keptBytes());
    assertEquals(other.address(), segments.take(3 * MIB).address());
  }

  @Test
  void aTrimDiscardsOnlyWhatWasNotNeeded() {
    MemorySegment first = segments.take(MIB);
    MemorySegment second = segments.take(MIB);
    segments.giveBack(first);
    segments.giveBack(second);
    segments.trim();
    segments.giveBack(segments.take(MIB));
    segments.trim();
    assertEquals(List.of(first.address()), discarded);
    assertEquals(MIB, segments.keptBytes());
    assertEquals(second.address(), segments.take(MIB).address());
    assertEquals(first.address(), segments.take(MIB).address());
  }

  @Test
  void foreignSegmentsAreIgnored() {
    segments.giveBack(Arena.ofAuto().allocate(MIB));
    segments.giveBack(Arena.ofAuto().allocate(100));
    MemorySegment taken = segments.take(MIB);
    segments.giveBack(taken.asSlice(0, 128 * KIB));
    assertEquals(MIB, share.usedBytes());
    segments.giveBack(taken);
    segments.giveBack(taken);
    assertEquals(0, share.usedBytes());
    assertEquals(MIB, segments.keptBytes());
    assertNotEquals(segments.take(MIB).address(), segments.take(MIB).address());
  }

  @Test
  void aSegmentThatIsNeverGivenBackIsCountedUntilItIsCollected() throws InterruptedException {
    MemorySegment kept = segments.take(MIB);
    takeAndForget();
    assertTrue(share.usedBytes() >= 2 * MIB);
    for (int i = 0; i < 200 && share.usedBytes() > MIB; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertEquals(MIB, share.usedBytes());
    kept.set(ValueLayout.JAVA_BYTE, MIB - 1, (byte) 1);
    segments.giveBack(kept);
    assertEquals(0, share.usedBytes());
  }

  private void takeAndForget() {
    segments.take(2 * MIB).fill((byte) 1);
  }
}
