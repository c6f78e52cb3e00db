package io.helenus.copy.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The division of rings. */
class TokenRangeTest {
  private static void checkWhole(TokenRange.Ring ring, String first, String last) {
    for (int parts : List.of(1, 2, 7, 256, 1000)) {
      List<TokenRange> ranges = TokenRange.divide(ring, parts);
      assertEquals(parts, ranges.size());
      assertEquals(new BigInteger(first), ranges.getFirst().after());
      assertEquals(new BigInteger(last), ranges.getLast().last());
      for (int i = 1; i < parts; i++) {
        assertEquals(ranges.get(i - 1).last(), ranges.get(i).after());
        assertTrue(ranges.get(i).after().compareTo(ranges.get(i).last()) < 0);
        assertEquals(i, ranges.get(i).index());
      }
    }
  }

  @Test
  void partsCoverTheRingWithoutOverlap() {
    checkWhole(TokenRange.Ring.MURMUR3, "-9223372036854775808", "9223372036854775807");
    checkWhole(TokenRange.Ring.RANDOM, "-1", "170141183460469231731687303715884105728");
    assertEquals(1, TokenRange.divide(TokenRange.Ring.OTHER, 256).size());
  }

  @Test
  void tokensAreOrderedAsNumbers() {
    for (TokenRange.Ring ring : List.of(TokenRange.Ring.MURMUR3, TokenRange.Ring.RANDOM)) {
      List<TokenRange> ranges = TokenRange.divide(ring, 5);
      for (TokenRange range : ranges) {
        assertTrue(
            TokenRange.compare(
                    ring,
                    TokenRange.encode(ring, range.after()),
                    TokenRange.encode(ring, range.last()))
                < 0);
      }
    }
  }

  @Test
  void ringsAreKnownByTheirPartitioner() {
    assertEquals(
        TokenRange.Ring.MURMUR3, TokenRange.Ring.of("org.apache.cassandra.dht.Murmur3Partitioner"));
    assertEquals(
        TokenRange.Ring.RANDOM, TokenRange.Ring.of("org.apache.cassandra.dht.RandomPartitioner"));
    assertEquals(
        TokenRange.Ring.OTHER,
        TokenRange.Ring.of("org.apache.cassandra.dht.ByteOrderedPartitioner"));
  }
}
