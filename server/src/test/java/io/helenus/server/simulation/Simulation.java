package io.helenus.server.simulation;

import io.helenus.server.client.Response;
import io.helenus.server.simulation.TableModel.Change;
import io.helenus.server.simulation.TableModel.Row;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.env.sim.SimWorld;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One run of a node from a seed: random statements on a few tables, flushes, compactions, crashes,
 * restarts with another number of shards, and again and again a comparison of everything that can
 * be read with the models.
 *
 * <p>A statement that was under way when the node crashed may have happened or not, wholly: after
 * the restart one of the combinations must explain what is there.
 */
final class Simulation {
  private static final int TABLES = 2;
  private static final int PARTITIONS = 6;
  private static final int CLUSTERINGS = 5;
  private static final int GC_GRACE_SECONDS = 20;

  /** Timestamps are drawn from a window that moves on before tombstones may be purged. */
  private static final long WINDOW_SECONDS = 5;

  /** With more possibilities than this a table is emptied, which settles them. */
  private static final int POSSIBLE_LIMIT = 64;

  /** So few that many are the same. */
  private static final int TIMESTAMPS = 40;

  private static final int[] SHARDS = {1, 2, 4};
  private static final boolean TRACE = Boolean.getBoolean("simulation.trace");

  /**
   * A table that may exist, and what it may hold: more than one thing after a crash, as long as
   * nobody can tell whether a statement that was never answered has happened.
   */
  private static final class Table {
    final String name;
    List<TableState> possible = List.of(new TableState(false, true, new TableModel()));

    Table(String name) {
      this.name = name;
    }

    boolean exists() {
      return possible.getFirst().exists();
    }

    boolean hasW() {
      return possible.getFirst().hasW();
    }

    /** Forgets what cannot be, now that the table has been seen; false if nothing is left. */
    boolean narrow(Seen seen) {
      List<TableState> left = new ArrayList<>();
      for (TableState state : possible) {
        if (seen.agrees(state)) {
          left.add(state);
        }
      }
      if (!left.isEmpty()) {
        possible = left;
      }
      return !left.isEmpty();
    }
  }

  /** What a statement does to a table's model, where it was or may have been applied. */
  private static final class Pending {
    final Table table;
    final UnaryOperator<TableState> effect;
    boolean answered;

    Pending(Table table, UnaryOperator<TableState> effect) {
      this.table = table;
      this.effect = effect;
    }
  }

  /** A table's existence and content as one value. */
  private record TableState(boolean exists, boolean hasW, TableModel model) {
    TableState truncated() {
      return new TableState(exists, hasW, model.truncated());
    }

    TableState with(Change change) {
      TableModel changed = model.copy();
      changed.add(change);
      return new TableState(exists, hasW, changed);
    }
  }

  private final long seed;
  private final SimWorld world;
  private final SimFileSystem disk;
  private final FileSystem files;
  private final SimRandomness choices;
  private final SyncMode syncMode;
  private final SimNode.Plants plants;
  private final List<Table> tables = new ArrayList<>();
  private final List<Pending> pending = new ArrayList<>();
  private SimNode node;
  private int statements;
  private int comparisons;
  private int crashes;

  Simulation(long seed, SimNode.Plants plants) {
    this.seed = seed;
    this.plants = plants;
    this.world = new SimWorld(seed);
    this.choices = new SimRandomness(seed ^ 0x5DEECE66DL);
    this.disk = new SimFileSystem(choices.split());
    this.files = plants.files(disk);
    this.syncMode = SyncMode.values()[choices.below(3)];
    for (int i = 0; i < TABLES; i++) {
      tables.add(new Table("t" + i));
    }
    this.node = start();
  }

  long hash() {
    return world.hash();
  }

  @Override
  public String toString() {
    return "seed "
        + seed
        + " ("
        + syncMode
        + "): "
        + statements
        + " statements, "
        + comparisons
        + " comparisons, "
        + crashes
        + " crashes, "
        + world.steps()
        + " steps";
  }

