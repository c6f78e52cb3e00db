package io.helenus.server.differential;

import io.helenus.server.conformance.Comparison;
import io.helenus.server.conformance.Conformance;
import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Script;
import io.helenus.server.conformance.ScriptRunner;
import io.helenus.server.generated.GeneratedDefinitions;
import io.helenus.server.generated.GeneratedTypes;
import io.helenus.storage.testing.Shrinker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks for statements that two servers answer differently. The reference is Apache Cassandra.
 *
 * <pre>
 * Differential HOST:PORT-of-the-reference HOST:PORT-of-the-subject SEED STATEMENTS
 * </pre>
 *
 * <p>Keyspaces, tables, rows and queries are derived from the seed. After every 400 statements the
 * next seed starts with a new keyspace {@code differential_SEED}, which is dropped at its end. The
 * first difference of each kind is printed with its seed and statement number, and after the seed
 * again with the fewest statements that reproduce it; with {@code -Dhistories=FOLDER} these are
 * written there as a conformance script; {@code -Dshrinking.runs=0} skips this. {@code
 * -Dtimeout.seconds} is how long the reference may take to answer. With {@code -Dseeds=FOLDER} each
 * seed is written there as a script without the statements that are answered differently, to be
 * recorded and run without a reference. A seed ends early if the reference does not answer, or
 * reports a timeout of a write or a failed TRUNCATE, since its tables are unknown then. The exit
 * code is 1 if any difference is not deliberate.
 *
 * <p>Several seeds are tested at a time: {@code -Dlanes}, 2 by default. No seed is begun after
 * {@code -Dminutes}, a day by default. With {@code -Dindexes=false} no table has indexes, with
 * {@code -Dviews=false} none has materialized views. The servers must have these enabled otherwise,
 * and Helenus runs with {@code -D materialized_views_enabled=true -D cql_extensions=false}.
 *
 * <p>A difference is only counted if the reference gives the same answer each time that the fewest
 * statements are repeated, or the subject does not.
 */
final class Differential {
  private static final int STATEMENTS_OF_A_SEED = 400;
  private static final int REPETITIONS = 6;
  private static final int SHRINKING_RUNS = Integer.getInteger("shrinking.runs", 60);

  private static final int TIMEOUT_MILLIS = 1000 * Integer.getInteger("timeout.seconds", 15);
  private static final int MOST_ENDED = 100;
  private static final Pattern CREATED =
      Pattern.compile("^CREATE (?:TABLE|MATERIALIZED VIEW) ([tm]\\d+|\"(?:Tab |Mv)\\d+\")");
  private static final int LANES = Integer.getInteger("lanes", 2);
  private static final int MINUTES = Integer.getInteger("minutes", 24 * 60);

  private final int statements;
  private final long endNanos;
  private final Map<String, Integer> kinds = new TreeMap<>();
  private long nextSeed;
  private int begun;
  private int compared;
  private int accepted;
  private int withRows;
  private int allowed;
  private int ended;
  private int wavering;

  private Differential(long firstSeed, int statements, long endNanos) {
    this.nextSeed = firstSeed;
    this.statements = statements;
    this.endNanos = endNanos;
  }

