package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.config.Setting;
import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.server.model.CollectionModel.Selector;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random writes to small and large collections, static ones too, with colliding timestamps, TTLs
 * and deletions of every shape, alone and in batches, with flushes, compactions and restarts: every
 * read of whole collections, elements and slices, in both orders and by pages, agrees with {@link
 * CollectionModel}. {@code -Dmodel.seeds=100} and {@code -Dmodel.steps=1000} for a long run.
 */
class CollectionModelTest {
  private static final int SEEDS = Integer.getInteger("model.seeds", 3);
  private static final int STEPS = Integer.getInteger("model.steps", 500);
  private static final int PARTITIONS = 2;
  private static final int ROWS = 4;

  /** The keys of small collections; large ones have a few hundred. */
  private static final int SMALL_KEYS = 8;

  private static final int LARGE_KEYS = 600;
  private static final int LARGE_WRITE = 150;

  private static final CqlType SET = new SetType(ScalarType.INT, false);
  private static final CqlType MAP = new MapType(ScalarType.INT, ScalarType.TEXT, false);
  private static final CqlType LIST = new ListType(ScalarType.INT, false);
  private static final CqlType WRITE_TIMES = new ListType(ScalarType.BIGINT, false);

  @RegisterExtension final Seeds seeds = Seeds.from(1);
  @TempDir Path folder;

  @Test
  void everyReadAgreesWithTheModel() throws Exception {
    try (NodeUnderTest node = new NodeUnderTest()) {
      // several large writes in one batch
      node.start(folder, 2, Map.of(Setting.BATCH_SIZE_FAIL_THRESHOLD.name(), "1MiB"));
      long ignored = seeds.each(SEEDS, seed -> new Run(node, seed).run());
    }
  }

  /** One seed. */
  private static final class Run {
    private final ModelSession session;
    private final Random random;
    private final String table;
    private final CollectionModel model = new CollectionModel();
    private long now;
    private long timestamp = 1000;

    Run(NodeUnderTest node, long seed) throws IOException {
      this.random = new Random(seed);
      this.session = new ModelSession(node, random);
      this.table = "model.t" + Long.toUnsignedString(seed);
    }

    void run() throws IOException {
      session.send(
          "CREATE TABLE "
              + table
              + " (k int, c int, s set<int>, m map<int, text>, l list<int>, ss set<int> static,"
              + " sm map<int, text> static, PRIMARY KEY (k, c)) WITH "
              + session.compaction());
      for (int step = 0; step < STEPS; step++) {
        now = session.pass(random.nextInt(4));
        timestamp += random.nextInt(3);
        session.disturb();
        if (random.nextInt(5) == 0) {
          batch();
        } else {
          session.send(write());
        }
        compare();
      }
      session.send("DROP TABLE " + table);
      session.close();
    }

    private void batch() {
      StringBuilder text = new StringBuilder("BEGIN UNLOGGED BATCH ");
      for (int left = 1 + random.nextInt(4); left > 0; left--) {
        text.append(write()).append("; ");
      }
      session.send(text.append("APPLY BATCH").toString());
    }

    // ---- writes