  private SimNode start() {
    int shards = SHARDS[choices.below(SHARDS.length)];
    return new SimNode(world, files, shards, syncMode, plants);
  }

  void run(int rounds) {
    must(
        "CREATE KEYSPACE sim WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    for (Table table : tables) {
      create(table);
      settle();
    }
    for (int round = 0; round < rounds; round++) {
      int burst = 1 + choices.below(12);
      for (int i = 0; i < burst; i++) {
        one();
      }
      switch (choices.below(10)) {
        case 0, 1 -> crash();
        case 2 -> stopAndStart();
        case 3 -> passTime(choices.below(30));
        default -> settle();
      }
      compareAll();
    }
    settle();
    node.stop();
  }

  private void one() {
    Table table = tables.get(choices.below(TABLES));
    int kind = choices.below(100);
    if (kind < 4) {
      settle();
      define(table);
      settle();
    } else if (kind < 7 && table.exists()) {
      settle();
      submit("TRUNCATE sim." + table.name, table, TableState::truncated);
      settle();
    } else if (kind < 12) {
      trace("flush");
      node.flush();
    } else if (kind < 16) {
      trace("compact");
      node.compact();
    } else if (table.exists() && kind < 26) {
      batch(table);
    } else if (table.exists()) {
      Written written = draw(table);
      submit(written.cql, written.seconds, table, state -> state.with(written.change));
    }
  }

  private void define(Table table) {
    if (!table.exists()) {
      create(table);
    } else if (choices.below(3) == 0) {
      submit(
          "DROP TABLE sim." + table.name,
          table,
          state -> new TableState(false, true, new TableModel()));
    } else if (table.hasW()) {
      // never before an earlier drop: the later statement would win, and bring back what is still
      // there
      long timestamp = windowStart() + TIMESTAMPS - 1;
      submit(
          "ALTER TABLE sim." + table.name + " DROP w USING TIMESTAMP " + timestamp,
          table,
          state ->
              new TableState(
                  true, false, state.with(new Change.DropColumn("w", timestamp)).model()));
    } else {
      submit(
          "ALTER TABLE sim." + table.name + " ADD w int",
          table,
          state -> new TableState(true, true, state.model()));
    }
  }

  private void create(Table table) {
    submit(
        "CREATE TABLE sim."
            + table.name
            + " (p int, c int, d int, s int static, v int, w int, PRIMARY KEY (p, c, d)) WITH"
            + " CLUSTERING ORDER BY (c ASC, d DESC) AND gc_grace_seconds = "
            + GC_GRACE_SECONDS,
        table,
        state -> new TableState(true, true, new TableModel()));
  }

  private long seconds() {
    return world.clock().wallMicros() / 1_000_000;
  }

  private long timestamp() {
    return windowStart() + choices.below(TIMESTAMPS);
  }

  private long windowStart() {
    return seconds() / WINDOW_SECONDS * WINDOW_SECONDS * 1_000_000;
  }

  /** A statement and what it means, if it happens at the second it was drawn. */
  private final class Written {
    final String cql;
    final Change change;
    final long seconds = seconds();

    Written(String cql, Change change) {
      this.cql = cql;
      this.change = change;
    }
  }

  private Written draw(Table table) {
    int p = choices.below(PARTITIONS);
    int c = choices.below(CLUSTERINGS);
    int d = choices.below(3);
    long timestamp = timestamp();
    int ttl = choices.below(4) == 0 ? 1 + choices.below(15) : 0;
    String name = " sim." + table.name + " ";
    String key = " WHERE p = " + p + " AND c = " + c + " AND d = " + d;
    String using = " USING TIMESTAMP " + timestamp;
    return switch (choices.below(12)) {
      case 0 ->
          new Written(
              "DELETE FROM" + name + using + " WHERE p = " + p,
              new Change.DeletePartition(p, timestamp));
      case 1 ->
          new Written("DELETE FROM" + name + using + key, new Change.DeleteRow(p, c, d, timestamp));
      case 2, 3 -> deleteRange(name + using, p, c, timestamp);
      case 4 -> {
        Integer value = choices.below(4) == 0 ? null : choices.below(1000);
        yield new Written(
            "UPDATE" + name + using + ttl(ttl) + " SET s = " + value + " WHERE p = " + p,
            new Change.Static(p, value, timestamp, ttl, seconds()));
      }
      default -> cells(table, name, key, p, c, d, timestamp, ttl);
    };
  }

