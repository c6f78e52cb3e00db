package io.helenus.server.conformance;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs the scripts against a server that is flushed, compacted and restarted between statements,
 * and in the same way those of what Cassandra 5.0 lacks ({@code /cql-extensions}, reviewed by
 * hand).
 */
class ConformanceRestartTest extends ConformanceRun {
  @Override
  boolean losesConnections() {
    return true;
  }

  @TestFactory
  Stream<DynamicTest> withFlushCompactionAndRestartBetweenStatements() throws IOException {
    return scripts(2, Mode.disturbed(Disturbances::restartBeforeReads));
  }

  @TestFactory
  Stream<DynamicTest> extensions() throws IOException {
    return scripts(
        Script.readAll(ScriptTest.folder("/cql-extensions")),
        2,
        Mode.disturbed(Disturbances::restartBeforeReads));
  }
}
