package io.helenus.server.simulation.cluster;

import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimRandomness;
import io.helenus.storage.testing.Violation;
import io.helenus.storage.testing.ViolationError;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One run of three nodes, each of which misses some of the writes, and of a single node that gets
 * them all: their timestamps are given, so that both have the same rows. Every read that must see
 * what was written is answered by both, and the answers are the same: rows, bytes, pages, errors.
 * After a read at ALL each replica has what was read.
 *
 * <p>A QUORUM is right if each write reached one of its replicas; what the run keeps for that is,
 * for each partition, which replicas each write has reached, until reads of the whole partition
 * have brought it to others.
 */
final class DivergedRun implements ClusterRuns.Run {
  private static final int HOSTS = 3;
  private static final int EVERYWHERE = (1 << HOSTS) - 1;
  private static final long MILLI = 1_000_000L;
  private static final long ANSWER_NANOS = 30_000 * MILLI;

  /** The single node must keep what the replicas must keep, since writes arrive late. */
  private static final int LONG_GRACE_SECONDS = 864_000;

  private final int replicas;
  private final SimCluster cluster;
  private final SimCluster single;
  private final CutReplicas cuts = new CutReplicas(HOSTS);
  private final List<ReadTable> tables;
  private final DivergedCases cases = new DivergedCases();
  private final Map<ReadTable, Map<Integer, List<Integer>>> reached =
      new EnumMap<>(ReadTable.class);
  private final int longestJump;
  private long firstTimestamp;

  /** Makes the nodes, with the cuts in front of what a bug plants. */
  interface Nodes {
    /** The factory of the three nodes. */
    NodeFactory with(CutReplicas cuts);
  }

  /** Nodes that have not been started. */
  DivergedRun(long seed, int replicas, Nodes nodes, Consumer<String> trace) {
    this.replicas = replicas;
    SimRandomness choices = new SimRandomness(SimCluster.mix(seed, 0, 9));
    SyncMode syncMode = SyncMode.values()[choices.below(3)];
    cluster = new SimCluster(seed, HOSTS, syncMode, nodes.with(cuts), trace);
    single = new SimCluster(seed + 1, 1, syncMode, new RealNode.Factory(), line -> {});
    List<ReadTable> left = new ArrayList<>(List.of(ReadTable.values()));
    tables =
        List.of(left.remove(choices.below(left.size())), left.remove(choices.below(left.size())));
    tables.forEach(table -> reached.put(table, new TreeMap<>()));
    longestJump = choices.percent(20) ? 700 : 15;
    if (choices.percent(25)) {
      cuts.limitReplies(50 + choices.below(1_000));
    }
  }