  private static String ttl(int ttl) {
    return ttl == 0 ? "" : " AND TTL " + ttl;
  }

  private Written deleteRange(String from, int p, int c, long timestamp) {
    int high = c + choices.below(3);
    boolean lowInclusive = choices.below(2) == 0;
    boolean highInclusive = choices.below(2) == 0;
    String cql =
        "DELETE FROM"
            + from
            + " WHERE p = "
            + p
            + " AND c "
            + (lowInclusive ? ">= " : "> ")
            + c
            + " AND c "
            + (highInclusive ? "<= " : "< ")
            + high;
    TableModel.Range range = new TableModel.Range(c, lowInclusive, high, highInclusive);
    return new Written(cql, new Change.DeleteRange(p, range, timestamp));
  }

  private Written cells(
      Table table, String name, String key, int p, int c, int d, long timestamp, int ttl) {
    Map<String, @Nullable Integer> values = new LinkedHashMap<>();
    boolean insert = choices.below(2) == 0;
    for (String column : TableModel.REGULAR) {
      if ((column.equals("v") || table.hasW()) && choices.below(3) > 0) {
        values.put(column, choices.below(5) == 0 ? null : choices.below(1000));
      }
    }
    if (values.isEmpty()) {
      values.put("v", choices.below(1000));
    }
    Change change = new Change.Cells(p, c, d, insert, values, timestamp, ttl, seconds());
    String using = " USING TIMESTAMP " + timestamp + ttl(ttl);
    if (insert) {
      StringBuilder columns = new StringBuilder();
      StringBuilder terms = new StringBuilder();
      values.forEach(
          (column, value) -> {
            columns.append(", ").append(column);
            terms.append(", ").append(value);
          });
      return new Written(
          "INSERT INTO"
              + name
              + "(p, c, d"
              + columns
              + ") VALUES ("
              + p
              + ", "
              + c
              + ", "
              + d
              + terms
              + ")"
              + using,
          change);
    }
    StringBuilder sets = new StringBuilder();
    values.forEach(
        (column, value) ->
            sets.append(sets.isEmpty() ? "" : ", ").append(column).append(" = ").append(value));
    return new Written("UPDATE" + name + using + " SET " + sets + key, change);
  }

  private void batch(Table table) {
    StringBuilder cql = new StringBuilder("BEGIN BATCH ");
    List<Change> changes = new ArrayList<>();
    int count = 2 + choices.below(3);
    for (int i = 0; i < count; i++) {
      Written written = draw(table);
      cql.append(written.cql).append("; ");
      changes.add(written.change);
    }
    submit(
        cql + "APPLY BATCH",
        seconds(),
        table,
        state -> {
          TableState changed = state;
          for (Change change : changes) {
            changed = changed.with(change);
          }
          return changed;
        });
  }

  private void submit(String cql, Table table, UnaryOperator<TableState> effect) {
    submit(cql, 0, table, effect);
  }

  private void submit(String cql, long nowSeconds, Table table, UnaryOperator<TableState> effect) {
    Pending change = new Pending(table, effect);
    pending.add(change);
    statements++;
    send(
        cql,
        nowSeconds,
        response -> {
          change.answered = true;
          if (response instanceof Response.Failure failure) {
            throw new AssertionError(this + ": " + cql + " → " + failure.message());
          }
          apply(table, effect);
          pending.remove(change);
        });
  }

