package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.cql.parser.GoldenStatements.Refused;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Statements that Cassandra 5.0 accepts or rejects, with its messages. */
class GoldenStatementsTest {
  /**
   * Position, kind and offending token; then the expected tokens, which may differ; then the
   * snippet.
   */
  private static final Pattern EXPECTING =
      Pattern.compile("(?s)(line \\d+:-?\\d+ .*? expecting )(\\S+)( \\(.*\\))?");

  @Test
  void statementsAcceptedByCassandraAreAccepted() {
    List<String> accepted = GoldenStatements.accepted();
    assertTrue(accepted.size() >= 400, "the file is truncated");
    assertAll(
        accepted.stream()
            .map(
                statement ->
                    (Executable)
                        () ->
                            assertFalse(
                                CqlParser.parse(statement).feature().isEmpty(), statement)));
  }

  @Test
  void statementsRejectedByCassandraAreRejectedWithTheSameMessage() {
    List<Refused> refused = GoldenStatements.refused();
    assertTrue(refused.size() >= 1000, "the file is truncated");
    assertAll(refused.stream().map(each -> (Executable) () -> assertRefused(each)));
  }

  private static void assertRefused(Refused golden) {
    CqlSyntaxException error =
        assertThrows(
            CqlSyntaxException.class,
            () -> assertTrue(CqlParser.parse(golden.statement()).feature().isEmpty()),
            golden.statement());
    assertEquals(golden.code(), error.code().name(), golden.statement());
    assertEquals(
        withoutExpected(golden.message()), withoutExpected(error.getMessage()), golden.statement());
  }

  private static String withoutExpected(String message) {
    Matcher matcher = EXPECTING.matcher(message);
    if (!matcher.matches()) {
      return message;
    }
    return matcher.group(1) + "…" + (matcher.group(3) == null ? "" : matcher.group(3));
  }

  @Test
  void semicolonsMayEndAStatement() {
    assertEquals(
        List.of(CqlParser.parse("USE ks"), CqlParser.parse("USE ks")),
        Stream.of("USE ks;", "USE ks ; ;").map(CqlParser::parse).toList());
  }
}
