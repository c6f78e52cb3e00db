package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random writes to collections with colliding timestamps, TTLs and deletions of every shape, alone
 * and in batches, with flushes, compactions and restarts: every read agrees with {@link
 * CollectionModel}.
 */
class CollectionModelTest {
  private static final int STEPS = 400;
  private static final long START_SECONDS = 1_900_000_000;
  private static final CqlType SET = new SetType(ScalarType.INT, false);
  private static final CqlType MAP = new MapType(ScalarType.INT, ScalarType.INT, false);
  private static final CqlType LIST = new ListType(ScalarType.INT, false);
  private static final CqlType WRITE_TIMES = new ListType(ScalarType.BIGINT, false);
  private static final List<CqlType> TYPES =
      List.of(ScalarType.INT, SET, WRITE_TIMES, MAP, LIST, LIST, WRITE_TIMES, MAP, ScalarType.INT);

  @RegisterExtension final Seeds seeds = Seeds.from(1);
  @TempDir Path folder;

  @Test
  void everyReadAgreesWithTheModel() throws Exception {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2);
      long ignored = seeds.each(3, seed -> new Run(node, seed).run());
    }
  }

  /** One seed. */
  private static final class Run {
    private final NodeUnderTest node;
    private final Random random;
    private final String table;
    private final CollectionModel model = new CollectionModel();
    private CqlClient client;
    private long now = START_SECONDS;
    private long timestamp = 1000;

    Run(NodeUnderTest node, long seed) throws IOException {
      this.node = node;
      this.random = new Random(seed);
      this.table = "model.t" + Long.toUnsignedString(seed);
      this.client = connect();
    }

    private CqlClient connect() throws IOException {
      return CqlClient.connect(
          CqlClient.Settings.of(InetAddress.getByName(node.host()), node.port()));
    }

    void run() throws IOException {
      send(
          "CREATE KEYSPACE IF NOT EXISTS model WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 1}");
      send(
          "CREATE TABLE "
              + table
              + " (k int, c int, s set<int>, m map<int, int>, l list<int>, PRIMARY KEY (k, c))");
      for (int step = 0; step < STEPS; step++) {
        now += random.nextInt(4);
        timestamp += random.nextInt(3);
        disturb(random.nextInt(100));
        if (random.nextInt(5) == 0) {
          batch();
        } else {
          send(write());
        }
        compare();
      }
      send("DROP TABLE " + table);
      client.close();
    }

    private void disturb(int chance) throws IOException {
      if (chance < 8) {
        node.flush();
      } else if (chance < 11) {
        node.flush();
        node.compact();
      } else if (chance < 12) {
        client.close();
        node.restart();
        client = connect();
      }
    }

    private void batch() {
      StringBuilder text = new StringBuilder("BEGIN UNLOGGED BATCH ");
      for (int left = 1 + random.nextInt(4); left > 0; left--) {
        text.append(write()).append("; ");
      }
      send(text.append("APPLY BATCH").toString());
    }

    private void send(String statement) {
      Response answer =
          client.query(statement, QueryOptions.NONE.withNowInSeconds(Math.toIntExact(now)));
      assertFalse(answer instanceof Response.Failure, () -> statement + ": " + answer);
    }

    /** A random write, already applied to the model. */
    private String write() {
      int k = random.nextInt(2);
      int c = random.nextInt(3);
      int ttl = random.nextInt(3) == 0 ? 1 + random.nextInt(30) : 0;
      CollectionModel.Times times =
          new CollectionModel.Times(timestamp - random.nextInt(6), ttl, now);
      String where = " WHERE k = " + k + " AND c = " + c;
      String using = " USING TIMESTAMP " + times.timestamp();
      int kind = random.nextInt(20);
      if (kind == 0) {
        model.deletePartition(k, times.timestamp());
        return "DELETE FROM " + table + using + " WHERE k = " + k;
      }
      if (kind == 1) {
        model.deleteRow(k, c, times.timestamp());
        return "DELETE FROM " + table + using + where;
      }
      if (kind < 5) {
        return "DELETE " + deletion(k, c, times) + " FROM " + table + using + where;
      }
      using += ttl == 0 ? "" : " AND TTL " + ttl;
      if (kind < 7) {
        return insert(k, c, times) + using;
      }
      StringBuilder set = new StringBuilder(assignment(k, c, times));
      while (random.nextInt(3) == 0) {
        set.append(", ").append(assignment(k, c, times));
      }
      return "UPDATE " + table + using + " SET " + set + where;
    }

    private String insert(int k, int c, CollectionModel.Times times) {
      TreeSet<Integer> set = new TreeSet<>(numbers());
      TreeMap<Integer, Integer> map = entries();
      List<Integer> list = numbers();
      model.insert(k, c, times);
      for (String column : List.of("s", "m", "l")) {
        model.deleteColumn(k, c, column, times.timestamp() - 1);
      }
      set.forEach(each -> model.put(k, c, "s", each, 0, times));
      map.forEach((key, value) -> model.put(k, c, "m", key, value, times));
      model.append(k, c, list, times);
      return "INSERT INTO "
          + table
          + " (k, c, s, m, l) VALUES ("
          + k
          + ", "
          + c
          + ", "
          + text(set)
          + ", "
          + text(map)
          + ", "
          + list
          + ")";
    }

    private String deletion(int k, int c, CollectionModel.Times times) {
      int key = random.nextInt(8);
      switch (random.nextInt(5)) {
        case 0 -> {
          model.put(k, c, "s", key, null, times);
          return "s[" + key + "]";
        }
        case 1 -> {
          model.put(k, c, "m", key, null, times);
          model.deleteColumn(k, c, "l", times.timestamp());
          return "m[" + key + "], l";
        }
        case 2 -> {
          model.deleteColumn(k, c, "s", times.timestamp());
          return "s";
        }
        case 3 -> {
          model.put(k, c, "m", key, null, times);
          model.deleteColumn(k, c, "m", times.timestamp());
          return "m[" + key + "], m";
        }
        default -> {
          model.deleteColumn(k, c, "l", times.timestamp());
          return "l";
        }
      }
    }

    /** An assignment that may be combined with others. */
    private String assignment(int k, int c, CollectionModel.Times times) {
      List<Integer> numbers = numbers();
      switch (random.nextInt(7)) {
        case 0 -> {
          numbers.forEach(each -> model.put(k, c, "s", each, 0, times));
          return "s = s + " + text(numbers);
        }
        case 1 -> {
          numbers.forEach(each -> model.put(k, c, "s", each, null, times));
          return "s = s - " + text(numbers);
        }
        case 2 -> {
          TreeMap<Integer, Integer> entries = entries();
          entries.forEach((key, value) -> model.put(k, c, "m", key, value, times));
          return "m = m + " + text(entries);
        }
        case 3 -> {
          numbers.forEach(each -> model.put(k, c, "m", each, null, times));
          return "m = m - " + text(numbers);
        }
        case 4 -> {
          int key = random.nextInt(8);
          Integer value = random.nextInt(4) == 0 ? null : random.nextInt(-5, 100);
          model.put(k, c, "m", key, value, times);
          return "m[" + key + "] = " + value;
        }
        case 5 -> {
          model.append(k, c, numbers, times);
          return "l = l + " + numbers;
        }
        default -> {
          model.prepend(k, c, numbers, times);
          return "l = " + numbers + " + l";
        }
      }
    }

    private List<Integer> numbers() {
      return random.ints(random.nextInt(4), 0, 8).boxed().toList();
    }

    private TreeMap<Integer, Integer> entries() {
      TreeMap<Integer, Integer> entries = new TreeMap<>();
      numbers().forEach(key -> entries.put(key, random.nextInt(-5, 100)));
      return entries;
    }

    private static String text(Iterable<Integer> elements) {
      List<String> texts = new ArrayList<>();
      elements.forEach(each -> texts.add(each.toString()));
      return "{" + String.join(", ", texts) + "}";
    }

    private static String text(TreeMap<Integer, Integer> entries) {
      return entries.entrySet().stream()
          .map(each -> each.getKey() + ": " + each.getValue())
          .collect(Collectors.joining(", ", "{", "}"));
    }

    private void compare() {
      int k = random.nextInt(2);
      int key = random.nextInt(8);
      String statement =
          "SELECT c, s, writetime(s), m, ttl(m), l, writetime(l), m["
              + key
              + "..], s["
              + key
              + "] FROM "
              + table
              + " WHERE k = "
              + k;
      QueryOptions options = QueryOptions.NONE.withNowInSeconds(Math.toIntExact(now));
      Response.Rows answer =
          assertInstanceOf(Response.Rows.class, client.query(statement, options));
      List<String> read = new ArrayList<>();
      for (List<byte @Nullable []> row : answer.rows()) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
          texts.add(TYPES.get(i).toLiteral(row.get(i)));
        }
        read.add(String.join(" | ", texts));
      }
      assertEquals(String.join("\n", model.read(k, key, now)), String.join("\n", read), statement);
    }
  }
}
