package io.helenus.server.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.testing.Seeds;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TokenRingTest {
  @RegisterExtension final Seeds seeds = Seeds.from(99);

  private static RingNode node(int number, String datacenter, String rack) {
    return new RingNode(new UUID(0, number), datacenter, rack);
  }

  private static TokenRing ring(RingNode... ownersInOrder) {
    Map<RingNode, long[]> tokens = new LinkedHashMap<>();
    for (int i = 0; i < ownersInOrder.length; i++) {
      long[] before = tokens.getOrDefault(ownersInOrder[i], new long[0]);
      long[] more = Arrays.copyOf(before, before.length + 1);
      more[before.length] = 100L * i;
      tokens.put(ownersInOrder[i], more);
    }
    return TokenRing.of(tokens);
  }

  private static ReplicationStrategy topology(Map<String, Integer> factors) {
    TreeMap<String, ReplicationFactor> sorted = new TreeMap<>();
    factors.forEach((name, factor) -> sorted.put(name, ReplicationFactor.of(factor)));
    return new ReplicationStrategy.NetworkTopology(sorted);
  }

  @Test
  void aTokenBelongsToTheNextRingTokenWrappingAround() {
    RingNode a = node(1, "dc", "r1");
    RingNode b = node(2, "dc", "r1");
    TokenRing ring = ring(a, b, a);
    assertEquals(0, ring.indexOf(0));
    assertEquals(0, ring.indexOf(-1));
    assertEquals(0, ring.indexOf(Long.MIN_VALUE));
    assertEquals(1, ring.indexOf(1));
    assertEquals(1, ring.indexOf(100));
    assertEquals(2, ring.indexOf(101));
    assertEquals(0, ring.indexOf(201));
    assertEquals(0, ring.indexOf(Long.MAX_VALUE));
    assertEquals(new TokenRange(200, 0), ring.rangeAt(0));
    assertEquals(new TokenRange(0, 100), ring.rangeAt(1));
  }

  @Test
  void everyTokenIsInExactlyTheRangeOfItsIndex() {
    Random random = seeds.random();
    RingNode a = node(1, "dc", "r1");
    long[] tokens = random.longs(16).toArray();
    TokenRing ring = TokenRing.of(Map.of(a, tokens));
    for (int i = 0; i < 1000; i++) {
      long token = i < 16 ? tokens[i] + i % 3 - 1 : random.nextLong();
      int index = ring.indexOf(token);
      for (int j = 0; j < ring.size(); j++) {
        assertEquals(j == index, ring.rangeAt(j).contains(token), "token " + token);
      }
    }
  }

  @Test
  void twoNodesWithTheSameTokenAreRefused() {
    Map<RingNode, long[]> tokens = new LinkedHashMap<>();
    tokens.put(node(1, "dc", "r"), new long[] {5});
    tokens.put(node(2, "dc", "r"), new long[] {5});
    assertThrows(IllegalArgumentException.class, () -> TokenRing.of(tokens));
  }

  @Test
  void rangesUnwrapAtTheEndsOfTheRing() {
    assertEquals(
        List.of(new TokenRange(Long.MIN_VALUE, 0), new TokenRange(200, Long.MAX_VALUE)),
        new TokenRange(200, 0).unwrap());
    assertEquals(List.of(new TokenRange(Long.MIN_VALUE, Long.MAX_VALUE)), TokenRange.FULL.unwrap());
    assertEquals(
        List.of(new TokenRange(5, Long.MAX_VALUE)), new TokenRange(5, Long.MIN_VALUE).unwrap());
    assertEquals(List.of(new TokenRange(1, 2)), new TokenRange(1, 2).unwrap());
    assertTrue(TokenRange.FULL.contains(Long.MAX_VALUE));
    assertFalse(new TokenRange(1, 2).contains(1));
  }

  @Test
  void simpleReplicasAreTheNextNodesOnTheRing() {
    RingNode a = node(1, "dc", "r1");
    RingNode b = node(2, "dc", "r1");
    RingNode c = node(3, "dc", "r1");
    TokenRing ring = ring(a, a, b, c);
    ReplicationStrategy two = new ReplicationStrategy.Simple(ReplicationFactor.of(2));
    ReplicaMap map = new ReplicaMap(ring, two, a);
    assertEquals(List.of(a, b), map.replicas(0));
    assertEquals(List.of(a, b), map.replicas(100));
    assertEquals(List.of(b, c), map.replicas(101));
    assertEquals(List.of(c, a), map.replicas(300));
    ReplicationStrategy many = new ReplicationStrategy.Simple(ReplicationFactor.of(7));
    assertEquals(List.of(a, b, c), new ReplicaMap(ring, many, a).replicas(0));
    ReplicationStrategy none = new ReplicationStrategy.Simple(ReplicationFactor.of(0));
    assertEquals(List.of(), new ReplicaMap(ring, none, a).replicas(0));
  }

  @Test
  void aSingleNodeReplicatesEveryRange() {
    RingNode a = node(1, "dc", "r1");
    ReplicationStrategy one = new ReplicationStrategy.Simple(ReplicationFactor.of(1));
    ReplicaMap map = new ReplicaMap(TokenRing.of(Map.of(a, new long[] {0, 100, 200})), one, a);
    for (long token : new long[] {Long.MIN_VALUE, 0, 1, 100, 150, 201, Long.MAX_VALUE}) {
      assertEquals(List.of(a), map.replicas(token));
    }
  }

  @Test
  void unusedRacksArePreferredInEachDatacenter() {
    RingNode a1 = node(1, "a", "r1");
    RingNode a2 = node(2, "a", "r1");
    RingNode a3 = node(3, "a", "r2");
    RingNode b1 = node(4, "b", "r1");
    TokenRing ring = ring(a1, a2, b1, a3);
    ReplicationStrategy twoAndOne = topology(Map.of("a", 2, "b", 1));
    assertEquals(List.of(a1, b1, a3), twoAndOne.replicas(ring, 0, a1));
    assertEquals(List.of(a2, b1, a3), twoAndOne.replicas(ring, 1, a1));
    ReplicationStrategy three = topology(Map.of("a", 3));
    assertEquals(List.of(a1, a2, a3), three.replicas(ring, 0, a1));
    ReplicationStrategy tooMany = topology(Map.of("a", 5, "nowhere", 2));
    assertEquals(List.of(a1, a2, a3), tooMany.replicas(ring, 0, a1));
  }

  @Test
  void localStrategyHasOneReplicaAndEverywhereStrategyAll() {
    RingNode a = node(1, "dc", "r1");
    RingNode b = node(2, "dc", "r1");
    TokenRing ring = ring(a, b);
    assertEquals(List.of(b), new ReplicationStrategy.Local().replicas(ring, 0, b));
    assertEquals(List.of(b, a), new ReplicationStrategy.Everywhere(2).replicas(ring, 1, a));
  }

  @Test
  void levelsRequireAsManyReplicasAsInCassandra() {
    ReplicationStrategy simple = new ReplicationStrategy.Simple(ReplicationFactor.of(3));
    ReplicationStrategy topology = topology(Map.of("a", 3, "b", 4));
    assertEquals(2, ConsistencyLevel.QUORUM.blockFor(simple, "a"));
    assertEquals(2, ConsistencyLevel.LOCAL_QUORUM.blockFor(simple, "a"));
    assertEquals(2, ConsistencyLevel.EACH_QUORUM.blockFor(simple, "a"));
    assertEquals(3, ConsistencyLevel.ALL.blockFor(simple, "a"));
    assertEquals(1, ConsistencyLevel.ANY.blockFor(simple, "a"));
    assertEquals(3, ConsistencyLevel.THREE.blockFor(topology, "a"));
    assertEquals(4, ConsistencyLevel.QUORUM.blockFor(topology, "a"));
    assertEquals(7, ConsistencyLevel.ALL.blockFor(topology, "a"));
    assertEquals(2, ConsistencyLevel.LOCAL_QUORUM.blockFor(topology, "a"));
    assertEquals(3, ConsistencyLevel.LOCAL_SERIAL.blockFor(topology, "b"));
    assertEquals(1, ConsistencyLevel.LOCAL_QUORUM.blockFor(topology, "elsewhere"));
    assertEquals(5, ConsistencyLevel.EACH_QUORUM.blockFor(topology, "a"));
  }

  @Test
  void levelsAreFoundByTheirCodes() {
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      assertEquals(level, ConsistencyLevel.ofCode(level.code()));
    }
    assertNull(ConsistencyLevel.ofCode(0x0C));
    assertNull(ConsistencyLevel.ofCode(-1));
    assertNull(ConsistencyLevel.ofCode(0xFFFF));
  }

  @Test
  void theFirstNodesTokensDivideTheRingEvenly() {
    Random random = seeds.random();
    for (int count : new int[] {1, 2, 3, 16, 256}) {
      long[] tokens = TokenAllocation.firstNode(count, random::nextLong);
      Set<Long> distinct = new HashSet<>();
      for (long token : tokens) {
        assertTrue(distinct.add(token));
        assertTrue(token != Long.MIN_VALUE);
      }
      for (int i = 1; i < count; i++) {
        double part = (double) tokens[i] - (double) tokens[i - 1];
        assertEquals(Math.pow(2, 64) / count, part, Math.pow(2, 64) / count / 1000);
      }
    }
    long[] noMinimum = TokenAllocation.firstNode(1, () -> Long.MIN_VALUE);
    assertEquals(Long.MAX_VALUE, noMinimum[0]);
  }
}
