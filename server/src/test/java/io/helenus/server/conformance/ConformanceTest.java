package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.client.CqlClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the scripts against a server in six ways, and those of what Cassandra 5.0 lacks ({@code
 * /cql-extensions}, reviewed by hand) in one. A failure shows a diff of each statement whose answer
 * differs. {@code -Dconformance.scripts=a,b} runs only the scripts with these topics.
 */
class ConformanceTest {
  private static final List<String> ONLY =
      Pattern.compile(",")
          .splitAsStream(System.getProperty("conformance.scripts", ""))
          .filter(topic -> !topic.isEmpty())
          .toList();

  @TempDir Path folder;

  /** Creates the runner of one mode. */
  private interface Mode {
    ScriptRunner runner(ServerUnderTest server);

    /** Disturbs the server between statements. */
    static Mode disturbed(Function<ServerUnderTest, ScriptRunner.Disturbance> disturbance) {
      return server ->
          new ScriptRunner(
              server.host(),
              server.port(),
              CqlClient.DEFAULT_TIMEOUT_MILLIS,
              disturbance.apply(server),
              false);
    }
  }

  private static final Mode UNDISTURBED = Mode.disturbed(_ -> ScriptRunner.Disturbance.NONE);

  @TestFactory
  Stream<DynamicTest> withoutDisturbance() throws IOException {
    return scripts(2, UNDISTURBED);
  }

  @TestFactory
  Stream<DynamicTest> withAFlushAfterEveryWrite() throws IOException {
    return scripts(2, Mode.disturbed(Disturbances::flushAfterEveryWrite));
  }

  @TestFactory
  Stream<DynamicTest> withFlushCompactionAndRestartBetweenStatements() throws IOException {
    return scripts(2, Mode.disturbed(Disturbances::restartBeforeReads));
  }

  @TestFactory
  Stream<DynamicTest> onOneShard() throws IOException {
    return scripts(1, UNDISTURBED);
  }

  @TestFactory
  Stream<DynamicTest> onFourShards() throws IOException {
    return scripts(4, UNDISTURBED);
  }

  /** Every statement runs by the plan of its shape if it has one, with its constants as values. */
  @TestFactory
  Stream<DynamicTest> withConstantsAsValues() throws IOException {
    return scripts(
        2,
        server ->
            new ScriptRunner(
                server.host(),
                server.port(),
                CqlClient.DEFAULT_TIMEOUT_MILLIS,
                ScriptRunner.Disturbance.NONE,
                true));
  }

  @TestFactory
  Stream<DynamicTest> extensions() throws IOException {
    return scripts(
        Script.readAll(ScriptTest.folder("/cql-extensions")),
        2,
        Mode.disturbed(Disturbances::restartBeforeReads));
  }

  private Stream<DynamicTest> scripts(int shards, Mode mode) throws IOException {
    return scripts(Script.readAll(ScriptTest.folder()), shards, mode);
  }

  private Stream<DynamicTest> scripts(List<Script> scripts, int shards, Mode mode)
      throws IOException {
    ServerUnderTest server = new NodeUnderTest();
    server.start(folder.resolve("all"), shards);
    return scripts.stream()
        .filter(script -> ONLY.isEmpty() || ONLY.contains(script.topic()))
        .map(
            script ->
                DynamicTest.dynamicTest(
                    script.topic(),
                    () -> {
                      if (script.settings().isEmpty()) {
                        check(script, mode.runner(server));
                      } else {
                        checkAlone(script, shards, mode);
                      }
                    }))
        .onClose(server::close);
  }

  /** Runs a script on a server with its settings. */
  private void checkAlone(Script script, int shards, Mode mode) throws IOException {
    try (ServerUnderTest server = new NodeUnderTest()) {
      server.start(folder.resolve(script.topic()), shards, script.settings());
      check(script, mode.runner(server));
    }
  }

  private static void check(Script script, ScriptRunner runner) throws IOException {
    try (runner) {
      Comparison comparison = Comparison.of(script, runner.run(script));
      assertEquals(0, comparison.failed(), () -> comparison.summary() + "\n" + comparison.report());
    }
  }
}
