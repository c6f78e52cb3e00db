package io.helenus.server.conformance;

import io.helenus.server.client.CqlClient;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs the scripts against a server in five ways; the sixth is {@link ConformanceRestartTest}, a
 * class of its own because two classes can run side by side, and the seventh, on three nodes, is
 * {@link ThreeNodesTest}.
 */
class ConformanceTest extends ConformanceRun {
  @TestFactory
  Stream<DynamicTest> withoutDisturbance() throws IOException {
    return scripts(2, UNDISTURBED);
  }

  @TestFactory
  Stream<DynamicTest> withAFlushAfterEveryWrite() throws IOException {
    return scripts(2, Mode.disturbed(Disturbances::flushAfterEveryWrite));
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
}
