package io.helenus.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.process.ServerProcess;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commit log of a killed process, torn at every byte of its last record and damaged in the
 * middle. Records are located according to storage/docs/commitlog.md, independently of the code
 * under test.
 *
 * <p>{@code -Ddamage.step=1} tears at every byte instead of every third.
 */
class TornLogIT {
  private static final int STEP = Integer.getInteger("damage.step", 3);
  private static final int ROWS = 12;
  private static final int HEADER_BYTES = 64;
  private static final int RECORD_HEADER_BYTES = 24;
  private static final int NAMED_UP_TO = 16;
  private static final List<String> OPTIONS =
      List.of("-Dshards=1", "-Dcommitlog_segment_size=1MiB");

  @TempDir private static Path folder;
  private static DataFolder killed;
  private static Path log;
  private static List<Integer> records;

  /** A killed node with rows in its log, and the offsets of the log's records. */
  @BeforeAll
  static void killANodeUnderItsWrites() {
    killed = new DataFolder(folder.resolve("killed"));
    try (ServerProcess server =
            ServerProcess.start(killed.path(), ServerProcess.freePort(), OPTIONS);
        CqlClient client = server.connect()) {
      DataFolder.run(
          client,
          "CREATE KEYSPACE torn WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      DataFolder.run(client, "CREATE TABLE torn.t (k int PRIMARY KEY, v text)");
      for (int k = 0; k < ROWS; k++) {
        DataFolder.run(client, "INSERT INTO torn.t (k, v) VALUES (" + k + ", '" + value(k) + "')");
      }
      server.kill();
    }
    List<Path> segments = killed.files("commitlog", ".log");
    assertEquals(1, segments.size());
    log = killed.path().relativize(segments.getFirst());
    records = recordStarts(DataFolder.read(segments.getFirst()));
    assertEquals(ROWS + 1, records.size(), "one record per row");
  }

  private static String value(int k) {
    return "value of " + k;
  }

  /** The start of each record, followed by the end of the last one. */
  private static List<Integer> recordStarts(ByteBuffer bytes) {
    List<Integer> starts = new ArrayList<>();
    int at = HEADER_BYTES;
    while (bytes.getInt(at + 4) > 0) {
      starts.add(at);
      int unpadded = RECORD_HEADER_BYTES + bytes.getInt(at + 4);
      at += (unpadded + 7) / 8 * 8;
    }
    starts.add(at);
    return starts;
  }

  @Test
  void aLogTornInItsLastRecordKeepsAllEarlierRecords() {
    int start = records.get(ROWS - 1);
    int end = records.getLast();
    ByteBuffer whole = DataFolder.read(killed.path().resolve(log));
    int lastByte = start + RECORD_HEADER_BYTES + whole.getInt(start + 4);
    int losses = 0;
    for (int at = start; at < end; at += at + STEP < end ? STEP : 1) {
      DataFolder torn = killed.copyTo(folder.resolve("torn"));
      DataFolder.overwrite(torn.path().resolve(log), at, new byte[end - at]);
      boolean complete = restOfRecordIsZero(whole, at, lastByte);
      try (ServerProcess server =
              ServerProcess.start(torn.path(), ServerProcess.freePort(), OPTIONS);
          CqlClient client = server.connect()) {
        TreeMap<Integer, String> rows = rows(client);
        assertEquals(rowsBut(complete ? -1 : ROWS - 1), rows, "torn at byte " + (at - start));
        String warning = log + " ends in a torn record at offset " + start;
        boolean named = at >= start + NAMED_UP_TO && !complete;
        assertEquals(named, server.log().contains(warning), server::log);
        losses += complete ? 0 : 1;
      }
    }
    assertTrue(losses > RECORD_HEADER_BYTES / STEP, "nothing was torn");
  }

  private static boolean restOfRecordIsZero(ByteBuffer whole, int at, int lastByte) {
    for (int i = at; i < lastByte; i++) {
      if (whole.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  @Test
  void damageInTheMiddlePreventsStartupUnlessSkipped() {
    int damagedRow = ROWS / 2;
    int start = records.get(damagedRow);
    DataFolder damaged = killed.copyTo(folder.resolve("damaged"));
    DataFolder.flip(damaged.path().resolve(log), start + RECORD_HEADER_BYTES + 11, 3);
    ServerProcess.ExitResult refusal = ServerProcess.startRefused(damaged.path(), OPTIONS);
    String message = log + " is damaged at offset " + start;
    assertEquals(1, refusal.exitCode(), refusal.output());
    assertTrue(refusal.output().contains(message), refusal.output());
    assertTrue(refusal.output().contains("commitlog_skip_damaged"), refusal.output());
    List<String> skipping = new ArrayList<>(OPTIONS);
    skipping.add("-Dcommitlog_skip_damaged=true");
    try (ServerProcess server =
            ServerProcess.start(damaged.path(), ServerProcess.freePort(), skipping);
        CqlClient client = server.connect()) {
      assertEquals(rowsBut(damagedRow), rows(client));
      assertTrue(server.log().contains(message), server.log());
      assertEquals(0, server.terminate());
    }
  }

  private static TreeMap<Integer, String> rowsBut(int lost) {
    TreeMap<Integer, String> rows = new TreeMap<>();
    for (int k = 0; k < ROWS; k++) {
      if (k != lost) {
        rows.put(k, value(k));
      }
    }
    return rows;
  }

  private static TreeMap<Integer, String> rows(CqlClient client) {
    TreeMap<Integer, String> rows = new TreeMap<>();
    for (List<byte @Nullable []> row : client.queryAllPages("SELECT k, v FROM torn.t", 100)) {
      rows.put(
          ByteBuffer.wrap(row.get(0)).getInt(), new String(row.get(1), StandardCharsets.UTF_8));
    }
    return rows;
  }
}
