package io.helenus.server.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.ShardMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenSlicesTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64})
  void slicesCoverAllTokensWithoutOverlap(int count) {
    TokenSlices slices = new TokenSlices(new ShardMap(count));
    long first = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      TokenSlices.Slice slice = slices.of(first);
      assertEquals(first, slice.first());
      assertEquals(slice, slices.of(slice.last()));
      assertTrue(slice.contains(slice.first()) && slice.contains(slice.last()));
      if (i < count - 1) {
        assertFalse(slice.contains(slice.last() + 1));
      } else {
        assertEquals(Long.MAX_VALUE, slice.last());
      }
      first = slice.last() + 1;
    }
  }
}