    /** A random write, already applied to the model. */
    private String write() {
      int k = random.nextInt(PARTITIONS);
      int c = random.nextInt(ROWS);
      int ttl = random.nextInt(3) == 0 ? 1 + random.nextInt(30) : 0;
      CollectionModel.Times times =
          new CollectionModel.Times(timestamp - random.nextInt(6), ttl, now);
      String where = " WHERE k = " + k;
      String using = " USING TIMESTAMP " + times.timestamp();
      int kind = random.nextInt(40);
      if (kind == 0) {
        model.deletePartition(k, times.timestamp());
        return "DELETE FROM " + table + using + where;
      }
      if (kind < 3) {
        model.deleteRow(k, c, times.timestamp());
        return "DELETE FROM " + table + using + where + " AND c = " + c;
      }
      if (kind < 5) {
        int to = c + random.nextInt(2);
        model.deleteRange(k, c, to, times.timestamp());
        return "DELETE FROM " + table + using + where + " AND c >= " + c + " AND c <= " + to;
      }
      boolean isStatic = random.nextInt(4) == 0;
      if (kind < 14 && isStatic) {
        return "DELETE " + staticDeletion(k, times) + " FROM " + table + using + where;
      }
      if (kind < 14) {
        String what = deletion(k, c, times);
        return "DELETE " + what + " FROM " + table + using + where + " AND c = " + c;
      }
      using += ttl == 0 ? "" : " AND TTL " + ttl;
      if (kind < 18) {
        return insert(k, c, times) + using;
      }
      int target = isStatic ? CollectionModel.STATIC : c;
      StringBuilder set = new StringBuilder(assignment(k, target, times));
      while (random.nextInt(3) == 0) {
        set.append(", ").append(assignment(k, target, times));
      }
      return "UPDATE " + table + using + " SET " + set + where + (isStatic ? "" : " AND c = " + c);
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
      putAll(k, c, "m", map, times);
      model.append(k, c, list, times);
      return "INSERT INTO "
          + table
          + " (k, c, s, m, l) VALUES ("
          + String.join(", ", "" + k, "" + c, text(set), text(map), "" + list)
          + ")";
    }

    private void putAll(
        int k, int c, String column, TreeMap<Integer, Integer> map, CollectionModel.Times times) {
      map.forEach((key, value) -> model.put(k, c, column, key, value, times));
    }

    private String staticDeletion(int k, CollectionModel.Times times) {
      int key = random.nextInt(SMALL_KEYS);
      switch (random.nextInt(3)) {
        case 0 -> {
          model.put(k, CollectionModel.STATIC, "sm", key, null, times);
          return "sm[" + key + "]";
        }
        case 1 -> {
          model.deleteColumn(k, CollectionModel.STATIC, "sm", times.timestamp());
          model.deleteColumn(k, CollectionModel.STATIC, "ss", times.timestamp());
          return "sm, ss";
        }
        default -> {
          model.put(k, CollectionModel.STATIC, "ss", key, null, times);
          return "ss[" + key + "]";
        }
      }
    }

    private String deletion(int k, int c, CollectionModel.Times times) {
      int key = anyKey();
      switch (random.nextInt(6)) {
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
        case 4 -> {
          model.put(k, c, "m", key, null, times);
          return "m[" + key + "]";
        }
        default -> {
          model.deleteColumn(k, c, "l", times.timestamp());
          return "l";
        }
      }
    }

    /** An assignment that may be combined with others, to a row or the static row. */
    private String assignment(int k, int c, CollectionModel.Times times) {
      boolean isStatic = c == CollectionModel.STATIC;
      String set = isStatic ? "ss" : "s";
      String map = isStatic ? "sm" : "m";
      List<Integer> numbers = numbers();
      switch (random.nextInt(isStatic ? 6 : 8)) {
        case 0 -> {
          numbers.forEach(each -> model.put(k, c, set, each, 0, times));
          return set + " = " + set + " + " + text(numbers);
        }
        case 1 -> {
          numbers.forEach(each -> model.put(k, c, set, each, null, times));
          return set + " = " + set + " - " + text(numbers);
        }
        case 2 -> {
          TreeMap<Integer, Integer> entries = random.nextBoolean() ? manyEntries() : entries();
          putAll(k, c, map, entries, times);
          return map + " = " + map + " + " + text(entries);
        }
        case 3 -> {
          numbers.forEach(each -> model.put(k, c, map, each, null, times));
          return map + " = " + map + " - " + text(numbers);
        }
        case 4, 5 -> {
          int key = anyKey();
          Integer value = random.nextInt(4) == 0 ? null : Integer.valueOf(random.nextInt(1000));
          model.put(k, c, map, key, value, times);
          return map + "[" + key + "] = " + (value == null ? "null" : CollectionModel.text(value));
        }
        case 6 -> {
          model.append(k, c, numbers, times);
          return "l = l + " + numbers;
        }
        default -> {
          model.prepend(k, c, numbers, times);
          return "l = " + numbers + " + l";
        }
      }
    }

    private int anyKey() {
      return random.nextInt(random.nextBoolean() ? SMALL_KEYS : LARGE_KEYS);
    }