  private static void apply(Table table, UnaryOperator<TableState> effect) {
    Set<TableState> changed = new LinkedHashSet<>();
    for (TableState state : table.possible) {
      changed.add(effect.apply(state));
    }
    table.possible = List.copyOf(changed);
  }

  private void send(String cql, long nowSeconds, Consumer<Response> whenAnswered) {
    trace(cql);
    node.query(choices.below(node.shards()), cql, nowSeconds, whenAnswered);
  }

  private Response ask(String cql) {
    Response[] answer = new Response[1];
    send(cql, 0, response -> answer[0] = response);
    world.runUntil(() -> answer[0] != null);
    return answer[0];
  }

  private void trace(String what) {
    if (TRACE) {
      System.out.println(seconds() + " " + what);
    }
  }

  private void must(String cql) {
    if (ask(cql) instanceof Response.Failure failure) {
      throw new AssertionError(this + ": " + cql + " → " + failure.message());
    }
  }

  private void settle() {
    world.runUntil(pending::isEmpty);
  }

  private void passTime(int seconds) {
    settle();
    world.runFor(seconds * 1_000_000_000L);
  }

  private void stopAndStart() {
    settle();
    node.stop();
    node = start();
  }

  private void crash() {
    int steps = choices.below(60);
    for (int i = 0; i < steps && world.step(); i++) {
      // the crash comes in the middle of things
    }
    crashes++;
    trace("crash");
    boolean power = syncMode != SyncMode.PERIODIC && choices.below(2) == 0;
    world.forgetTasks();
    if (power) {
      disk.losePower();
    } else {
      disk.killProcess();
    }
    node = start();
    settleDoubts();
  }

  /** Decides by what is there now which of the unanswered statements have happened. */
  private void settleDoubts() {
    List<Pending> doubts = new ArrayList<>(pending);
    pending.clear();
    for (Table table : tables) {
      List<Pending> own = new ArrayList<>();
      for (Pending doubt : doubts) {
        if (doubt.table == table) {
          own.add(doubt);
        }
      }
      if (!own.isEmpty()) {
        settleDoubts(table, own);
      }
    }
  }

  private void settleDoubts(Table table, List<Pending> doubts) {
    if (doubts.size() > 16) {
      throw new AssertionError("too many statements under way: " + doubts.size());
    }
    Set<TableState> possible = new LinkedHashSet<>();
    for (TableState before : table.possible) {
      for (int combination = 0; combination < 1 << doubts.size(); combination++) {
        TableState state = before;
        for (int i = 0; i < doubts.size(); i++) {
          if ((combination & 1 << i) != 0) {
            state = doubts.get(i).effect.apply(state);
          }
        }
        possible.add(state);
      }
    }
    Seen seen = read(table.name);
    List<TableState> before = table.possible;
    table.possible = List.copyOf(possible);
    if (!table.narrow(seen)) {
      throw new AssertionError(
          this
              + ": after a crash table "
              + table.name
              + " holds "
              + seen
              + ", which none of "
              + doubts.size()
              + " unanswered statements on top of "
              + before.getFirst().model().rows(seen.firstSecond)
              + " explains");
    }
    if (table.possible.size() > POSSIBLE_LIMIT && table.exists()) {
      submit("TRUNCATE sim." + table.name, table, TableState::truncated);
      settle();
    }
  }

  /** What a table was seen to hold, and during which seconds it was read. */
  private record Seen(
      boolean exists, boolean hasW, List<Row> rows, long firstSecond, long lastSecond) {
    boolean agrees(TableState state) {
      if (!exists || !state.exists()) {
        return exists == state.exists();
      }
      if (hasW != state.hasW()) {
        return false;
      }
      for (long second = firstSecond; second <= lastSecond; second++) {
        if (rows.equals(withoutW(state.model().rows(second), hasW))) {
          return true;
        }
      }
      return false;
    }
  }

