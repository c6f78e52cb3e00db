package io.helenus.server.process;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.process.LevelAnswers.Key;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.Murmur3;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/**
 * Requests at every level to a cluster of three while its nodes stall, are down, and fail. All go
 * to node 1, but for those of which node 2, which refuses large mutations and partitions with many
 * tombstones, is the coordinator.
 *
 * <p>Each node has one token, so that owner, replicas and keys are the same on every cluster: the
 * replicas of what node n owns are n and those that follow. A coordinator prefers itself; which of
 * the others it asks if it needs not all, it may choose. The keys are such that Helenus chooses as
 * Cassandra does with {@code dynamic_snitch: false}: the first in the order of the ring.
 */
final class LevelCases {
  /** The tokens of the nodes. */
  static final List<Long> TOKENS =
      List.of(-6_000_000_000_000_000_000L, 0L, 6_000_000_000_000_000_000L);

  /** Of node 2; half of it is its largest mutation. */
  static final String SEGMENT_SIZE = "1MiB";

  /** What node 2 reads over. */
  static final String TOMBSTONE_FAILURE_THRESHOLD = "50";

  private static final int LARGE = 1200 << 10;
  private static final int TOMBSTONES = 60;
  private static final int UNAVAILABLE = 0x1000;

  /** Levels of a request; NODE_LOCAL is not for clients. */
  private static final List<ConsistencyLevel> LEVELS =
      Arrays.stream(ConsistencyLevel.values())
          .filter(level -> level != ConsistencyLevel.NODE_LOCAL)
          .toList();

  /** Levels that ask one, most and all replicas. */
  private static final List<ConsistencyLevel> FAILING =
      List.of(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, ConsistencyLevel.ALL);

  private static final int PATIENCE = 5;

  /** To requests on all shards of node 1. */
  private static final int CONNECTIONS = 4;

  private final LevelsCluster cluster;
  private final LevelAnswers answers = new LevelAnswers();
  private final int[][] keys = new int[4][2];

  private final int passes;

  private record Case(String name, ConsistencyLevel level, String cql) {}

  private final BiPredicate<Key, List<String>> settled;

  /**
   * Creates the cases.
   *
   * @param passes how often failures are provoked: how many have answered before may differ
   * @param settled whether nothing else need be expected of a request that has timed out
   */
  LevelCases(LevelsCluster cluster, int passes, BiPredicate<Key, List<String>> settled) {
    this.cluster = cluster;
    this.passes = passes;
    this.settled = settled;
    for (int owner = 1; owner <= 3; owner++) {
      int found = 0;
      for (int key = 0; found < 2; key++) {
        long token = token(key);
        if (owner(token) == owner && Long.remainderUnsigned(token, 6) == 0) {
          keys[owner][found++] = key;
        }
      }
    }
  }

  private static long token(int key) {
    return Murmur3.token(ByteBuffer.allocate(Integer.BYTES).putInt(key).array());
  }

  private static int owner(long token) {
    for (int i = 0; i < TOKENS.size(); i++) {
      if (token <= TOKENS.get(i)) {
        return i + 1;
      }
    }
    return 1;
  }

  /** Plays all of it on a cluster whose nodes are up. */
  LevelAnswers play() throws Exception {
    prepare();
    await(2, true);
    await(3, true);
    warmUp();
    section("all are live");
    failures();
    cluster.stall(2);
    stopped("2 is stopped");
    restore(2);
    cluster.stall(2);
    cluster.stall(3);
    stopped("2 and 3 are stopped");
    restore(2);
    restore(3);
    takeDown(3);
    section("3 is down");
    cluster.stall(2);
    stopped("2 is stopped, 3 is down");
    takeDown(2);
    section("2 and 3 are down");
    restore(3);
    section("2 is down");
    cluster.stall(3);
    stopped("3 is stopped, 2 is down");
    restore(3);
    restore(2);
    cluster.stall(3);
    stopped("3 is stopped");
    restore(3);
    return answers;
  }

  private void prepare() throws Exception {
    try (CqlClient client = cluster.connect(1, 5)) {
      for (int factor = 1; factor <= 3; factor++) {
        create(client, "s" + factor, "'SimpleStrategy', 'replication_factor': " + factor);
        create(client, "n" + factor, "'NetworkTopologyStrategy', 'datacenter1': " + factor);
      }
      for (int factor = 1; factor <= 3; factor++) {
        for (int owner = 1; owner <= 3; owner++) {
          fill(client, "s" + factor, owner);
          fill(client, "n" + factor, owner);
          for (int c = 0; c < TOMBSTONES; c++) {
            run(
                client,
                "DELETE FROM s%d.d WHERE k = %d AND c = %d".formatted(factor, keys[owner][0], c));
          }
        }
      }
    }
  }

