package io.helenus.server.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.Response;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import io.helenus.storage.env.sim.SimulatedCrash;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Crashes of a node at every operation on files of the creation and build of a materialized view,
 * of its DROP, and of the TRUNCATE of its table. After a start a view that exists is built and
 * shows what its table has; of one that does not exist, nothing is left.
 */
class ViewCrashesTest {
  private static final String CREATE =
      "CREATE MATERIALIZED VIEW s.by_v AS SELECT p, c, v, m FROM s.t WHERE v IS NOT NULL"
          + " AND p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (v, p, c)";
  private static final String COLUMNS = "SELECT v, p, c, m, writetime(m), ttl(m) FROM s.";
  private static final int LAST_TABLE_ID = 200;
  private static final int PARTITIONS = 5;
  private static final long SECOND = 1_000_000_000L;
  private static final int BUILD_SECONDS = 60;

  private SimWorld world = new SimWorld(0);
  private SimFileSystem disk = new SimFileSystem(new SimRandomness(0));
  private @Nullable SimNode node;

  private SimNode node() {
    SimNode running = node;
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    return running;
  }

  private void start(int shards) {
    node = new SimNode(world, disk, shards, SyncMode.BATCH, SimNode.Hooks.NONE);
  }

  private Response require(String cql) {
    Response[] answer = new Response[1];
    Runnable unused = node().query(0, SimNode.Query.of(cql), response -> answer[0] = response);
    assert unused != null;
    node().await(() -> answer[0] != null);
    assertTrue(
        answer[0] != null && !(answer[0] instanceof Response.Failure),
        () -> cql + ": " + answer[0]);
    return answer[0];
  }

  /** The rows of a SELECT, those whose first value is null excepted. */
  private Set<String> rows(String cql) {
    Set<String> rows = new TreeSet<>();
    for (List<byte @Nullable []> row : ((Response.Rows) require(cql)).rows()) {
      List<String> texts = new ArrayList<>();
      for (byte[] value : row) {
        texts.add(value == null ? "" : HexFormat.of().formatHex(value));
      }
      if (!texts.getFirst().isEmpty()) {
        assertTrue(rows.add(String.join(" ", texts)), () -> cql + ": twice " + texts);
      }
    }
    return rows;
  }

  private int count(String from) {
    return rows("SELECT view_name FROM " + from).size();
  }

  private boolean exists() {
    return count("system_schema.views WHERE keyspace_name = 's'") > 0;
  }

  private void awaitBuilt() {
    for (int i = 0; count("system.built_views WHERE keyspace_name = 's'") == 0; i++) {
      assertTrue(i < BUILD_SECONDS, "the view is not built");
      world.runFor(SECOND);
    }
  }

  private void write(int first) {
    for (int i = first; i < first + 2 * PARTITIONS; i++) {
      require(
          "INSERT INTO s.t (p, c, v, m) VALUES (%d, %d, %s, {%d: 0}) USING TIMESTAMP %d%s"
              .formatted(
                  i % PARTITIONS,
                  i % 3,
                  i % 4 == 0 ? "null" : i % 3,
                  i,
                  i,
                  i % 5 == 0 ? " AND TTL 10000" : ""));
    }
    require("DELETE FROM s.t USING TIMESTAMP " + first + " WHERE p = 1");
  }

  private interface Scenario {
    /** Runs until it has ended or the node crashes; says what has been acknowledged. */
    void run(Runnable acknowledged);
  }

  /**
   * Crashes at one of the operations of a scenario, starts twice and checks the view and the files.
   *
   * @param existsBefore whether there is a view when the scenario begins
   * @param existsAfter whether there must be one when it has been acknowledged
   * @return whether the scenario crashed before its end
   */
  private boolean crashAt(
      int operation,
      boolean powerLoss,
      boolean existsBefore,
      Scenario scenario,
      boolean existsAfter) {
    world = new SimWorld(operation);
    disk = new SimFileSystem(new SimRandomness(operation));
    start(2);
    require(
        "CREATE KEYSPACE s WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    require("CREATE TABLE s.t (p int, c int, v int, m map<int, int>, PRIMARY KEY (p, c))");
    if (existsBefore) {
      require(CREATE);
      awaitBuilt();
    }
    write(0);
    node().flush();
    world.runFor(SECOND);
    write(7);
    boolean[] acknowledged = new boolean[1];
    boolean stopped = false;
    disk.crashAfter(operation);
    try {
      scenario.run(() -> acknowledged[0] = true);
    } catch (SimulatedCrash crash) {
      stopped = true;
    }
    String text = "operation " + operation + (powerLoss ? ", power loss" : ", kill");
    for (int i = 0; i < 2; i++) {
      world.forgetTasks();
      if (powerLoss) {
        disk.losePower();
      } else {
        disk.killProcess();
      }
      start(1 + (operation + i) % 3);
      if (acknowledged[0]) {
        assertEquals(existsAfter, exists(), text);
      }
      check(text);
    }
    // nothing that an earlier view of the name has left shows in a later one
    if (exists()) {
      require("DROP MATERIALIZED VIEW s.by_v");
      check(text + ", after DROP");
    }
    require(CREATE);
    check(text + ", after CREATE");
    node().stop();
    return stopped;
  }

  private void check(String text) {
    if (exists()) {
      awaitBuilt();
      assertEquals(rows(COLUMNS + "t"), rows(COLUMNS + "by_v"), text);
    } else {
      world.runFor(SECOND);
      assertEquals(0, count("system.built_views WHERE keyspace_name = 's'"), text);
      assertEquals(0, count("system_distributed.view_build_status"), text);
    }
    assertEquals(0, count("system.view_builds_in_progress WHERE keyspace_name = 's'"), text);
    CompletableFuture<Void> compacted = node().compact();
    node().await(compacted::isDone);
    world.runFor(SECOND);
    FileChecks.requireNoOthers(disk.paths(), node().liveFiles(LAST_TABLE_ID), 0);
  }

  private int crashEverywhere(boolean existsBefore, Scenario scenario, boolean existsAfter) {
    int most = 0;
    for (boolean powerLoss : new boolean[] {false, true}) {
      int operation = 1;
      while (crashAt(operation, powerLoss, existsBefore, scenario, existsAfter)) {
        operation++;
      }
      most = Math.max(most, operation - 1);
    }
    return most;
  }

  @Test
  void aBuildThatIsInterruptedAtAnyOperationIsCompletedOrUndone() {
    Scenario build =
        acknowledged -> {
          require(CREATE);
          acknowledged.run();
          awaitBuilt();
          world.runFor(SECOND);
        };
    int operations = crashEverywhere(false, build, true);
    assertTrue(operations > 8, operations + " operations");
  }

  @Test
  void aDropThatIsInterruptedAtAnyOperationLeavesNothingOrTheWholeView() {
    Scenario drop =
        acknowledged -> {
          require("DROP MATERIALIZED VIEW s.by_v");
          acknowledged.run();
          world.runFor(SECOND);
        };
    int operations = crashEverywhere(true, drop, false);
    assertTrue(operations > 4, operations + " operations");
  }

  @Test
  void aTruncateThatIsInterruptedAtAnyOperationEmptiesTableAndViewOrNeither() {
    Scenario truncate =
        acknowledged -> {
          require("TRUNCATE s.t");
          acknowledged.run();
          world.runFor(SECOND);
        };
    int operations = crashEverywhere(true, truncate, true);
    assertTrue(operations > 2, operations + " operations");
  }
}