    private List<Integer> numbers() {
      return random.ints(random.nextInt(4), 0, SMALL_KEYS).boxed().toList();
    }

    private TreeMap<Integer, Integer> entries() {
      TreeMap<Integer, Integer> entries = new TreeMap<>();
      numbers().forEach(key -> entries.put(key, random.nextInt(1000)));
      return entries;
    }

    private TreeMap<Integer, Integer> manyEntries() {
      TreeMap<Integer, Integer> entries = new TreeMap<>();
      int from = random.nextInt(LARGE_KEYS - LARGE_WRITE);
      for (int key = from; key < from + LARGE_WRITE; key++) {
        entries.put(key, random.nextInt(1000));
      }
      return entries;
    }

    private static String text(Iterable<Integer> elements) {
      List<String> texts = new ArrayList<>();
      elements.forEach(each -> texts.add(each.toString()));
      return "{" + String.join(", ", texts) + "}";
    }

    private static String text(TreeMap<Integer, Integer> entries) {
      return entries.entrySet().stream()
          .map(each -> each.getKey() + ": " + CollectionModel.text(each.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }

    // ---- reads

    /** Reads some of the rows with some selectors. */
    private void compare() {
      int k = random.nextInt(PARTITIONS);
      int from = random.nextInt(3) == 0 ? random.nextInt(ROWS) : Integer.MIN_VALUE;
      int to = Integer.MAX_VALUE;
      if (random.nextInt(3) == 0) {
        to = Math.max(from, 0) + random.nextInt(2);
      }
      List<Selector> selectors = selectors();
      String statement =
          "SELECT c, "
              + selectors.stream().map(Selector::cql).collect(Collectors.joining(", "))
              + (" FROM " + table + " WHERE k = " + k)
              + ModelSession.range("c", from, to);
      List<List<String>> expected = model.read(k, from, to, selectors, now);
      if (random.nextInt(3) == 0) {
        statement += " ORDER BY c DESC";
        expected = expected.reversed();
      }
      if (random.nextInt(4) == 0) {
        int limit = 1 + random.nextInt(3);
        statement += " LIMIT " + limit;
        expected = expected.subList(0, Math.min(limit, expected.size()));
      }
      assertEquals(
          ModelSession.lines(expected), session.read(statement, types(selectors)), statement);
    }

    /** Always with a static column, without which partitions that have no rows are not shown. */
    private List<Selector> selectors() {
      List<Selector> selectors = new ArrayList<>();
      selectors.add(Selector.whole(CollectionModel.What.VALUE, "ss"));
      for (int left = 1 + random.nextInt(3); left > 0; left--) {
        selectors.add(selector());
      }
      return selectors;
    }

    private Selector selector() {
      CollectionModel.What what =
          random.nextInt(3) > 0
              ? CollectionModel.What.VALUE
              : random.nextBoolean() ? CollectionModel.What.WRITETIME : CollectionModel.What.TTL;
      String column = List.of("s", "m", "m", "l", "ss", "sm").get(random.nextInt(6));
      int key = anyKey();
      return switch (column.equals("l") ? 0 : random.nextInt(6)) {
        case 0 -> Selector.whole(what, column);
        case 1 -> new Selector(what, column, key, null, false);
        case 2 -> new Selector(what, column, null, key, false);
        case 3 -> new Selector(what, column, key, key + random.nextInt(20), false);
        default -> new Selector(what, column, key, key, true);
      };
    }

    private static List<CqlType> types(List<Selector> selectors) {
      List<CqlType> types = new ArrayList<>(List.of(ScalarType.INT));
      selectors.forEach(each -> types.add(type(each)));
      return types;
    }

    private static CqlType type(Selector selector) {
      return switch (selector.what()) {
        case VALUE -> {
          if (selector.isSet()) {
            yield selector.single() ? ScalarType.INT : SET;
          }
          yield selector.isMap() ? selector.single() ? ScalarType.TEXT : MAP : LIST;
        }
        case WRITETIME -> selector.single() ? ScalarType.BIGINT : WRITE_TIMES;
        case TTL -> selector.single() ? ScalarType.INT : LIST;
      };
    }
  }
}
