package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.env.sim.SimRandomness;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Server timestamps increase across restarts and clock changes: a later write wins. */
class ServerTimestampsTest {
  private static final long SECOND_MICROS = 1_000_000L;
  private static final long HOUR_MICROS = 3600 * SECOND_MICROS;

  private final NodeRig node = new NodeRig();
  private int value;
  private long timestamp = Long.MIN_VALUE;

  @BeforeEach
  void makeTable() {
    node.run(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    node.run("CREATE TABLE k.t (k int PRIMARY KEY, v int)");
  }

  /** Writes a new value and checks that it is read back; returns its timestamp. */
  private long update() {
    value++;
    node.run("UPDATE k.t SET v = " + value + " WHERE k = 1");
    String[] row = node.rows("SELECT v, WRITETIME(v) FROM k.t").getFirst().split(",");
    assertEquals(Integer.toString(value), row[0], "an earlier write wins");
    long written = Long.parseLong(row[1]);
    assertTrue(written > timestamp, () -> written + " after " + timestamp);
    timestamp = written;
    return written;
  }

  private long wallMicros() {
    return node.world.clock().wallMicros();
  }

  @Test
  void aLaterUpdateWinsAfterAKillAndABackwardClockJump() {
    update();
    node.world.clock().jumpWall(-HOUR_MICROS);
    node.killAndRestart(1);
    update();
  }

  @Test
  void aLaterUpdateWinsAfterAStopAndABackwardClockJump() {
    update();
    node.world.clock().jumpWall(-HOUR_MICROS);
    node.stopAndRestart();
    update();
  }

  @Test
  void aLaterUpdateWinsAfterAPowerLossAndABackwardClockJump() {
    update();
    node.world.clock().jumpWall(-HOUR_MICROS);
    node.losePowerAndRestart();
    update();
  }

  @Test
  void timestampsIncreaseByOneAfterAClockIsSetForwardAndBack() {
    update();
    node.world.clock().jumpWall(HOUR_MICROS);
    update();
    node.runForSeconds(10);
    long ahead = update();
    node.world.clock().jumpWall(-HOUR_MICROS);
    assertEquals(ahead + 1, update());
    node.killAndRestart(1);
    long restarted = update();
    assertEquals(restarted + 1, update());
    node.runForSeconds(3700);
    assertTrue(update() <= wallMicros());
  }

  @Test
  void timestampsFollowTheClockAfterAnIdleHour() {
    update();
    node.runForSeconds(3600);
    long before = wallMicros();
    long written = update();
    assertTrue(written >= before && written <= wallMicros(), () -> written + ", " + before);
  }

  @Test
  void timestampsFollowTheClockAtOnceAfterAStop() {
    update();
    node.stopAndRestart();
    long before = wallMicros();
    long written = update();
    assertTrue(written >= before && written <= wallMicros(), () -> written + ", " + before);
  }

  @Test
  void timestampsAreAheadOfTheClockByTenSecondsAtMostAfterAKill() {
    update();
    node.killAndRestart(0);
    long written = update();
    assertTrue(written <= wallMicros() + 10 * SECOND_MICROS, () -> written + ", " + wallMicros());
    node.runForSeconds(10);
    assertTrue(update() <= wallMicros());
  }

  @Test
  void timestampsAlwaysIncrease() {
    SimRandomness choices = new SimRandomness(11);
    for (int round = 0; round < 60; round++) {
      switch (choices.below(8)) {
        case 0 -> node.killAndRestart(choices.below(20));
        case 1 -> node.losePowerAndRestart();
        case 2 -> node.stopAndRestart();
        case 3 -> node.runForSeconds(choices.below(30));
        case 4 -> node.world.clock().jumpWall(choices.below(20) * SECOND_MICROS);
        case 5 -> node.world.clock().jumpWall(-choices.below(20) * SECOND_MICROS);
        default -> {}
      }
      update();
    }
    assertEquals(List.of(Integer.toString(value)), node.rows("SELECT v FROM k.t"));
  }
}
