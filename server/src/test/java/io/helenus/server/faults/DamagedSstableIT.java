package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.process.ServerProcess;
import io.helenus.storage.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flips one bit in every block and in every other part of an SSTable: reads of it fail, the log
 * names the file and offset, no wrong row is ever returned, and everything else keeps working.
 */
class DamagedSstableIT {
  @RegisterExtension final Seeds seeds = Seeds.from(20261121);

  private static final int ROWS = 400;
  private static final int PAGE_ROWS = 50;
  private static final int READ_FAILURE = 0x1300;

  /** A cache so small that blocks are always read from the file. */
  private static final List<String> OPTIONS = List.of("-Dshards=1", "-Dblock_cache_size=0B");

  @TempDir private static Path folder;
  private static DataFolder stopped;
  private static Path damagedTable;
  private static SstableLayout layout;

  @BeforeAll
  static void stopANodeWithAllItsRowsInFiles() {
    stopped = new DataFolder(folder.resolve("stopped"));
    try (ServerProcess server =
            ServerProcess.start(stopped.path(), ServerProcess.freePort(), OPTIONS);
        CqlClient client = server.connect()) {
      DataFolder.run(
          client,
          "CREATE KEYSPACE flip WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      DataFolder.run(client, "CREATE TABLE flip.other (k int PRIMARY KEY)");
      DataFolder.run(client, "INSERT INTO flip.other (k) VALUES (7)");
      DataFolder.run(client, "CREATE TABLE flip.t (k int, c int, v text, PRIMARY KEY (k, c))");
      for (int n = 0; n < ROWS; n++) {
        DataFolder.run(
            client,
            "INSERT INTO flip.t (k, c, v) VALUES ("
                + n / 20
                + ", "
                + n % 20
                + ", '"
                + value(n)
                + "')");
      }
      assertEquals(0, server.terminate());
    }
    List<Path> files = stopped.files("sstables", ".sst");
    assertEquals(2, files.size());
    Path larger =
        DataFolder.read(files.get(0)).capacity() > DataFolder.read(files.get(1)).capacity()
            ? files.get(0)
            : files.get(1);
    damagedTable = stopped.path().relativize(larger);
    layout = SstableLayout.read(DataFolder.read(larger));
    assertTrue(layout.blocks().size() > 10, layout::toString);
  }

  /** A value that compresses badly and identifies the row. */
  private static String value(int n) {
    Random random = new Random(n);
    StringBuilder text = new StringBuilder(n + " ");
    while (text.length() < 600) {
      text.append(Long.toString(random.nextLong(), 36));
    }
    return text.toString();
  }

  @Test
  void aBitFlippedInAnyBlockIsAnErrorThatNamesFileAndOffset() {
    Random random = seeds.random();
    DataFolder data = stopped.copyTo(folder.resolve("blocks"));
    Path file = data.path().resolve(damagedTable);
    try (ServerProcess server =
            ServerProcess.start(data.path(), ServerProcess.freePort(), OPTIONS);
        CqlClient client = server.connect()) {
      assertEquals(ROWS, readAll(client));
      for (SstableLayout.Part block : layout.blocks()) {
        long at = block.offset() + random.nextInt(block.length());
        int bit = random.nextInt(8);
        String where = "bit " + bit + " of byte " + at + " in " + block;
        DataFolder.flip(file, at, bit);
        // evict the blocks read last by reading the other table
        assertOtherTableAnswers(client);
        int logged = server.log().length();
        assertTrue(readAll(client) < 0, where + " is not detected");
        String log = server.log().substring(logged);
        assertTrue(log.contains(damagedTable + " is damaged"), where + ": " + log);
        assertTrue(log.contains(" offset " + block.offset() + " "), where + ": " + log);
        assertOtherTableAnswers(client);
        DataFolder.flip(file, at, bit);
        assertEquals(ROWS, readAll(client), where + " after it was repaired");
      }
      assertEquals(0, server.terminate());
    }
  }

  @Test
  void aBitFlippedInAnyOtherPartIsDetectedAtStartOrByARead() {
    Random random = seeds.random();
    layout
        .others()
        .forEach(
            (name, part) -> {
              DataFolder data = stopped.copyTo(folder.resolve("others"));
              long at = part.offset() + random.nextInt(part.length());
              DataFolder.flip(data.path().resolve(damagedTable), at, random.nextInt(8));
              if (name.equals("filter")) {
                assertFilterFailsReads(data, part);
              } else {
                ServerProcess.ExitResult refusal = ServerProcess.startRefused(data.path(), OPTIONS);
                assertEquals(1, refusal.exitCode(), name + ": " + refusal.output());
                assertTrue(
                    refusal.output().contains(damagedTable.toString())
                        && refusal.output().contains("offset "),
                    name + ": " + refusal.output());
              }
            });
  }

  @Test
  void verifyListsAllDamageOfAStoppedNode() {
    DataFolder data = stopped.copyTo(folder.resolve("verified"));
    ServerProcess.ExitResult sound = ServerProcess.verify(data.path());
    assertEquals(0, sound.exitCode(), sound.output());
    assertTrue(sound.output().contains("2 SSTables"), sound.output());
    Path file = data.path().resolve(damagedTable);
    List<SstableLayout.Part> places = new ArrayList<>(layout.blocks());
    places.removeLast(); // the index block, which is needed to find the others
    places.add(layout.others().get("filter"));
    for (SstableLayout.Part place : places) {
      DataFolder.flip(file, place.offset() + place.length() / 2, 5);
    }
    ServerProcess.ExitResult damaged = ServerProcess.verify(data.path());
    assertEquals(1, damaged.exitCode(), damaged.output());
    for (SstableLayout.Part place : places) {
      assertTrue(
          damaged.output().contains("offset " + place.offset()),
          () -> place + " is not named:\n" + damaged.output());
    }
    assertTrue(damaged.output().contains(places.size() + " problems"), damaged.output());
  }

  @Test
  void verifyRefusesToCheckARunningNode() {
    DataFolder data = stopped.copyTo(folder.resolve("running"));
    try (ServerProcess server =
        ServerProcess.start(data.path(), ServerProcess.freePort(), OPTIONS)) {
      // use another path to the same data, as the output files have the same names
      Path link = folder.resolve("link");
      DataFolder.link(link, data.path());
      ServerProcess.ExitResult refused = ServerProcess.verify(link);
      assertEquals(1, refused.exitCode(), refused.output());
      assertTrue(refused.output().contains("is in use by another node"), refused.output());
      assertEquals(0, server.terminate());
    }
  }

  private static void assertFilterFailsReads(DataFolder data, SstableLayout.Part filter) {
    try (ServerProcess server =
            ServerProcess.start(data.path(), ServerProcess.freePort(), OPTIONS);
        CqlClient client = server.connect()) {
      Response one = client.query("SELECT v FROM flip.t WHERE k = 3 AND c = 3");
      assertTrue(one instanceof Response.Failure it && it.code() == READ_FAILURE, one.toString());
      assertTrue(server.log().contains(damagedTable.toString()), server.log());
      assertTrue(server.log().contains("offset " + filter.offset()), server.log());
      assertOtherTableAnswers(client);
    }
  }

  private static void assertOtherTableAnswers(CqlClient client) {
    Response.Rows rows = (Response.Rows) DataFolder.run(client, "SELECT k FROM flip.other");
    assertEquals(1, rows.rows().size());
  }

  /** Reads and checks all rows page by page; returns their number, or -1 if the read failed. */
  private static int readAll(CqlClient client) {
    TreeMap<Integer, Integer> seen = new TreeMap<>();
    byte[] state = null;
    do {
      Response answer =
          client.query("SELECT k, c, v FROM flip.t", QueryOptions.NONE.withPage(PAGE_ROWS, state));
      if (answer instanceof Response.Failure failure) {
        assertEquals(READ_FAILURE, failure.code(), failure.message());
        return -1;
      }
      Response.Rows page = (Response.Rows) answer;
      for (List<byte @Nullable []> row : page.rows()) {
        int n = intAt(row, 0) * 20 + intAt(row, 1);
        assertEquals(value(n), new String(row.get(2), StandardCharsets.UTF_8), "a wrong row");
        assertEquals(null, seen.put(n, n), "row " + n + " is there twice");
      }
      state = page.pagingState();
    } while (state != null);
    return seen.size();
  }

  private static int intAt(List<byte @Nullable []> row, int column) {
    byte[] value = row.get(column);
    assertNotNull(value);
    return ByteBuffer.wrap(value).getInt();
  }
}
