package io.helenus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.cluster.FailureDetector.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FailureDetectorTest {
  private static final long MS = 1_000_000L;
  private static final UUID A = new UUID(0, 1);
  private static final UUID B = new UUID(0, 2);

  private long now = 5_000_000_000L;
  private final FailureDetector detector = new FailureDetector(8, 1000 * MS, now);
  private final List<String> changes = new ArrayList<>();

  private void note(List<Change> some) {
    for (Change change : some) {
      String who = change.host().equals(A) ? "A" : "B";
      changes.add(who + (change.alive() ? " up" : " down: " + change.reason()));
    }
  }

  private List<String> changes() {
    List<String> taken = List.copyOf(changes);
    changes.clear();
    return taken;
  }

  /** Seconds with a tick each, in which these hosts send heartbeats. */
  private void seconds(int count, UUID... sending) {
    for (int i = 0; i < count; i++) {
      now += 1000 * MS;
      for (UUID host : sending) {
        note(detector.heard(host, now));
      }
      note(detector.tick(now));
    }
  }

  private void connectBoth() {
    note(detector.connected(A, now));
    note(detector.connected(B, now));
    assertEquals(List.of("A up", "B up"), changes());
  }

  /** 8 · ln 10 = 18.42 intervals, as Cassandra convicts. */
  @Test
  void aSilentHostIsConvictedOnceAndRestoredOnce() {
    connectBoth();
    seconds(FailureDetector.WINDOW + 10, A, B);
    seconds(18, A);
    assertEquals(List.of(), changes());
    assertEquals(18 / Math.log(10), detector.phis(now).get(B), 1e-9);
    assertEquals(0, detector.phis(now).get(A), 1e-9);
    seconds(1, A);
    assertEquals(List.of("B down: nothing was heard for 19000 ms"), changes());
    assertFalse(detector.isAlive(B));
    seconds(5, A);
    assertEquals(List.of(), changes());
    seconds(3, A, B);
    assertEquals(List.of("B up"), changes());
    assertTrue(detector.isAlive(B));
  }

  @Test
  void theFirstIntervalIsTakenForTwiceThatOfHeartbeats() {
    note(detector.connected(A, now));
    seconds(36);
    assertEquals(List.of("A up"), changes());
    seconds(1);
    assertEquals(List.of("A down: nothing was heard for 37000 ms"), changes());
  }

  @Test
  void aBusyTimeDoesNotShortenTheSilenceThatIsTolerated() {
    connectBoth();
    for (int i = 0; i < 2_000_000; i++) {
      now += MS;
      note(detector.heard(A, now));
      note(i % 1000 == 0 ? detector.tick(now) : List.of());
    }
    seconds(18);
    assertFalse(changes().stream().anyMatch(change -> change.startsWith("A")));
    seconds(1);
    assertTrue(changes().stream().anyMatch(change -> change.startsWith("A down")));
  }

  @Test
  void heartbeatsThatComeEarlyCountAsMuchAsOthers() {
    note(detector.connected(A, now));
    for (int i = 0; i < 3000; i++) {
      now += 990 * MS;
      note(detector.heard(A, now));
      note(detector.tick(now));
    }
    assertEquals(18 / Math.log(10), detector.phis(now + 2000 * MS).get(A) * 9, 0.1);
  }

  @Test
  void aHostIsDownAtOnceWhenItsLastLinkBreaks() {
    connectBoth();
    note(detector.connected(A, now));
    note(detector.broken(A, "reset"));
    assertEquals(List.of(), changes());
    note(detector.broken(A, "connection reset"));
    assertEquals(List.of("A down: connection reset"), changes());
    assertEquals(Long.MAX_VALUE, detector.silentNanos(A, now));
    note(detector.heard(A, now + MS));
    note(detector.broken(A, "again"));
    note(detector.tick(now + 100_000 * MS));
    assertEquals(List.of(), changes());
    note(detector.connected(A, now + 2 * MS));
    assertEquals(List.of("A up"), changes());
  }

  @Test
  void aPauseOfThisNodeConvictsNobody() {
    connectBoth();
    seconds(20, A, B);
    now += 600_000 * MS;
    note(detector.tick(now));
    assertEquals(List.of(), changes());
    assertEquals(2000 * MS, detector.silentNanos(A, now));
    // however often it pauses, who is silent is convicted in the end
    for (int i = 0; i < 12; i++) {
      now += 60_000 * MS;
      note(detector.heard(A, now));
      note(detector.tick(now));
    }
    assertEquals(1, changes.size());
    assertTrue(changes().getFirst().startsWith("B down"));
  }

  /** The detector is asked before the tick that is late, too. */
  @Test
  void whatArrivesAfterAPauseCountsBeforeTheTick() {
    connectBoth();
    seconds(20, A, B);
    now += 30_000 * MS;
    assertTrue(detector.phis(now).get(A) < 1);
    note(detector.heard(A, now));
    note(detector.tick(now));
    assertEquals(0, detector.phis(now).get(A), 1e-9);
    assertEquals(List.of(), changes());
  }

  @Test
  void unknownHostsAreDownAndForgottenOnesToo() {
    assertFalse(detector.isAlive(A));
    note(detector.heard(A, now));
    note(detector.broken(A, "never there"));
    assertEquals(List.of(), changes());
    connectBoth();
    detector.forget(A);
    assertFalse(detector.isAlive(A));
    assertEquals(1, detector.phis(now).size());
  }
}
