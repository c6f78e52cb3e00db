package io.helenus.storage.nearest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How many candidates are searched for at once, and how many keys may be listed. */
class BatchSizesTest {
  @Test
  void theFirstBatchHasHalfAsManyMoreThanAreWanted() {
    assertEquals(150, new BatchSizes(100, 1).next(0, 0));
    assertEquals(16, new BatchSizes(1, 1).next(0, 0));
    assertEquals(4096, new BatchSizes(1_000_000, 1).next(0, 0));
  }

  @Test
  void theFirstBatchHasMoreIfManyAreLikelyToBeRejected() {
    assertEquals((100 + 2 * 10) * 4, new BatchSizes(100, 0.25).next(0, 0));
    assertEquals(4096, new BatchSizes(100, 1e-9).next(0, 0));
  }

  @Test
  void laterBatchesFollowTheShareThatWasKept() {
    BatchSizes sizes = new BatchSizes(100, 1);
    // one in ten was kept, and 80 are missing
    int few = sizes.next(200, 20);
    assertTrue(few > 800 && few < 1000, few + "");
    // none was kept: at least half as many as before
    assertEquals(4096, sizes.next(1000, 0));
    assertEquals(500, sizes.next(1000, 99));
  }

  @Test
  void theKeysThatMayBeListedGrowWithTheRootOfVectorsAndWantedRows() {
    assertEquals(2048, KeyFilter.limit(100, 10));
    assertEquals(8 * 1000, KeyFilter.limit(100_000, 10));
    assertEquals(250_000, KeyFilter.limit(1e12, 1000));
  }
}
