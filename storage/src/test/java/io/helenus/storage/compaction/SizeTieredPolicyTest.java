package io.helenus.storage.compaction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.storage.compaction.SizeTieredPolicy.Candidate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SizeTieredPolicyTest {
  private static final long MIB = 1 << 20;

  private static List<Candidate> files(long... sizesMib) {
    return files(0, sizesMib);
  }

  /** Files of which those below 4 MiB are very small. */
  private static List<Candidate> small(long... sizesMib) {
    return files(4 * MIB, sizesMib);
  }

  private static List<Candidate> files(long limit, long[] sizesMib) {
    List<Candidate> files = new ArrayList<>();
    for (int i = 0; i < sizesMib.length; i++) {
      files.add(new Candidate(i + 1, sizesMib[i] * MIB, sizesMib[i] * MIB < limit));
    }
    return files;
  }

  @Test
  void filesOfSimilarSizeAreMergedWhenThereAreEnough() {
    SizeTieredPolicy policy = new SizeTieredPolicy(4, 32);
    assertEquals(List.of(1L, 2L, 3L, 4L), policy.pick(files(100, 110, 120, 130)));
  }

  @Test
  void tooFewFilesOfASizeAreLeftAlone() {
    SizeTieredPolicy policy = new SizeTieredPolicy(4, 32);
    assertEquals(List.of(), policy.pick(files(100, 100, 100)));
    assertEquals(List.of(), policy.pick(files(10, 100, 1000, 10_000)));
    assertEquals(List.of(), policy.pick(List.of()));
  }

  @Test
  void smallFilesShareABucketWhateverTheirSizes() {
    SizeTieredPolicy policy = new SizeTieredPolicy(4, 32);
    assertEquals(List.of(1L, 2L, 3L, 4L), policy.pick(files(0, 1, 2, 3)));
  }

  @Test
  void theFullestBucketIsPickedAndTiesGoToTheSmallerFiles() {
    SizeTieredPolicy policy = new SizeTieredPolicy(2, 32);
    assertEquals(List.of(3L, 4L, 5L), policy.pick(files(1000, 1000, 50, 50, 50)));
    assertEquals(List.of(3L, 4L), policy.pick(files(1000, 1000, 50, 50)));
  }

  @Test
  void noMoreThanTheMaximumIsMergedAtOnce() {
    SizeTieredPolicy policy = new SizeTieredPolicy(2, 3);
    assertEquals(List.of(1L, 2L, 3L), policy.pick(files(50, 50, 50, 50, 50)));
  }

  @Test
  void aMinimumOfZeroDisablesCompaction() {
    SizeTieredPolicy policy = new SizeTieredPolicy(0, 32);
    assertEquals(List.of(), policy.pick(files(50, 50, 50, 50, 50)));
  }

  @Test
  void fewSmallFilesAreMergedIfNoneIsMuchLargerThanTheOthers() {
    SizeTieredPolicy policy = new SizeTieredPolicy(4, 32);
    assertEquals(List.of(1L, 2L), policy.pick(small(1, 1)));
    assertEquals(List.of(3L, 2L), policy.pick(small(5, 2, 1)));
    assertEquals(List.of(), policy.pick(small(3, 1)));
    assertEquals(List.of(), policy.pick(small(4, 4, 1)));
    assertEquals(List.of(), policy.pick(files(1, 1, 1)));
    assertEquals(List.of(), policy.pick(small(1)));
    assertEquals(List.of(1L, 2L, 3L, 4L), policy.pick(small(50, 50, 50, 50, 1, 1)));
  }

  @Test
  void fewSmallFilesAreLeftAloneIfTheMinimumIsRaisedOrCompactionDisabled() {
    assertEquals(List.of(), new SizeTieredPolicy(5, 32).pick(small(1, 1, 1, 1)));
    assertEquals(List.of(), new SizeTieredPolicy(0, 32).pick(small(1, 1)));
    assertEquals(List.of(1L, 2L), new SizeTieredPolicy(3, 32).pick(small(1, 1)));
  }
}
