package io.helenus.server.ring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.testing.Seeds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TokenAllocationTest {
  private static final int RUNS = 20;

  /** The bound that TokenAllocation documents. */
  private static final double BOUND = 1.15;

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private static RingNode node(int number) {
    return new RingNode(new UUID(0, number), "dc", "r");
  }

  private static TokenRing grown(int nodes, int count, Random random) {
    Map<RingNode, long[]> tokens = new LinkedHashMap<>();
    for (int i = 0; i < nodes; i++) {
      TokenRing ring = TokenRing.of(tokens);
      tokens.put(node(i), TokenAllocation.joining(ring, count, 3, random::nextLong));
    }
    return TokenRing.of(tokens);
  }

  /** How many times as much the node owns that owns most, compared with the one that owns least. */
  private static double ratio(TokenRing ring, int replicas) {
    ReplicationStrategy strategy = new ReplicationStrategy.Simple(ReplicationFactor.of(replicas));
    Map<RingNode, Double> owned = new HashMap<>();
    for (int i = 0; i < ring.size(); i++) {
      TokenRange range = ring.rangeAt(i);
      double size = range.right() - range.left();
      size += size <= 0 ? 0x1.0p64 : 0;
      for (RingNode replica : strategy.replicas(ring, i, ring.nodes().getFirst())) {
        owned.merge(replica, size, Double::sum);
      }
    }
    assertEquals(ring.nodes().size(), owned.size());
    double most = owned.values().stream().mapToDouble(share -> share).max().orElseThrow();
    return most / owned.values().stream().mapToDouble(share -> share).min().orElseThrow();
  }

  @Test
  void nodesThatJoinOneAfterTheOtherOwnAboutAsMuch() throws Exception {
    double[][] worst = new double[10][2];
    seeds.each(
        RUNS,
        seed -> {
          Random random = new Random(seed);
          Map<RingNode, long[]> tokens = new LinkedHashMap<>();
          for (int i = 1; i <= 9; i++) {
            TokenRing ring = TokenRing.of(tokens);
            tokens.put(node(i), TokenAllocation.joining(ring, 16, 3, random::nextLong));
            TokenRing grown = TokenRing.of(tokens);
            worst[i][0] = Math.max(worst[i][0], ratio(grown, 1));
            worst[i][1] = Math.max(worst[i][1], ratio(grown, 3));
          }
        });
    for (int i = 1; i <= 9; i++) {
      assertTrue(worst[i][0] < BOUND, i + " nodes: " + worst[i][0]);
      assertTrue(worst[i][1] < BOUND, i + " nodes, three replicas: " + worst[i][1]);
    }
  }

  @Test
  void tokensAreSortedFreeAndOfTheRandomnessAlone() throws Exception {
    seeds.each(
        RUNS,
        seed -> {
          Random random = new Random(seed);
          int count = 1 + random.nextInt(20);
          TokenRing ring = grown(1 + random.nextInt(4), 1 + random.nextInt(20), random);
          int replicas = 1 + random.nextInt(5);
          long[] tokens =
              TokenAllocation.joining(ring, count, replicas, new Random(seed)::nextLong);
          assertEquals(count, tokens.length);
          for (int i = 0; i < count; i++) {
            assertTrue(i == 0 || tokens[i - 1] < tokens[i]);
            assertTrue(tokens[i] != Long.MIN_VALUE);
            assertTrue(ring.tokenAt(ring.indexOf(tokens[i])) != tokens[i]);
          }
          assertArrayEquals(
              tokens, TokenAllocation.joining(ring, count, replicas, new Random(seed)::nextLong));
          long[] others =
              TokenAllocation.joining(ring, count, replicas, new Random(seed + 1)::nextLong);
          for (long token : others) {
            assertTrue(Arrays.binarySearch(tokens, token) < 0, "two that join at once differ");
          }
        });
  }

  /** Rings whose tokens were given by hand. */
  @Test
  void narrowRangesAreNoHindrance() {
    TokenRing narrow = TokenRing.of(Map.of(node(1), new long[] {5}, node(2), new long[] {6, 7}));
    long[] tokens = TokenAllocation.joining(narrow, 16, 3, new Random(1)::nextLong);
    assertEquals(16, Arrays.stream(tokens).distinct().count());
    TokenRing ends = TokenRing.of(Map.of(node(1), new long[] {Long.MIN_VALUE, Long.MAX_VALUE, 0}));
    assertEquals(4, TokenAllocation.joining(ends, 4, 3, new Random(1)::nextLong).length);
  }

  @Test
  void aLargeRingGrowsToo() {
    TokenRing ring = grown(15, 16, seeds.random());
    assertTrue(ratio(ring, 1) < 1.3, () -> "" + ratio(ring, 1));
    assertTrue(ratio(ring, 3) < 1.3, () -> "" + ratio(ring, 3));
  }

  @Test
  void theFirstNodeDividesTheRingAndNonsenseIsRefused() {
    TokenRing none = TokenRing.of(Map.of());
    assertArrayEquals(
        TokenAllocation.firstNode(16, () -> 42), TokenAllocation.joining(none, 16, 3, () -> 42));
    for (int[] wrong : List.of(new int[] {0, 3}, new int[] {16, 0})) {
      assertThrows(
          IllegalArgumentException.class,
          () -> TokenAllocation.joining(none, wrong[0], wrong[1], () -> 42));
    }
  }
}
