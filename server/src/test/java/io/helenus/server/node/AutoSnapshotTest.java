package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.admin.Snapshots.Snapshot;
import io.helenus.server.config.Setting;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Snapshots before DROP and TRUNCATE. */
class AutoSnapshotTest {
  private static NodeRig rig() {
    NodeRig rig =
        new NodeRig(
            settings ->
                settings
                    .with(Setting.AUTO_SNAPSHOT, "true")
                    .with(Setting.MATERIALIZED_VIEWS_ENABLED, "true"));
    rig.run(
        "CREATE KEYSPACE k WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    rig.run("CREATE TABLE k.t (a int PRIMARY KEY, b text)");
    return rig;
  }

  private static NodeRig filled() {
    NodeRig rig = rig();
    rig.run("INSERT INTO k.t (a, b) VALUES (1, 'one')");
    rig.run("INSERT INTO k.t (a, b) VALUES (2, 'two')");
    return rig;
  }

  /** The snapshots as KEYSPACE.TABLE TAG, with the time of the tag replaced by MILLIS. */
  private static List<String> names(NodeRig rig) throws IOException {
    return rig.snapshots().list().stream()
        .map(each -> each.keyspace() + "." + each.table() + " " + withoutTime(each.tag()))
        .toList();
  }

  private static String withoutTime(String tag) {
    return tag.replaceAll("-[0-9]+-", "-MILLIS-");
  }

  private static Snapshot only(NodeRig rig) throws IOException {
    List<Snapshot> all = rig.snapshots().list();
    assertEquals(1, all.size(), all::toString);
    return all.getFirst();
  }

  private static String text(NodeRig rig, String path) throws IOException {
    try (FileSystem.File file = rig.disk.open(path);
        Arena arena = Arena.ofConfined()) {
      return new String(file.map(arena).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
  }

  @Test
  void truncatedRowsAreRestored() throws IOException {
    NodeRig rig = filled();
    rig.run("TRUNCATE k.t");
    assertEquals(List.of(), rig.rows("SELECT * FROM k.t"));
    assertEquals(List.of("k.t truncated-MILLIS-t"), names(rig));
    rig.load(only(rig).folder(), "k", "t");
    assertEquals(List.of("1,one", "2,two"), rig.rows("SELECT * FROM k.t"));
  }

  @Test
  void aDroppedTableIsRestoredByItsSchema() throws IOException {
    NodeRig rig = filled();
    rig.run("DROP TABLE k.t");
    assertEquals(List.of("k.t dropped-MILLIS-t"), names(rig));
    for (String each : text(rig, only(rig).folder() + "/schema.cql").split(";\n")) {
      rig.run(each);
    }
    rig.load(only(rig).folder(), "k", "t");
    assertEquals(List.of("1,one", "2,two"), rig.rows("SELECT * FROM k.t"));
  }

  @Test
  void aDroppedKeyspaceHasASnapshotOfEachTableWithData() throws IOException {
    NodeRig rig = filled();
    rig.run("CREATE TABLE k.empty (a int PRIMARY KEY)");
    rig.run("CREATE TABLE k.exempt (a int PRIMARY KEY) WITH allow_auto_snapshot = false");
    rig.run("INSERT INTO k.exempt (a) VALUES (1)");
    rig.run("CREATE TABLE k.u (a int PRIMARY KEY)");
    rig.run("INSERT INTO k.u (a) VALUES (1)");
    rig.run("DROP KEYSPACE k");
    assertEquals(List.of("k.t dropped-MILLIS-t", "k.u dropped-MILLIS-u"), names(rig));
  }

  @Test
  void viewsAreTruncatedAfterASnapshotToo() throws IOException {
    NodeRig rig = rig();
    rig.run(
        "CREATE MATERIALIZED VIEW k.v AS SELECT * FROM k.t WHERE a IS NOT NULL AND b IS NOT NULL"
            + " PRIMARY KEY (b, a)");
    rig.run("INSERT INTO k.t (a, b) VALUES (1, 'one')");
    rig.run("TRUNCATE k.t");
    assertEquals(List.of("k.t truncated-MILLIS-t", "k.v truncated-MILLIS-v"), names(rig));
  }

  @Test
  void noneIsTakenOfATableWithoutData() throws IOException {
    NodeRig rig = rig();
    rig.run("TRUNCATE k.t");
    rig.run("DROP TABLE k.t");
    assertEquals(List.of(), names(rig));
  }

  @Test
  void noneIsTakenForARefusedStatement() throws IOException {
    NodeRig rig = rig();
    rig.run(
        "CREATE MATERIALIZED VIEW k.v AS SELECT * FROM k.t WHERE a IS NOT NULL AND b IS NOT NULL"
            + " PRIMARY KEY (b, a)");
    rig.run("INSERT INTO k.t (a, b) VALUES (1, 'one')");
    rig.failure("DROP TABLE k.t");
    rig.failure("DROP TABLE k.nope");
    rig.run("DROP TABLE IF EXISTS k.nope");
    assertEquals(List.of(), names(rig));
  }

  @Test
  void noneIsTakenIfSwitchedOff() throws IOException {
    NodeRig rig = new NodeRig();
    rig.run(
        "CREATE KEYSPACE k WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    rig.run("CREATE TABLE k.t (a int PRIMARY KEY)");
    rig.run("INSERT INTO k.t (a) VALUES (1)");
    rig.run("TRUNCATE k.t");
    assertEquals(List.of(), names(rig));
  }

  @Test
  void withoutTheSnapshotNothingIsRemoved() throws IOException {
    NodeRig rig = filled();
    rig.faults.snapshotFailure = "no space left on device";
    assertEquals(
        "Error during truncate: Cannot take a snapshot of k.t: no space left on device",
        rig.failure("TRUNCATE k.t"));
    assertEquals(
        "The change was not made: Cannot take a snapshot of k.t: no space left on device",
        rig.failure("DROP TABLE k.t"));
    assertEquals(List.of("1,one", "2,two"), rig.rows("SELECT * FROM k.t"));
    assertEquals(List.of(), names(rig));
    rig.faults.snapshotFailure = null;
    rig.run("DROP TABLE k.t");
    assertEquals(List.of("k.t dropped-MILLIS-t"), names(rig));
  }
}