  /** The command-line entry point. */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    if (arguments.length != 4) {
      System.err.println("usage: REFERENCE-HOST:PORT SUBJECT-HOST:PORT SEED STATEMENTS");
      System.exit(2);
    }
    Differential differential =
        new Differential(
            Long.parseLong(arguments[2]),
            Integer.parseInt(arguments[3]),
            System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES));
    useSetsAndMaps(arguments[0]);
    List<Future<?>> lanes = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(LANES)) {
      for (int i = 0; i < LANES; i++) {
        lanes.add(
            executor.submit(
                () -> {
                  differential.runLane(arguments[0], arguments[1]);
                  return null;
                }));
      }
    }
    for (Future<?> lane : lanes) {
      lane.get();
    }
    differential.printSummary();
    System.exit(differential.kinds.isEmpty() ? 0 : 1);
  }

  /**
   * Uses all sets and maps of scalar types. The reference sorts those inside other values in the
   * order of their first use, which would be descending if that were in a selection of a descending
   * column.
   */
  private static void useSetsAndMaps(String reference) throws IOException {
    List<String> statements = new ArrayList<>();
    statements.add("DROP KEYSPACE IF EXISTS differential_first");
    statements.add(
        "CREATE KEYSPACE differential_first WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    for (DataType.Scalar key : GeneratedTypes.SCALARS) {
      if (key != DataType.Scalar.DURATION) {
        String maps =
            GeneratedTypes.SCALARS.stream()
                .map(value -> ", m_" + value + " map<" + key + ", " + value + ">")
                .collect(Collectors.joining());
        statements.add(
            "CREATE TABLE differential_first.%s (k int PRIMARY KEY, s set<%s>%s)"
                .formatted("t_" + key, key, maps));
      }
    }
    statements.add("DROP KEYSPACE differential_first");
    try (ScriptRunner runner = Conformance.runner(reference, 4 * TIMEOUT_MILLIS)) {
      for (String text : statements) {
        List<String> answer =
            runner.answer(new Script.Statement(1, List.of(), List.of(text), List.of()));
        if (Difference.refused(answer)) {
          throw new IOException(text + ": " + answer);
        }
      }
    }
  }

  /** Tests one seed after the other. */
  private void runLane(String referenceAddress, String subjectAddress) throws IOException {
    try (DifferentialServers servers =
        new DifferentialServers(
            Conformance.runner(referenceAddress, TIMEOUT_MILLIS),
            Conformance.runner(subjectAddress, 10 * TIMEOUT_MILLIS))) {
      for (Round round = next(servers); round != null; round = next(servers)) {
        round.run();
      }
    }
  }

  /** The next seed; null if enough statements have been sent. */
  private synchronized @Nullable Round next(ServerPair servers) {
    if (begun >= statements || ended >= MOST_ENDED || System.nanoTime() >= endNanos) {
      return null;
    }
    int ofRound = Math.min(STATEMENTS_OF_A_SEED, statements - begun);
    begun += ofRound;
    return new Round(nextSeed++, ofRound, servers);
  }

  private synchronized void count(DifferentialRound round, int planned) {
    begun += round.sent().size() - planned;
    compared += round.sent().size();
    accepted += round.accepted();
    withRows += round.withRows();
  }

  private void printSummary() {
    System.out.printf(
        "%d statements, %d of them valid, %d with rows of both, %d allowed differences,"
            + " %d seeds ended as the reference did not answer, %d answers that it does not repeat,"
            + " other differences:%n",
        compared, accepted, withRows, allowed, ended, wavering);
    kinds.forEach((kind, count) -> System.out.printf("%6d %s%n", count, kind));
  }

  /** A seed and its differences. */
  private final class Round implements DifferentialRound.Listener {
    private final long seed;
    private final int planned;
    private final ServerPair servers;
    private final DifferentialRound round;
    private final List<Found> unshrunk = new ArrayList<>();
    private final Set<Script.Statement> different = new HashSet<>();

    /** The first difference of a kind, and what was sent up to it. */
    private record Found(String kind, int number, List<Script.Statement> statements) {}

    Round(long seed, int planned, ServerPair servers) {
      this.seed = seed;
      this.planned = planned;
      this.servers = servers;
      round = new DifferentialRound(seed, servers, this);
    }

    void run() throws IOException {
      dropKeyspaces(); // one server may still have them from another run
      round.run(planned);
      writeSeed();
      count(round, planned);
      if (SHRINKING_RUNS > 0) {
        for (Found each : unshrunk) {
          List<Script.Statement> fewest = shrunk(each);
          write(each.number, fewest);
          if (wavers(fewest)) {
            forget(each);
          }
        }
      }
    }

    @Override
    public void onEnd(Script.Statement last, List<String> answer) {
      different.add(last);
      synchronized (Differential.this) {
        ended++;
        System.out.printf("=== seed %d ends with statement %d%n", seed, round.sent().size());
        System.out.println(new Difference(last, answer, List.of()).report());
      }
    }

    @Override
    public void onDifference(Difference difference, boolean deliberate) {
      different.add(round.sent().getLast());
      synchronized (Differential.this) {
        String kind = difference.kind();
        if (deliberate) {
          allowed++;
        } else if (kinds.merge(kind, 1, Integer::sum) == 1) {
          int number = round.sent().size();
          System.out.printf("=== seed %d, statement %d: %s%n", seed, number, kind);
          System.out.print(definition(difference));
          System.out.println(difference.report());
          unshrunk.add(new Found(kind, number, new ArrayList<>(round.sent())));
        }
      }
    }

    /** The fewest statements before the one that differs for which it still does. */
    private List<Script.Statement> shrunk(Found failing) {
      Script.Statement last = failing.statements.getLast();
      List<Script.Statement> before =
          Shrinker.shrink(
              failing.statements.subList(0, failing.statements.size() - 1),
              SHRINKING_RUNS,
              candidate -> differs(candidate, last, failing.kind));
      List<Script.Statement> fewest = new ArrayList<>(before);
      fewest.add(last);
      synchronized (Differential.this) {
        System.out.printf(
            "=== seed %d: %s, in %d of %d statements%n",
            seed, failing.kind, fewest.size(), failing.statements.size());
        fewest.forEach(each -> each.lines().forEach(System.out::println));
      }
      return fewest;
    }

    private boolean differs(List<Script.Statement> candidate, Script.Statement last, String kind) {
      ServerPair.Answers answers = repeat(candidate, last);
      return answers.differ()
          && new Difference(last, answers.expected(), answers.actual()).kind().equals(kind);
    }

    private ServerPair.Answers repeat(List<Script.Statement> before, Script.Statement last) {
      try {
        dropKeyspaces();
        for (Script.Statement each : before) {
          servers.ask(each);
        }
        return servers.ask(last);
      } catch (IOException e) {
        throw new IllegalStateException("a server does not answer", e);
      }
    }

    /** Whether only the reference answers differently when the statements are repeated. */
    private boolean wavers(List<Script.Statement> all) {
      Set<List<String>> expected = new HashSet<>();
      Set<List<String>> actual = new HashSet<>();
      for (int i = 0; i < REPETITIONS; i++) {
        ServerPair.Answers answers = repeat(all.subList(0, all.size() - 1), all.getLast());
        expected.add(Comparison.essence(answers.expected()));
        actual.add(Comparison.essence(answers.actual()));
      }
      return actual.size() == 1 && expected.containsAll(actual);
    }

    private void forget(Found each) {
      synchronized (Differential.this) {
        kinds.remove(each.kind);
        wavering++;
        System.out.printf(
            "=== seed %d: %s: the reference does not always answer so%n", seed, each.kind);
      }
    }

    private void dropKeyspaces() throws IOException {
      for (String keyspace : List.of(round.keyspace(), round.keyspace() + "x")) {
        servers.ask(GeneratedDefinitions.plain("DROP KEYSPACE IF EXISTS " + keyspace));
      }
    }

    /** The definitions of the tables and views named in the statement. */
    private String definition(Difference difference) {
      StringBuilder text = new StringBuilder();
      for (Script.Statement statement : round.sent()) {
        Matcher created = CREATED.matcher(statement.text());
        if (created.find()
            && String.join(" ", difference.statement().lines()).contains(created.group(1))) {
          text.append(statement.text()).append('\n');
        }
      }
      return text.toString();
    }

    private void writeSeed() {
      List<Script.Statement> same = new ArrayList<>(round.sent());
      same.removeIf(different::contains);
      write("seeds", "generated-" + seed, same);
    }

    private void write(int number, List<Script.Statement> statements) {
      write("histories", "seed-" + seed + "-" + number, statements);
    }

    /** Writes a script to the folder named by a system property, if it is set. */
    private static void write(String property, String name, List<Script.Statement> statements) {
      String folder = System.getProperty(property);
      if (folder == null) {
        return;
      }
      Script script = new Script(Path.of(folder, name + ".cql"), new ArrayList<>(statements));
      try {
        Files.createDirectories(script.path().getParent());
        script.write(statements.stream().map(_ -> List.<String>of()).toList());
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