  private static void create(CqlClient client, String keyspace, String replication)
      throws InterruptedException {
    run(
        client,
        "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': %s}"
            .formatted(keyspace, replication));
    for (String table : List.of("r", "w", "d")) {
      run(
          client,
          ("CREATE TABLE IF NOT EXISTS %s.%s (k int, c int, v text, PRIMARY KEY (k, c)) WITH"
                  + " speculative_retry = 'NONE'")
              .formatted(keyspace, table));
    }
  }

  private void fill(CqlClient client, String keyspace, int owner) throws InterruptedException {
    for (int key : keys[owner]) {
      run(client, "INSERT INTO %s.r (k, c, v) VALUES (%d, 1, 'v')".formatted(keyspace, key));
    }
  }

  /** Other nodes may not know a table yet. */
  private static void run(CqlClient client, String cql) throws InterruptedException {
    Response answer = client.query(cql, options(ConsistencyLevel.ALL));
    for (int i = 0; i < 200 && answer instanceof Response.Failure; i++) {
      Thread.sleep(50);
      answer = client.query(cql, options(ConsistencyLevel.ALL));
    }
    if (answer instanceof Response.Failure failure) {
      throw new AssertionError(cql + ": " + failure);
    }
  }

  private static QueryOptions options(ConsistencyLevel level) {
    return QueryOptions.NONE.withConsistency(level.code());
  }

  private void takeDown(int node) throws Exception {
    cluster.takeDown(node);
    await(node, false);
  }

  private void restore(int node) throws Exception {
    cluster.restore(node);
    await(node, true);
  }

  /** Waits until node 1 hears from a node, or knows that it is down. */
  private void await(int node, boolean live) throws Exception {
    for (int connection = 0; connection < CONNECTIONS; connection++) {
      try (CqlClient client = cluster.connect(1, 5)) {
        await(client, node, live);
      }
    }
  }

