package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScriptTest {
  /** The folder of the scripts recorded from Cassandra. */
  static Path folder() throws IOException {
    return folder("/cql");
  }

  /** A folder of scripts on the class path. */
  static Path folder(String resource) throws IOException {
    URL url = Objects.requireNonNull(ScriptTest.class.getResource(resource));
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private static Stream<Script.Statement> statements() throws IOException {
    return Script.readAll(folder()).stream().flatMap(script -> script.statements().stream());
  }

  @Test
  void everyStatementHasARecordedAnswer() throws IOException {
    assertEquals(
        List.of(), statements().filter(each -> each.answer().isEmpty()).limit(10).toList());
  }

  @Test
  void noRecordedAnswerIsAServerErrorOrMissing() throws IOException {
    assertEquals(
        List.of(),
        statements()
            .flatMap(each -> each.answer().stream())
            .filter(line -> line.startsWith("! 0000") || line.startsWith("! no answer"))
            .toList());
  }

  @Test
  void thereAreAtLeastSixHundredStatementsAndTwoHundredErrors() throws IOException {
    long refusals = statements().filter(Script.Statement::isRefusal).count();
    assertTrue(statements().count() >= 600);
    assertTrue(refusals >= 200);
  }
}
