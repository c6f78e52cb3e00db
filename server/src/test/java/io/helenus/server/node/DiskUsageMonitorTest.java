package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.config.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiskUsageMonitorTest {
  private static final long LARGE_BYTES = 1L << 40;
  private static final String FULL =
      "Guardrail replica_disk_usage violated: Write request failed because disk usage exceeds"
          + " failure threshold";

  private NodeRig rig;

  private void start(String... settings) {
    rig =
        new NodeRig(
            values -> {
              for (int i = 0; i < settings.length; i += 2) {
                values.with(Setting.named(settings[i]), settings[i + 1]);
              }
              return values;
            });
    rig.run("CREATE KEYSPACE g WITH replication = {'class': 'SimpleStrategy'}");
    rig.run("CREATE TABLE g.t (k int, c int, v text, l list<int>, PRIMARY KEY (k, c))");
    rig.run("CREATE TABLE g.n (k int PRIMARY KEY, c counter)");
    for (int k = 0; k < 30; k++) {
      rig.run("INSERT INTO g.t (k, c, v) VALUES (%d, 1, '%s')".formatted(k, "x".repeat(10_000)));
    }
  }

  /** Changes the free space of the disk and waits until that is noticed. */
  private void leaveFree(long bytes) {
    rig.disk.capacity(LARGE_BYTES);
    rig.disk.capacity(LARGE_BYTES - rig.disk.usableBytes() + bytes);
    rig.runForSeconds(31);
  }

  private List<String> warnings() {
    rig.run("INSERT INTO g.t (k, c) VALUES (1, 2)");
    return rig.warnings();
  }

  @Test
  void aStuffedDiskGivesAWarningEveryHalfHour() {
    start("data_disk_usage_percentage_warn_threshold", "10");
    leaveFree(LARGE_BYTES);
    assertEquals(List.of(), warnings());
    leaveFree(1_000_000);
    List<String> warning =
        List.of(
            "Guardrail replica_disk_usage violated: Replica disk usage exceeds warning threshold");
    assertEquals(warning, warnings());
    assertEquals(List.of(), warnings());
    rig.runForSeconds(29 * 60);
    assertEquals(List.of(), warnings());
    rig.runForSeconds(90);
    assertEquals(warning, warnings());
    leaveFree(LARGE_BYTES);
    rig.runForSeconds(31 * 60);
    assertEquals(List.of(), warnings());
  }

  @Test
  void aFullDiskRejectsWritesUntilThereIsRoom() {
    start("data_disk_usage_percentage_fail_threshold", "40");
    leaveFree(1_000_000_000);
    assertEquals(List.of(), warnings());
    leaveFree(600_000);
    for (String write :
        List.of(
            "INSERT INTO g.t (k, c) VALUES (1, 2)",
            "UPDATE g.t SET v = 'x' WHERE k IN (1, 2) AND c = 1",
            "UPDATE g.t SET l[0] = 1 WHERE k = 1 AND c = 1",
            "DELETE FROM g.t WHERE k = 1",
            "UPDATE g.n SET c = c + 1 WHERE k = 1",
            "BEGIN BATCH INSERT INTO g.t (k, c) VALUES (1, 2); APPLY BATCH",
            "BEGIN COUNTER BATCH UPDATE g.n SET c = c + 1 WHERE k = 1; APPLY BATCH",
            "BEGIN BATCH INSERT INTO g.t (k, c) VALUES (1, 2) IF NOT EXISTS; APPLY BATCH")) {
      assertEquals(FULL, rig.failure(write), write);
    }
    rig.run("INSERT INTO g.t (k, c) VALUES (100, 2) IF NOT EXISTS");
    assertEquals(List.of("100,2"), rig.rows("SELECT k, c FROM g.t WHERE k = 100"));
    leaveFree(1_000_000_000);
    assertEquals(List.of(), warnings());
  }

  @Test
  void theDiskIsTakenToHaveTheConfiguredSize() {
    start(
        "data_disk_usage_percentage_fail_threshold", "40",
        "data_disk_usage_max_disk_size", "500KiB");
    rig.runForSeconds(31);
    assertEquals(FULL, rig.failure("INSERT INTO g.t (k, c) VALUES (1, 2)"));
  }
}
