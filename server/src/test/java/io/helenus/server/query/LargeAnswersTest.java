package io.helenus.server.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlError;
import io.helenus.storage.memory.AnswerMemory;
import io.helenus.storage.memory.MemoryShare;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.helenus.storage.memory.PageDiscard;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Results of several chunks, and what happens when their memory is used up. */
class LargeAnswersTest {
  private static final int SHARE_BYTES = 4 << 20;
  private static final int CHUNK_BYTES = 256 << 10;

  private final NodeMemory memory =
      new NodeMemory(Map.of(Use.ANSWERS, (long) SHARE_BYTES), PageDiscard.NONE, 1 << 20);
  private final MemoryShare share = memory.share(Use.ANSWERS);
  private final QueryFixture cql = new QueryFixture(null, 1 << 20, memory);

  /** Two partitions of as many rows, whose values end with their position. */
  private void fill(int rows, int valueBytes) {
    cql.run(
        "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    cql.run("CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c))");
    for (int k = 0; k < 2; k++) {
      for (int c = 0; c < rows; c++) {
        cql.run("INSERT INTO ks.t (k, c, v) VALUES (?, ?, ?)", k, c, value(k, c, valueBytes));
      }
    }
  }

  private static String value(int k, int c, int bytes) {
    String end = " " + k + " " + c;
    return "v".repeat(Math.max(0, bytes - end.length())) + end;
  }

  private void requireNothingUsed() {
    assertEquals(0, share.usedBytes());
  }

  @Test
  void anAnswerOfSeveralChunksIsComplete() {
    for (int[] sizes : new int[][] {{700, 1000}, {3, 300_000}, {40, 27_000}, {1, 600_000}}) {
      QueryFixture.Answer answer = filledAnew(sizes, "SELECT c, v FROM ks.t WHERE k = 1");
      assertEquals(sizes[0], answer.rows().size());
      for (int c = 0; c < sizes[0]; c++) {
        assertEquals(
            value(1, c, sizes[1]), new String(answer.rows().get(c).get(1), StandardCharsets.UTF_8));
      }
      requireNothingUsed();
      cql.run("DROP KEYSPACE ks");
    }
    assertTrue(share.highWaterBytes() > 2 * CHUNK_BYTES);
  }

  private QueryFixture.Answer filledAnew(int[] sizes, String select) {
    fill(sizes[0], sizes[1]);
    return cql.run(select);
  }

  @Test
  void largeAnswersAreSorted() {
    fill(100, 5000);
    List<List<byte[]>> rows =
        cql.run("SELECT c, v FROM ks.t WHERE k IN (0, 1) ORDER BY c DESC LIMIT 150").rows();
    assertEquals(150, rows.size());
    for (int i = 0; i < rows.size(); i++) {
      assertEquals(
          value(i % 2, 99 - i / 2, 5000), new String(rows.get(i).get(1), StandardCharsets.UTF_8));
    }
    List<List<byte[]>> few =
        cql.run("SELECT c, v FROM ks.t WHERE k IN (0, 1) ORDER BY c DESC LIMIT 3").rows();
    assertEquals(value(0, 98, 5000), new String(few.get(2).get(1), StandardCharsets.UTF_8));
    requireNothingUsed();
  }

  @Test
  void anAnswerAboveTheShareIsRefusedAndItsPagesAreNot() {
    fill(1000, 3000);
    CqlError error = cql.tryRun("SELECT c, v FROM ks.t", -1, null).error();
    CqlError.ReadFailure failure = assertInstanceOf(CqlError.ReadFailure.class, error);
    assertEquals(
        "Read on table ks.t has exceeded the size failure threshold of 4,194,304 bytes; use paging"
            + " or a smaller LIMIT, or raise memory",
        failure.message());
    assertEquals(4, failure.failures().getFirst().reasonCode());
    requireNothingUsed();
    assertEquals(2000, pagedRows(10_000));
    assertEquals(1000, cql.run("SELECT c, v FROM ks.t WHERE k = 1").rows().size());
    requireNothingUsed();
  }

  private int pagedRows(int pageSize) {
    int rows = 0;
    byte[] state = null;
    do {
      QueryFixture.Answer page = cql.tryRun("SELECT c, v FROM ks.t", pageSize, state);
      assertEquals(null, page.error());
      rows += page.rows().size();
      state = page.pagingState();
    } while (state != null);
    return rows;
  }

  @Test
  void theMemoryOfAReadThatFailsIsGivenBackAtOnce() {
    fill(700, 1000);
    cql.replica.readFailure = new IllegalStateException("damaged");
    CqlError error = cql.tryRun("SELECT c, v FROM ks.t WHERE k = 1", -1, null).error();
    assertInstanceOf(CqlError.ReadFailure.class, error);
    assertTrue(share.highWaterBytes() > 700_000);
    requireNothingUsed();
  }

  @Test
  void whileOthersHaveTheShareReadsAreRefusedOrTheirPagesEnd() {
    fill(500, 1000);
    AnswerMemory.Answer other = memory.answers().answer();
    other.begin();
    List<MemorySegment> taken = new ArrayList<>();
    while (share.usedBytes() < SHARE_BYTES) {
      taken.add(other.take(CHUNK_BYTES));
    }
    CqlError error = cql.tryRun("SELECT c, v FROM ks.t", -1, null).error();
    assertEquals(
        "Large answers take 4 MiB of 4 MiB (see memory), of which one at a time may take more than"
            + " half; use paging, or retry later",
        assertInstanceOf(CqlError.Overloaded.class, error).message());
    QueryFixture.Answer page = cql.tryRun("SELECT c, v FROM ks.t", 5000, null);
    assertNotNull(page.pagingState());
    assertTrue(page.rows().size() >= 10, "rows of a small page: " + page.rows().size());
    assertEquals(1000, pagedRows(5000));
    assertEquals(1, cql.run("SELECT v FROM ks.t WHERE k = 0 AND c = 1").rows().size());
    assertEquals(SHARE_BYTES, share.usedBytes());
    taken.forEach(other::giveBack);
    other.end();
    assertEquals(1000, cql.run("SELECT c, v FROM ks.t").rows().size());
    requireNothingUsed();
  }

  @Test
  void oneAnswerAtATimeTakesMoreThanHalf() {
    AnswerMemory.Answer first = memory.answers().answer();
    AnswerMemory.Answer second = memory.answers().answer();
    first.begin();
    second.begin();
    List<MemorySegment> taken = new ArrayList<>();
    while (share.usedBytes() < SHARE_BYTES / 2) {
      taken.add(first.take(CHUNK_BYTES));
    }
    MemorySegment beyond = first.take(CHUNK_BYTES);
    assertTrue(isRefused(second), "while the first answer takes more than half");
    first.end();
    second.take(CHUNK_BYTES);
    assertTrue(isRefused(first), "while the second answer does");
    second.abandon();
    assertTrue(isRefused(second), "after it was abandoned");
    first.giveBack(beyond);
    first.take(CHUNK_BYTES);
  }

  private static boolean isRefused(AnswerMemory.Answer answer) {
    try {
      answer.take(CHUNK_BYTES);
      return false;
    } catch (io.helenus.storage.memory.ShareExhaustedException e) {
      return !e.isTooLarge();
    }
  }
}
