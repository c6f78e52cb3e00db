package io.helenus.server.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.error.CqlError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Compares the answers to resources/query/statements.cql with those recorded by record.py. */
class RecordedAnswersTest {
  private static final int PAGE_SIZE = 5000;

  @Test
  void everyStatementIsAcceptedOrRefusedAsByCassandra() throws IOException {
    QueryFixture cql = new QueryFixture();
    lines("schema.cql").forEach(cql::run);
    List<String> statements = lines("statements.cql");
    List<String> answers = lines("answers.txt");
    assertEquals(statements.size(), answers.size(), "run record.py again");
    List<String> different = new ArrayList<>();
    int refusals = 0;
    for (int i = 0; i < statements.size(); i++) {
      CqlError error = cql.tryRun(statements.get(i), PAGE_SIZE, null).error();
      String answer = error == null ? "OK" : "%04x %s".formatted(error.code(), error.message());
      if (!answer.equals(answers.get(i))) {
        different.add(statements.get(i) + "\n  - " + answers.get(i) + "\n  + " + answer);
      }
      refusals += error == null ? 0 : 1;
    }
    assertEquals("", String.join("\n", different));
    assertTrue(refusals > 150, refusals + " refusals");
  }

  private static List<String> lines(String name) throws IOException {
    InputStream file = RecordedAnswersTest.class.getResourceAsStream("/query/" + name);
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(Objects.requireNonNull(file, name), StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank()).toList();
    }
  }
}