  @Override
  public Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>(cluster.counters());
    cases.counts().forEach((name, count) -> all.merge(name, count, Long::sum));
    return all;
  }

  @Override
  public long run(List<Long> steps) {
    try {
      begin();
      for (long step : steps) {
        act(new SimRandomness(step));
      }
      finish();
    } catch (RuntimeException | AssertionError e) {
      throw ViolationError.of(e);
    }
    return cluster.time().hash();
  }

  // nodes

  private void begin() {
    for (int host = 0; host < HOSTS; host++) {
      cluster.start(host);
    }
    single.start(0);
    for (int host = 0; host < HOSTS; host++) {
      int each = host;
      cluster.await(() -> cluster.isReady(each), 60_000 * MILLI, "readiness");
    }
    single.await(() -> single.isReady(0), 60_000 * MILLI, "readiness");
    firstTimestamp = (cluster.seconds() - 1_000) * 1_000_000;
    define(cluster, replicas, 0);
    define(single, 1, LONG_GRACE_SECONDS);
    pass(5_000 * MILLI);
  }

  private void define(SimCluster nodes, int factor, int graceSeconds) {
    List<String> all = new ArrayList<>();
    all.add(
        "CREATE KEYSPACE r WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
            + factor
            + "}");
    all.add(ReadTable.type());
    tables.forEach(table -> all.addAll(table.definitions(graceSeconds)));
    for (String cql : all) {
      requireDone(ask(nodes, 0, 0, request(cql, ConsistencyLevel.ONE, -1)), cql);
    }
  }

  private static void requireDone(Answer answer, String cql) {
    if (!(answer instanceof Answer.Done)) {
      throw new ViolationError(Violation.UNEXPECTED_ERROR, cql + ": " + answer);
    }
  }

  private ClientRequest request(String cql, ConsistencyLevel level, int pageSize) {
    return new ClientRequest(cql, level, cluster.seconds(), pageSize, null, null, null);
  }

  private static Answer ask(SimCluster nodes, int host, int loop, ClientRequest request) {
    SimMember member = nodes.member(host);
    if (member == null) {
      throw new AssertionError("node " + host + " does not run");
    }
    Answer[] answer = new Answer[1];
    member.request(loop, request, given -> answer[0] = given);
    nodes.await(() -> answer[0] != null, ANSWER_NANOS, request.toString());
    return answer[0];
  }

  /** Lets time pass on all nodes. */
  private void pass(long nanos) {
    cluster.time().runFor(nanos);
    long behind = cluster.time().nanos() - single.time().nanos();
    if (behind > 0) {
      single.time().runFor(behind);
    }
  }

  private void act(SimRandomness choices) {
    ReadTable table = tables.get(choices.below(tables.size()));
    int dice = choices.below(100);
    if (dice < 25) {
      scenario(choices, table);
    } else if (dice < 55) {
      for (int i = choices.below(5); i >= 0; i--) {
        write(choices, table);
      }
    } else if (dice < 86) {
      read(choices, table);
    } else if (dice < 96) {
      rewriteFiles(choices);
    } else {
      pass(choices.below(longestJump) * 1_000 * MILLI);
    }
  }

  private void rewriteFiles(SimRandomness choices) {
    if (cluster.member(choices.below(HOSTS)) instanceof SimMember member) {
      member.rewriteFiles(choices.percent(50));
    }
    if (choices.percent(30) && single.member(0) instanceof SimMember member) {
      member.rewriteFiles(choices.percent(50));
    }
    pass(200 * MILLI);
  }

  // writes

  /** Of three replicas any may miss a write, of two one. */
  private void write(SimRandomness choices, ReadTable table) {
    DivergingWrites.Drawn write = DivergingWrites.draw(choices, table, firstTimestamp++);
    int host = write.lists() ? 0 : choices.below(HOSTS);
    int hosts = 1 << host;
    if (replicas == HOSTS) {
      hosts |= choices.percent(70) ? 1 << choices.below(HOSTS) : choices.below(EVERYWHERE + 1);
    } else {
      int other = choices.below(HOSTS);
      hosts |= EVERYWHERE & ~(choices.percent(60) ? 1 << other : 0);
    }
    write(choices, table, write, host, hosts);
  }

  /** Writes by one of the hosts, which are those that the write reaches, a bit for each. */
  private void write(
      SimRandomness choices, ReadTable table, DivergingWrites.Drawn write, int host, int hosts) {
    cuts.reach(hosts);
    ClientRequest request = request(write.cql(), ConsistencyLevel.ONE, -1);
    cluster.trace("to " + host + " and " + Integer.toBinaryString(hosts) + ": " + write.cql());
    requireDone(ask(cluster, host, choices.below(cluster.loops(host)), request), write.cql());
    cluster.await(() -> !cuts.isInFlight(), ANSWER_NANOS, "acknowledgements");
    requireDone(ask(single, 0, 0, request), write.cql());
    for (int p : write.partitions()) {
      reached.get(table).computeIfAbsent(p, key -> new ArrayList<>()).add(hosts);
    }
    cases.writes();
  }

  private void scenario(SimRandomness choices, ReadTable table) {
    long timestamp = firstTimestamp + DivergingWrites.TIMESTAMPS;
    firstTimestamp = timestamp + DivergedScenario.TIMESTAMPS;
    int one = choices.below(HOSTS);
    int other = (one + 1 + choices.below(HOSTS - 1)) % HOSTS;
    for (DivergedScenario.Step step : DivergedScenario.draw(choices, table, timestamp)) {
      switch (step) {
        case DivergedScenario.Reading(DivergedSelects.Drawn select) -> read(choices, table, select);
        case DivergedScenario.Writing(DivergedScenario.At at, DivergingWrites.Drawn write) -> {
          int host = at == DivergedScenario.At.OTHER ? other : one;
          // of two replicas one may be on neither host
          int alone = replicas == HOSTS ? 1 << host : EVERYWHERE & ~(1 << (host + 1) % HOSTS);
          int hosts = at == DivergedScenario.At.ALL ? EVERYWHERE : alone;
          write(choices, table, write, host, hosts);
        }
      }
    }
  }

  /** Whether the replicas on some hosts together have everything. */
  private boolean haveAll(ReadTable table, int hosts) {
    return hosts == EVERYWHERE
        || reached.get(table).values().stream()
            .allMatch(all -> all.stream().allMatch(each -> (each & hosts) != 0));
  }

  /** The replicas on some hosts have what one of them had of these partitions. */
  private void repaired(ReadTable table, int partition, int hosts) {
    reached
        .get(table)
        .forEach(
            (p, all) -> {
              if (partition == DivergedSelects.ALL || partition == p) {
                all.replaceAll(each -> (each & hosts) == 0 ? each : each | hosts);
                all.removeIf(each -> each == EVERYWHERE);
              }
            });
  }

  // reads

  private void read(SimRandomness choices, ReadTable table) {
    read(choices, table, DivergedSelects.draw(choices, table));
  }

  private void read(SimRandomness choices, ReadTable table, DivergedSelects.Drawn select) {
    int absent = choices.below(HOSTS);
    boolean all = replicas < HOSTS || choices.percent(35);
    int hosts = all ? EVERYWHERE : EVERYWHERE & ~(1 << absent);
    if (!haveAll(table, hosts)) {
      hosts = EVERYWHERE;
    }
    boolean isAll = hosts == EVERYWHERE;
    ConsistencyLevel level =
        isAll && (replicas == HOSTS || choices.percent(50))
            ? ConsistencyLevel.ALL
            : ConsistencyLevel.QUORUM;
    List<List<List<String>>> before = new ArrayList<>();
    if (replicas == HOSTS && choices.percent(40)) {
      for (int host = 0; host < HOSTS; host++) {
        before.add(rows(pages(cluster, List.of(host), choices, select, ConsistencyLevel.ONE)));
      }
    }
    cuts.reach(hosts);
    cuts.reading(select.cql());
    cluster.trace(
        "at "
            + level
            + " from "
            + Integer.toBinaryString(hosts)
            + ": "
            + select.cql()
            + " pages of "
            + select.pageSize());
    List<Answer> answer = pages(cluster, hosts(hosts), choices, select, level);
    List<Answer> expected = pages(single, List.of(0), choices, select, ConsistencyLevel.ONE);
    requireSame(select, expected, answer);
    cases.read(select, before, rows(answer), cuts.mostDataReads());
    if (answer.getLast() instanceof Answer.Failure) {
      return;
    }
    repaired(table, select.whole(), hosts);
    if (isAll && select.selectsAll()) {
      requireOnEach(choices, select, rows(expected));
    }
  }

  private static List<Integer> hosts(int bits) {
    List<Integer> all = new ArrayList<>();
    for (int host = 0; host < HOSTS; host++) {
      if ((bits & 1 << host) != 0) {
        all.add(host);
      }
    }
    return all;
  }

  /** The pages of an answer, each asked of one of some nodes. */
  private List<Answer> pages(
      SimCluster nodes,
      List<Integer> from,
      SimRandomness choices,
      DivergedSelects.Drawn select,
      ConsistencyLevel level) {
    SimRandomness own = choices.split();
    List<Answer> pages = new ArrayList<>();
    ClientRequest request = request(select.cql(), level, select.pageSize());
    while (true) {
      int host = from.get(own.below(from.size()));
      Answer answer = ask(nodes, host, own.below(nodes.loops(host)), request);
      pages.add(answer);
      if (!(answer instanceof Answer.Rows page && page.pagingState() instanceof byte[] state)) {
        return pages;
      }
      request = request.next(state);
    }
  }

  private static List<List<String>> rows(List<Answer> pages) {
    List<List<String>> rows = new ArrayList<>();
    for (Answer page : pages) {
      if (page instanceof Answer.Rows some) {
        rows.addAll(some.texts());
      }
    }
    return rows;
  }

  private static String text(List<Answer> pages) {
    StringBuilder text = new StringBuilder();
    for (Answer page : pages) {
      if (page instanceof Answer.Rows some) {
        some.texts().forEach(row -> text.append("\n    ").append(row));
        text.append("\n    --");
      } else {
        text.append("\n    ").append(page);
      }
    }
    return text.toString();
  }

  private static void requireSame(
      DivergedSelects.Drawn select, List<Answer> expected, List<Answer> answer) {
    String wanted = text(expected);
    String given = text(answer);
    if (!wanted.equals(given)) {
      throw new ViolationError(
          violation(rows(expected), rows(answer)),
          select.cql()
              + " in pages of "
              + select.pageSize()
              + "\n  instead of"
              + wanted
              + "\n  gives"
              + given);
    }
  }

  private static Violation violation(List<List<String>> wanted, List<List<String>> given) {
    Set<List<String>> missing = new HashSet<>(wanted);
    given.forEach(missing::remove);
    return missing.isEmpty() && given.size() > wanted.size()
        ? Violation.RESURRECTED
        : given.size() < wanted.size() ? Violation.LOST_WRITE : Violation.WRONG_ROW;
  }

  /** Each node asked alone answers the same. */
  private void requireOnEach(
      SimRandomness choices, DivergedSelects.Drawn select, List<List<String>> expected) {
    for (int host = 0; host < HOSTS; host++) {
      List<List<String>> own =
          rows(pages(cluster, List.of(host), choices, select, ConsistencyLevel.ONE));
      if (!own.equals(expected)) {
        throw new ViolationError(
            Violation.DIVERGED_REPLICAS,
            "node "
                + host
                + " after a read of all: "
                + select.cql()
                + "\n  instead of "
                + expected
                + "\n  gives "
                + own);
      }
    }
    cases.comparedReplicas();
  }

  private void finish() {
    SimRandomness choices = new SimRandomness(1);
    for (ReadTable table : tables) {
      read(choices, table, DivergedSelects.whole(table));
      cuts.reach(EVERYWHERE);
      requireOnEach(choices, DivergedSelects.whole(table), wholeOfSingle(choices, table));
    }
    for (int host = 0; host < HOSTS; host++) {
      cluster.stop(host);
    }
    single.stop(0);
  }

  private List<List<String>> wholeOfSingle(SimRandomness choices, ReadTable table) {
    DivergedSelects.Drawn whole = DivergedSelects.whole(table);
    List<Answer> all = pages(cluster, List.of(0), choices, whole, ConsistencyLevel.ALL);
    List<Answer> expected = pages(single, List.of(0), choices, whole, ConsistencyLevel.ONE);
    requireSame(whole, expected, all);
    return rows(expected);
  }
}