  private static List<Row> withoutW(List<Row> rows, boolean hasW) {
    if (hasW) {
      return rows;
    }
    List<Row> without = new ArrayList<>();
    for (Row row : rows) {
      without.add(new Row(row.p(), row.c(), row.d(), row.s(), row.v(), null));
    }
    return without;
  }

  private Seen read(String table) {
    long first = seconds();
    Response response = ask("SELECT * FROM sim." + table);
    if (response instanceof Response.Failure failure) {
      if (!failure.message().contains("does not exist")) {
        throw new AssertionError(this + ": " + failure.message());
      }
      return new Seen(false, true, List.of(), first, seconds());
    }
    Response.Rows rows = (Response.Rows) response;
    Map<String, Integer> index = new TreeMap<>();
    for (int i = 0; i < rows.columns().size(); i++) {
      index.put(rows.columns().get(i).name(), i);
    }
    TreeMap<Integer, List<Row>> byPartition = new TreeMap<>();
    for (List<byte @Nullable []> row : rows.rows()) {
      Integer p = number(row, index, "p");
      byPartition
          .computeIfAbsent(p, key -> new ArrayList<>())
          .add(
              new Row(
                  p == null ? -1 : p,
                  number(row, index, "c"),
                  number(row, index, "d"),
                  number(row, index, "s"),
                  number(row, index, "v"),
                  number(row, index, "w")));
    }
    List<Row> sorted = new ArrayList<>();
    byPartition.values().forEach(sorted::addAll);
    return new Seen(true, index.containsKey("w"), sorted, first, seconds());
  }

  private static @Nullable Integer number(
      List<byte @Nullable []> row, Map<String, Integer> index, String column) {
    Integer at = index.get(column);
    byte[] value = at == null ? null : row.get(at);
    return value == null ? null : ByteBuffer.wrap(value).getInt();
  }

  private void compareAll() {
    settle();
    for (Table table : tables) {
      comparisons++;
      Seen seen = read(table.name);
      if (!table.narrow(seen)) {
        throw new AssertionError(
            this
                + ": table "
                + table.name
                + (table.exists() ? "" : " (dropped)")
                + " holds\n"
                + seen
                + "\ninstead of\n"
                + table.possible.getFirst().model().rows(seen.firstSecond));
      }
      if (table.exists()) {
        compareSlice(table, seen);
      }
    }
  }

  /** The same rows by slices, backwards, and by points. */
  private void compareSlice(Table table, Seen seen) {
    int p = choices.below(PARTITIONS);
    int c = choices.below(CLUSTERINGS);
    Response.Rows rows =
        (Response.Rows)
            ask(
                "SELECT c, d FROM sim."
                    + table.name
                    + " WHERE p = "
                    + p
                    + " AND c >= "
                    + c
                    + " ORDER BY c DESC");
    List<List<Integer>> found = new ArrayList<>();
    for (List<byte @Nullable []> row : rows.rows()) {
      Map<String, Integer> index = Map.of("c", 0, "d", 1);
      Integer rowC = number(row, index, "c");
      Integer rowD = number(row, index, "d");
      found.addFirst(List.of(rowC == null ? -1 : rowC, rowD == null ? -1 : rowD));
    }
    for (TableState state : table.possible) {
      for (long second = seen.firstSecond; second <= seconds(); second++) {
        if (slice(state.model().rows(second), p, c).equals(found)) {
          return;
        }
      }
    }
    throw new AssertionError(
        this
            + ": slice of partition "
            + p
            + " from "
            + c
            + " backwards yields "
            + found
            + " of "
            + seen);
  }

  private static List<List<Integer>> slice(List<Row> rows, int p, int fromC) {
    List<List<Integer>> slice = new ArrayList<>();
    for (Row row : rows) {
      if (row.p() == p && row.c() != null && row.d() != null && row.c() >= fromC) {
        slice.add(List.of(row.c(), row.d()));
      }
    }
    return slice;
  }
}
