package io.helenus.storage.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.memory.SlabPool;
import io.helenus.storage.memtable.TermTree;
import io.helenus.storage.run.EntryCursor;
import io.helenus.storage.testing.Seeds;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The keys that an index finds, from random entries in several runs, compared with a sorted set.
 */
class CandidatesTest {
  private static final int TERMS = 6;
  private static final int KEYS = 300;
  private static final int PREFIX_BYTES = 3;

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private final SlabPool pool = new SlabPool(Arena.ofAuto());

  /** A term of two bytes, the last of which may be 0xFF, and the key of a row. */
  private record TermAndKey(int term, int key) {}

  private static int termValue(int term) {
    return 0x40F0 + 3 * term;
  }

  @Test
  void keysComeInOrderAndOnce() throws Exception {
    seeds.each(300, this::compare);
  }

  private void compare(long seed) {
    SimRandomness random = new SimRandomness(seed);
    List<TermTree> runs = new ArrayList<>();
    List<TermAndKey> entries = new ArrayList<>();
    for (int run = random.below(4); run >= 0; run--) {
      runs.add(run(random, entries));
    }
    int from = random.below(TERMS);
    int to = random.percent(50) ? from + 1 : from + 1 + random.below(TERMS);
    boolean partition = random.percent(20);
    int lower = random.below(KEYS);
    int upper = random.percent(30) ? KEYS : lower + random.below(KEYS);
    ReadRequest request = new ReadRequest().reset(1, 0);
    ByteWriter first = new ByteWriter(16).putInt(key(lower));
    ByteWriter last = new ByteWriter(16).putInt(key(upper));
    if (partition) {
      request.partition(first.segment(), 0, PREFIX_BYTES);
    } else {
      request.partitions(first.segment(), 0, 4, last.segment(), 0, upper == KEYS ? 0 : 4);
    }
    ByteWriter lowest = new ByteWriter(16).putShort(termValue(from));
    boolean one = to == from + 1;
    ByteWriter highest = new ByteWriter(16).putShort(one ? termValue(from) + 1 : termValue(to));
    request.index(9, lowest.segment(), 0, 2, highest.segment(), 0, 2);
    IndexRange range = new IndexRange(request);
    assertEquals(one, range.isOneTerm());
    TreeSet<Integer> expected = new TreeSet<>();
    for (TermAndKey entry : entries) {
      boolean isWanted =
          partition
              ? key(entry.key) >>> 8 == key(lower) >>> 8
              : entry.key >= lower && (upper == KEYS || entry.key < upper);
      if (entry.term >= from && entry.term < to && isWanted) {
        expected.add(key(entry.key));
      }
    }
    List<EntryCursor> cursors = runs.stream().map(TermTree::cursor).toList();
    Candidates candidates =
        one && random.percent(70)
            ? new TermCandidates(cursors, range)
            : new CollectedCandidates(
                cursors, range, pool, () -> random.percent(10), 1 + random.below(20), 100_000);
    assertEquals(List.copyOf(expected), drain(candidates));
  }

  private TermTree run(SimRandomness random, List<TermAndKey> entries) {
    TermTree run = new TermTree(pool);
    for (int i = random.below(120); i > 0; i--) {
      TermAndKey entry = new TermAndKey(random.below(TERMS), random.below(KEYS));
      entries.add(entry);
      add(run, entry);
    }
    return run;
  }

  private static void add(TermTree run, TermAndKey entry) {
    ByteWriter bytes = new ByteWriter(16).putShort(termValue(entry.term)).putInt(key(entry.key));
    run.add(bytes, 2 + PREFIX_BYTES, 2);
  }

  /** Sixteen keys share a prefix of three bytes. */
  private static int key(int number) {
    return (number / 16) << 8 | number % 16;
  }

  private static List<Integer> drain(Candidates candidates) {
    List<Integer> keys = new ArrayList<>();
    try (candidates) {
      Candidates.Step step = candidates.next();
      while (step != Candidates.Step.END) {
        if (step == Candidates.Step.READY) {
          assertEquals(PREFIX_BYTES, candidates.prefixLength());
          keys.add(Bytes.getInt(candidates.key().segment(), 0));
        } else {
          assertEquals(Candidates.Step.YIELD, step);
        }
        step = candidates.next();
      }
    }
    return keys;
  }

  @Test
  void tooManyEntriesAreLeftToAReadOfAllRows() {
    TermTree run = new TermTree(pool);
    for (int key = 0; key < 12; key++) {
      add(run, new TermAndKey(key % 3, key));
    }
    ReadRequest request = new ReadRequest().reset(1, 0);
    ByteWriter none = new ByteWriter(16);
    request.index(9, none.segment(), 0, 0, none.segment(), 0, 0);
    IndexRange range = new IndexRange(request);
    try (Candidates candidates =
        new CollectedCandidates(List.of(run.cursor()), range, pool, () -> false, 5, 11)) {
      assertEquals(Candidates.Step.TOO_MANY, candidates.next());
    }
    try (Candidates candidates =
        new CollectedCandidates(List.of(run.cursor()), range, pool, () -> false, 5, 12)) {
      assertEquals(12, drain(candidates).size());
    }
  }

  @Test
  void theNextByteStringMakesOneTerm() {
    assertTrue(isOneTerm("40", "41"));
    assertTrue(isOneTerm("40FF", "4100"));
    assertTrue(isOneTerm("40FFFF", "410000"));
    assertFalse(isOneTerm("40FF", "4101"));
    assertFalse(isOneTerm("40", "42"));
    assertFalse(isOneTerm("40", "40"));
    assertFalse(isOneTerm("4001", "41"));
    assertFalse(isOneTerm("FF", "00"));
    assertFalse(isOneTerm("", ""));
    assertFalse(isOneTerm("40", ""));
  }

  private static boolean isOneTerm(String lower, String upper) {
    ByteWriter from = new ByteWriter(16).putBytes(java.util.HexFormat.of().parseHex(lower));
    ByteWriter to = new ByteWriter(16).putBytes(java.util.HexFormat.of().parseHex(upper));
    ReadRequest request = new ReadRequest().reset(1, 0);
    request.index(1, from.segment(), 0, from.size(), to.segment(), 0, to.size());
    return new IndexRange(request).isOneTerm();
  }
}
