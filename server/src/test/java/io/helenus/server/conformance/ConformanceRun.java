package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.helenus.server.client.CqlClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the scripts against a server in one way. A failure shows a diff of each statement whose
 * answer differs. {@code -Dconformance.scripts=a,b} runs only the scripts with these topics.
 */
abstract class ConformanceRun {
  private static final List<String> ONLY =
      Pattern.compile(",")
          .splitAsStream(System.getProperty("conformance.scripts", ""))
          .filter(topic -> !topic.isEmpty())
          .toList();

  @TempDir Path folder;

  /** The script in which the server did not answer: each further statement would wait as long. */
  private @Nullable String unanswered;

  /** Creates the runner of one mode. */
  interface Mode {
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

  /** Whether a disturbance may close the connections of a script. */
  boolean losesConnections() {
    return false;
  }

  static final Mode UNDISTURBED = Mode.disturbed(_ -> ScriptRunner.Disturbance.NONE);

  final Stream<DynamicTest> scripts(int shards, Mode mode) throws IOException {
    return scripts(Script.readAll(ScriptTest.folder()), shards, mode);
  }

  final Stream<DynamicTest> scripts(List<Script> scripts, int shards, Mode mode)
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

  private void check(Script script, ScriptRunner runner) throws IOException {
    assertNull(unanswered, "the script in which the server did not answer");
    try (runner) {
      List<List<String>> answers = runner.run(script);
      // what is left would be flushed, compacted and opened again with each later script
      runner.cleanUp(script);
      Comparison comparison =
          losesConnections()
              ? Comparison.ofReconnected(script, answers)
              : Comparison.of(script, answers);
      assertEquals(0, comparison.failed(), () -> comparison.summary() + "\n" + comparison.report());
    } catch (IOException e) {
      unanswered = script.topic();
      throw e;
    }
  }
}
