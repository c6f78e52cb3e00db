package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.helenus.server.client.Response;
import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.server.model.SequentialModel.Scalar;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes that depend on what is stored, mixed with those that do not: conditional writes alone and
 * in batches, lists by index, counters, deletions of every shape, TTLs that a moving clock lets
 * expire, with flushes, compactions and restarts. Every read, and whether every condition held,
 * agrees with {@link SequentialModel}. {@code -Dmodel.seeds=100} and {@code -Dmodel.steps=1000} for
 * a long run.
 */
class SequentialModelTest {
  private static final int SEEDS = Integer.getInteger("model.seeds", 3);
  private static final int STEPS = Integer.getInteger("model.steps", 500);
  private static final int PARTITIONS = 2;
  private static final int ROWS = 4;
  private static final int VALUES = 4;

  private static final CqlType LIST = new ListType(ScalarType.INT, false);
  private static final List<CqlType> READ_TYPES =
      List.of(ScalarType.INT, ScalarType.INT, ScalarType.INT, LIST, ScalarType.INT, ScalarType.INT);

  @RegisterExtension final Seeds seeds = Seeds.from(1);
  @TempDir Path folder;

  @Test
  void everyReadAndConditionAgreesWithTheModel() throws Exception {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2);
      long ignored = seeds.each(SEEDS, seed -> new Run(node, seed).run());
    }
  }

  /** One seed. */
  private static final class Run {
    private final ModelSession session;
    private final Random random;
    private final String table;
    private final String counters;
    private final SequentialModel model = new SequentialModel();
    private final Map<Integer, TreeMap<Integer, Long>> counts = new TreeMap<>();

    /** Partitions of counters are not used again after their deletion. */
    private int counterPartition;

    Run(NodeUnderTest node, long seed) throws IOException {
      this.random = new Random(seed);
      this.session = new ModelSession(node, random);
      this.table = "model.s" + Long.toUnsignedString(seed);
      this.counters = "model.n" + Long.toUnsignedString(seed);
    }

    void run() throws IOException {
      session.send(
          "CREATE TABLE "
              + table
              + " (k int, c int, v int, w int, l list<int>, st int static, PRIMARY KEY (k, c)) WITH"
              + " "
              + session.compaction());
      session.send(
          "CREATE TABLE "
              + counters
              + " (k int, c int, n counter, PRIMARY KEY (k, c)) WITH "
              + session.compaction());
      for (int step = 0; step < STEPS; step++) {
        model.at(session.pass(random.nextInt(3)));
        session.disturb();
        step();
        compare();
      }
      session.send("DROP TABLE " + table);
      session.send("DROP TABLE " + counters);
      session.close();
    }

    private void step() {
      int k = random.nextInt(PARTITIONS);
      int c = random.nextInt(ROWS);
      switch (random.nextInt(10)) {
        case 0, 1 -> count();
        case 2 -> batch(k);
        case 3, 4, 5 -> conditional(k, c);
        case 6 -> list(k, c);
        case 7 -> deletion(k, c);
        default -> plain(k, c);
      }
    }

    private int ttl() {
      return random.nextInt(3) == 0 ? 1 + random.nextInt(20) : 0;
    }

    private int value() {
      return random.nextInt(VALUES);
    }

    private @Nullable Integer valueOrNull() {
      return random.nextInt(5) == 0 ? null : Integer.valueOf(value());
    }

    private List<Integer> numbers() {
      return random.ints(random.nextInt(4), 0, VALUES).boxed().toList();
    }

    private static String key(int k, int c) {
      return " WHERE k = " + k + " AND c = " + c;
    }

    private static String using(int ttl) {
      return ttl == 0 ? "" : " USING TTL " + ttl;
    }

    // ---- writes without conditions

    private void plain(int k, int c) {
      Write write = scalarWrite(k, c);
      session.send(write.cql());
      write.apply().run();
    }

    /** A statement, without its condition, and what it does to the model. */
    private record Write(String cql, Runnable apply) {}

    /** An INSERT, an UPDATE or a deletion of values of one row. */
    private Write scalarWrite(int k, int c) {
      int ttl = ttl();
      Integer v = valueOrNull();
      int w = value();
      boolean isStatic = random.nextInt(3) == 0;
      return switch (random.nextInt(4)) {
        case 0 ->
            new Write(
                "INSERT INTO %s (k, c, v) VALUES (%d, %d, %s)".formatted(table, k, c, v)
                    + using(ttl),
                () -> {
                  model.insert(k, c, ttl);
                  model.set(k, c, Scalar.V, v, ttl);
                });
        case 1 ->
            new Write(
                "DELETE v" + (isStatic ? ", st" : "") + " FROM " + table + key(k, c),
                () -> {
                  model.set(k, c, Scalar.V, null, 0);
                  if (isStatic) {
                    model.set(k, c, Scalar.ST, null, 0);
                  }
                });
        default ->
            new Write(
                "UPDATE "
                    + table
                    + using(ttl)
                    + (" SET v = " + v + ", w = " + w + (isStatic ? ", st = " + w : ""))
                    + key(k, c),
                () -> {
                  model.set(k, c, Scalar.V, v, ttl);
                  model.set(k, c, Scalar.W, w, ttl);
                  if (isStatic) {
                    model.set(k, c, Scalar.ST, w, ttl);
                  }
                });
      };
    }

    private void deletion(int k, int c) {
      switch (random.nextInt(6)) {
        case 0 -> {
          session.send("DELETE FROM " + table + " WHERE k = " + k);
          model.deletePartition(k);
        }
        case 1 -> {
          int to = c + random.nextInt(3);
          session.send(
              "DELETE FROM %s WHERE k = %d AND c >= %d AND c <= %d".formatted(table, k, c, to));
          model.deleteRange(k, c, to);
        }
        default -> {
          session.send("DELETE FROM " + table + key(k, c));
          model.deleteRow(k, c);
        }
      }
    }

    private void list(int k, int c) {
      int ttl = ttl();
      List<Integer> numbers = numbers();
      String update = "UPDATE " + table + using(ttl) + " SET ";
      int size = model.list(k, c).size();
      switch (random.nextInt(size == 0 ? 4 : 7)) {
        case 0 -> {
          session.send(update + "l = " + numbers + key(k, c));
          model.setList(k, c, numbers, ttl);
        }
        case 1, 2 -> {
          session.send(update + "l = l + " + numbers + key(k, c));
          model.append(k, c, numbers, ttl);
        }
        case 3 -> {
          session.send(update + "l = " + numbers + " + l" + key(k, c));
          model.prepend(k, c, numbers, ttl);
        }
        case 4 -> {
          session.send(update + "l = l - " + numbers + key(k, c));
          model.removeAll(k, c, numbers);
        }
        case 5 -> {
          int index = random.nextInt(size);
          Integer value = valueOrNull();
          session.send(update + "l[" + index + "] = " + value + key(k, c));
          model.setElement(k, c, index, value, ttl);
        }
        default -> {
          int index = random.nextInt(size);
          session.send("DELETE l[" + index + "] FROM " + table + key(k, c));
          model.setElement(k, c, index, null, 0);
        }
      }
    }

    private void count() {
      if (random.nextInt(20) == 0) {
        session.send("DELETE FROM " + counters + " WHERE k = " + counterPartition);
        counts.remove(counterPartition++);
        return;
      }
      List<String> updates = new ArrayList<>();
      for (int left = 1 + random.nextInt(3); left > 0; left--) {
        int c = random.nextInt(ROWS);
        long delta = random.nextInt(4) == 0 ? -random.nextLong(1L << 40) : random.nextInt(10);
        counts
            .computeIfAbsent(counterPartition, ignored -> new TreeMap<>())
            .merge(c, delta, Long::sum);
        String sum = delta < 0 ? "n - " + -delta : "n + " + delta;
        updates.add("UPDATE " + counters + " SET n = " + sum + key(counterPartition, c));
      }
      session.send(
          updates.size() == 1
              ? updates.getFirst()
              : "BEGIN COUNTER BATCH " + String.join("; ", updates) + "; APPLY BATCH");
    }

    // ---- conditional writes

    /** A condition, and whether it holds in the model. */
    private record Condition(String cql, boolean holds) {}

    private void conditional(int k, int c) {
      switch (random.nextInt(6)) {
        case 0 -> {
          Integer v = valueOrNull();
          int ttl = ttl();
          String cql =
              "INSERT INTO %s (k, c, v) VALUES (%d, %d, %s) IF NOT EXISTS"
                  .formatted(table, k, c, v);
          boolean holds = !model.exists(k, c);
          expect(holds, cql + using(ttl));
          if (holds) {
            model.insert(k, c, ttl);
            model.set(k, c, Scalar.V, v, ttl);
          }
        }
        case 1 -> {
          boolean holds = model.exists(k, c);
          expect(holds, "DELETE FROM " + table + key(k, c) + " IF EXISTS");
          if (holds) {
            model.deleteRow(k, c);
          }
        }
        default -> {
          List<Condition> conditions = conditions(k, c);
          Write write = update(k, c);
          boolean holds = conditions.stream().allMatch(Condition::holds);
          expect(holds, write.cql() + " IF " + cql(conditions));
          if (holds) {
            write.apply().run();
          }
        }
      }
    }

    /** As a write of values, but not an INSERT, which has no such conditions. */
    private Write update(int k, int c) {
      Write write = scalarWrite(k, c);
      while (write.cql().startsWith("INSERT")) {
        write = scalarWrite(k, c);
      }
      return write;
    }

    private List<Condition> conditions(int k, int c) {
      if (random.nextInt(5) == 0) {
        return List.of(new Condition("EXISTS", model.exists(k, c)));
      }
      List<Condition> conditions = new ArrayList<>(List.of(condition(k, c)));
      if (random.nextInt(3) == 0) {
        conditions.add(condition(k, c));
      }
      return conditions;
    }

    private static String cql(List<Condition> conditions) {
      return conditions.stream().map(Condition::cql).collect(Collectors.joining(" AND "));
    }

    private Condition condition(int k, int c) {
      Scalar column = Scalar.values()[random.nextInt(3)];
      Integer is = model.number(k, c, column);
      int value = value();
      List<Integer> list = model.list(k, c);
      return switch (random.nextInt(8)) {
        case 0 -> new Condition(column.cql() + " != " + value, !Objects.equals(is, value));
        case 1 -> new Condition(column.cql() + " > " + value, is != null && is > value);
        case 2 -> new Condition(column.cql() + " <= " + value, is != null && is <= value);
        case 3 ->
            new Condition(column.cql() + " IN (" + value + ", null)", is == null || is == value);
        case 4 -> new Condition(column.cql() + " = null", is == null);
        case 5 -> {
          Integer first = list.isEmpty() ? null : list.getFirst();
          yield new Condition("l[0] = " + value, first != null && first == value);
        }
        case 6 -> new Condition("l = " + list, true);
        default -> new Condition(column.cql() + " = " + value, is != null && is == value);
      };
    }

    /** Statements on several rows of a partition, some with conditions, that must all hold. */
    private void batch(int k) {
      boolean isConditional = random.nextBoolean();
      List<String> statements = new ArrayList<>();
      List<Runnable> changes = new ArrayList<>();
      boolean holds = true;
      for (int c = random.nextInt(2); c < ROWS; c += 1 + random.nextInt(3)) {
        Write write = partOfBatch(k, c);
        changes.add(write.apply());
        if (isConditional && (statements.isEmpty() || random.nextBoolean())) {
          List<Condition> conditions = List.of(condition(k, c));
          holds &= conditions.getFirst().holds();
          statements.add(write.cql() + " IF " + cql(conditions));
        } else {
          statements.add(write.cql());
        }
      }
      String kind = isConditional || random.nextBoolean() ? "BATCH " : "UNLOGGED BATCH ";
      String cql = "BEGIN " + kind + String.join("; ", statements) + "; APPLY BATCH";
      if (isConditional) {
        expect(holds, cql);
      } else {
        session.send(cql);
      }
      if (holds) {
        changes.forEach(Runnable::run);
      }
    }

    /** Statements of a batch have one timestamp: a static value set by two would be ambiguous. */
    private Write partOfBatch(int k, int c) {
      Write write = update(k, c);
      while (write.cql().contains("st")) {
        write = update(k, c);
      }
      return write;
    }

    private void expect(boolean applied, String statement) {
      Response.Rows rows =
          assertInstanceOf(Response.Rows.class, session.send(statement), statement);
      byte[] value = rows.rows().getFirst().getFirst();
      assertEquals(applied ? "true" : "false", ScalarType.BOOLEAN.toLiteral(value), statement);
    }

    // ---- reads

    private void compare() {
      if (random.nextInt(5) == 0) {
        compareCounters();
        return;
      }
      int k = random.nextInt(PARTITIONS);
      int from = random.nextInt(3) == 0 ? random.nextInt(ROWS) : Integer.MIN_VALUE;
      int to = random.nextInt(3) == 0 ? Math.max(from, 0) + random.nextInt(2) : Integer.MAX_VALUE;
      String statement =
          "SELECT c, v, w, l, st, ttl(v) FROM "
              + table
              + (" WHERE k = " + k)
              + ModelSession.range("c", from, to);
      List<List<String>> expected = model.read(k, from, to);
      if (random.nextInt(3) == 0) {
        statement += " ORDER BY c DESC";
        expected = expected.reversed();
      }
      assertEquals(ModelSession.lines(expected), session.read(statement, READ_TYPES), statement);
    }

    private void compareCounters() {
      List<List<String>> expected = new ArrayList<>();
      counts
          .getOrDefault(counterPartition, new TreeMap<>())
          .forEach((c, n) -> expected.add(List.of("" + c, "" + n)));
      String statement = "SELECT c, n FROM " + counters + " WHERE k = " + counterPartition;
      List<CqlType> types = List.of(ScalarType.INT, ScalarType.BIGINT);
      assertEquals(ModelSession.lines(expected), session.read(statement, types), statement);
    }
  }
}
