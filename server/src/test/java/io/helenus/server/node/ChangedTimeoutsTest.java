package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.coordinator.Timeouts;
import io.helenus.server.metrics.RequestCounts;
import io.helenus.server.metrics.RequestKind;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Timeouts that are changed while the node runs. */
class ChangedTimeoutsTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private final NodeRig node = new NodeRig();

  private static Timeouts writes(long seconds) {
    long nanos = seconds * SECOND_NANOS;
    return new Timeouts(nanos, nanos, nanos, nanos, nanos, nanos);
  }

  @BeforeEach
  void define() {
    node.run(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    node.run("CREATE TABLE k.t (a int PRIMARY KEY, b int)");
    node.faults.heldTable = node.tableId(0);
  }

  private long secondsOfAWrite() {
    long start = node.world.clock().nanos();
    String failure = node.failure("INSERT INTO k.t (a, b) VALUES (1, 1)");
    assertTrue(failure.contains("timed out"), failure);
    return (node.world.clock().nanos() - start) / SECOND_NANOS;
  }

  @Test
  void laterRequestsHaveTheNewTimeout() {
    for (long seconds : List.of(7L, 1L, 30L)) {
      node.timeouts(writes(seconds));
      assertEquals(seconds, secondsOfAWrite());
    }
  }

  @Test
  void requestsInProgressHaveTheNewTimeoutToo() {
    node.timeouts(writes(100));
    node.world.scheduler("change").schedule(() -> node.timeouts(writes(5)), 3 * SECOND_NANOS);
    assertEquals(5, secondsOfAWrite());
    node.world.scheduler("change").schedule(() -> node.timeouts(writes(9)), 4 * SECOND_NANOS);
    assertEquals(9, secondsOfAWrite());
  }

  @Test
  void timeoutsAreCounted() {
    node.timeouts(writes(5));
    secondsOfAWrite();
    secondsOfAWrite();
    RequestCounts counts =
        Objects.requireNonNull(
            node.measurements().counts().requests().get(RequestKind.WRITE), "writes");
    assertEquals(2, counts.timeouts());
    assertEquals(0, counts.failures());
    assertEquals(0, counts.dropped(), "a write is carried out later");
    assertEquals(2, counts.latencies().count());
    assertEquals(10 * SECOND_NANOS, counts.latencies().sumNanos(), SECOND_NANOS);
  }
}
