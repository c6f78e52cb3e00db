package io.helenus.server.differential;

import io.helenus.server.conformance.Script;
import io.helenus.server.conformance.ScriptRunner;
import io.helenus.server.generated.GeneratedDefinitions;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The servers that the differential tester compares, asked at the same time. After a statement that
 * makes them build indexes or views it waits until these are built, as queries of them fail before
 * or find only a part of the rows. Not thread-safe.
 */
final class DifferentialServers implements ServerPair, AutoCloseable {
  private static final Pattern BUILDS =
      Pattern.compile(
          "(?is)\\s*(?:create\\s+(?:(?:custom\\s+)?index|materialized\\s+view)|alter\\s+type)\\b.*");
  private static final Pattern CHANGED = Pattern.compile("> (?:UPDATED|CREATED) \\w+ (\\w+)\\..*");
  private static final Pattern ROW = Pattern.compile("> (?!\\w+\\.[^:]+: ).*");
  private static final String NOT_AVAILABLE = "INDEX_NOT_AVAILABLE";
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int PAUSE_MILLIS = 50;

  private final ScriptRunner reference;
  private final ScriptRunner subject;
  private final ExecutorService executor = Executors.newSingleThreadExecutor();

  DifferentialServers(ScriptRunner reference, ScriptRunner subject) {
    this.reference = reference;
    this.subject = subject;
  }

  @Override
  public Answers ask(Script.Statement statement) throws IOException {
    Answers answers = askBoth(statement);
    Matcher changed = CHANGED.matcher(answers.expected().getLast());
    if (BUILDS.matcher(statement.text()).matches() && changed.matches()) {
      String keyspace = changed.group(1);
      answers =
          new Answers(
              built(reference, keyspace, answers.expected()),
              built(subject, keyspace, answers.actual()));
    }
    long end = System.nanoTime() + WAIT_NANOS;
    while (fails(answers.expected()) && System.nanoTime() < end) {
      pause();
      answers = askBoth(statement);
    }
    return answers;
  }

  /** Whether an index cannot be queried yet, although it is built. */
  private static boolean fails(List<String> answer) {
    return answer.getLast().contains(NOT_AVAILABLE);
  }

  /** Asks the subject in another thread while the reference answers. */
  private Answers askBoth(Script.Statement statement) throws IOException {
    Future<List<String>> actual = executor.submit(() -> subject.answer(statement));
    List<String> expected = reference.answer(statement);
    try {
      return new Answers(expected, actual.get());
    } catch (ExecutionException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** The answer of a server once all indexes and views of a keyspace are built there. */
  private static List<String> built(ScriptRunner server, String keyspace, List<String> answer)
      throws IOException {
    long end = System.nanoTime() + WAIT_NANOS;
    while (!isBuilt(server, keyspace)) {
      if (System.nanoTime() >= end) {
        return List.of(
            DifferentialRound.UNANSWERED_PREFIX + ": its indexes and views are not built");
      }
      pause();
    }
    return answer;
  }

  private static boolean isBuilt(ScriptRunner server, String keyspace) throws IOException {
    String where = " = '" + keyspace + "'";
    String ofKeyspace = " WHERE keyspace_name" + where;
    return rows(server, "index_name FROM system.\"IndexInfo\" WHERE table_name" + where)
            .containsAll(rows(server, "index_name FROM system_schema.indexes" + ofKeyspace))
        && rows(server, "view_name FROM system.built_views" + ofKeyspace)
            .containsAll(rows(server, "view_name FROM system_schema.views" + ofKeyspace));
  }

  private static Set<String> rows(ScriptRunner server, String selection) throws IOException {
    return server.answer(GeneratedDefinitions.plain("SELECT " + selection)).stream()
        .filter(line -> ROW.matcher(line).matches())
        .collect(Collectors.toSet());
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    executor.close();
    reference.close();
    subject.close();
  }
}