  /** By a write to what the node alone has. */
  private void await(CqlClient client, int node, boolean live) throws InterruptedException {
    for (int i = 0; i < 1200; i++) {
      Response answer = client.query(insert("s1", keys[node][0]), options(ConsistencyLevel.ONE));
      boolean down = answer instanceof Response.Failure failure && failure.code() == UNAVAILABLE;
      if (live ? !(answer instanceof Response.Failure) : down) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("node " + node + (live ? " is not live" : " is not down"));
  }

  // ---- what is played

  /**
   * Requests at every level.
   *
   * @param stopped whether there are nodes that do not answer although others take them for live
   */
  private List<Case> levels(boolean stopped) {
    List<Case> cases = new ArrayList<>();
    for (int factor = 1; factor <= 3; factor++) {
      for (String strategy : List.of("s", "n")) {
        for (int owner = 1; owner <= (factor == 3 ? 1 : 3); owner++) {
          ofOneReplicaSet(strategy + factor, factor, owner, cases);
        }
        if (!stopped || factor == 1) {
          // otherwise nobody can say which replicas of which range are asked
          ofAll(strategy + factor, cases);
        }
      }
    }
    return cases;
  }

  /** Runs all paths, which takes longer than a timeout when it is done for the first time. */
  private void warmUp() throws Exception {
    for (int i = 1; i < passes; i++) {
      answer(1, 5, levels(false));
    }
  }

  /** Levels when all that are not down answer: who is slow is asked again. */
  private void section(String nodes) throws Exception {
    play(nodes, 1, 5, 1, PATIENCE, levels(false));
  }

  /** The same when some do not answer. */
  private void stopped(String nodes) throws Exception {
    play(nodes, 1, 5, 1, cluster.retriesWhenStopped(), levels(true));
  }

  private void ofOneReplicaSet(String keyspace, int factor, int owner, List<Case> cases) {
    String at = " " + keyspace + " at " + replicas(factor, owner);
    int key = keys[owner][0];
    int other = keys[owner][1];
    add(cases, "INSERT" + at, insert(keyspace, key));
    add(cases, "SELECT" + at, "SELECT v FROM %s.r WHERE k = %d".formatted(keyspace, key));
    add(cases, "scan" + at, scan(keyspace + ".r", key));
    if (keyspace.startsWith("s")) {
      add(cases, "batch of one partition" + at, batch(insert(keyspace, key)));
      add(cases, "batch" + at, batch(insert(keyspace, key), insert(keyspace, other)));
    }
  }

  /** Reads of several replica sets. */
  private void ofAll(String keyspace, List<Case> cases) {
    int first = keys[1][0];
    int second = keys[2][0];
    int third = keys[3][0];
    add(
        cases,
        "SELECT IN " + keyspace,
        "SELECT v FROM %s.r WHERE k IN (%d, %d, %d)".formatted(keyspace, first, second, third));
    if (keyspace.startsWith("s")) {
      add(cases, "scan of all " + keyspace, "SELECT v FROM %s.r".formatted(keyspace));
    }
  }

  private static String insert(String keyspace, int key) {
    return "INSERT INTO %s.w (k, c, v) VALUES (%d, 1, 'v')".formatted(keyspace, key);
  }

  private static String batch(String... statements) {
    return "BEGIN UNLOGGED BATCH " + String.join("; ", statements) + "; APPLY BATCH";
  }

  private static String scan(String table, int key) {
    return "SELECT v FROM %s WHERE token(k) >= %d AND token(k) <= %d"
        .formatted(table, token(key), token(key));
  }

  private static String replicas(int factor, int owner) {
    Set<Integer> nodes = new TreeSet<>();
    for (int i = 0; i < factor; i++) {
      nodes.add(1 + (owner - 1 + i) % 3);
    }
    return nodes.toString().replaceAll("[\\[\\], ]", "");
  }

  private static void add(List<Case> cases, String name, String cql) {
    add(cases, name, cql, LEVELS);
  }

  private static void add(
      List<Case> cases, String name, String cql, List<ConsistencyLevel> levels) {
    for (ConsistencyLevel level : levels) {
      cases.add(new Case(name, level, cql));
    }
  }

  // ---- failures

  private void failures() throws Exception {
    for (int coordinator = 1; coordinator <= 2; coordinator++) {
      List<Case> cases = new ArrayList<>();
      for (int factor = 1; factor <= 3; factor++) {
        for (int owner = 1; owner <= (factor == 3 ? 1 : 3); owner++) {
          String replicas = replicas(factor, owner);
          if (replicas.contains("2")) {
            ofFailing("s" + factor, replicas, keys[owner][0], coordinator, cases);
          }
        }
      }
      for (int version : new int[] {5, 4}) {
        play(
            "2 fails, %d is the coordinator, protocol version %d".formatted(coordinator, version),
            coordinator,
            version,
            passes,
            PATIENCE,
            cases);
      }
    }
  }

  private static void ofFailing(
      String keyspace, String replicas, int key, int coordinator, List<Case> cases) {
    String at = " " + keyspace + " at " + replicas;
    String select = "SELECT v FROM %s.d WHERE k = %d".formatted(keyspace, key);
    add(cases, "SELECT" + at, select, FAILING);
    add(cases, "scan" + at, scan(keyspace + ".d", key), FAILING);
    if (coordinator == 1) {
      String large =
          "INSERT INTO %s.w (k, c, v) VALUES (%d, 1, '%s')"
              .formatted(keyspace, key, "x".repeat(LARGE));
      add(cases, "INSERT" + at, large, FAILING);
      add(cases, "batch" + at, batch(large, insert(keyspace, key)), FAILING);
    }
  }

  // ---- playing

  /**
   * Plays cases, and keeps the answers.
   *
   * @param times how often at least
   * @param more how often at most those that have timed out are played again: a reply that is late
   *     is none, so that of timeouts of one request that with the most replies is kept
   */
  private void play(
      String section, int coordinator, int version, int times, int more, List<Case> cases)
      throws Exception {
    Map<Case, LevelAnswers.Texts> found = new LinkedHashMap<>();
    cases.forEach(each -> found.put(each, new LevelAnswers.Texts()));
    for (int i = 0; i < times; i++) {
      answer(coordinator, version, cases)
          .forEach((each, answer) -> found.get(each).add(answer, each.level(), cluster));
    }
    for (int i = 0; i < more; i++) {
      List<Case> again =
          cases.stream().filter(each -> isOpen(section, each, found.get(each))).toList();
      answer(coordinator, version, again)
          .forEach((each, answer) -> found.get(each).add(answer, each.level(), cluster));
    }
    found.forEach((each, texts) -> answers.add(section, each.name(), each.level(), texts.all()));
  }

  private boolean isOpen(String section, Case each, LevelAnswers.Texts texts) {
    return texts.haveTimedOut()
        && !settled.test(new Key(section, each.name(), each.level()), texts.all());
  }

  private Map<Case, Response> answer(int coordinator, int version, List<Case> cases)
      throws Exception {
    Map<Case, Response> found = new LinkedHashMap<>();
    try (CqlClient client = cluster.connect(coordinator, version)) {
      for (int from = 0; from < cases.size(); from += cluster.requestsAtOnce()) {
        List<Case> some =
            cases.subList(from, Math.min(cases.size(), from + cluster.requestsAtOnce()));
        List<Integer> streams = new ArrayList<>();
        for (Case each : some) {
          streams.add(client.sendQuery(each.cql(), options(each.level())));
        }
        for (int i = 0; i < some.size(); i++) {
          found.put(some.get(i), client.receive(streams.get(i)));
        }
      }
    }
    return found;
  }
}
