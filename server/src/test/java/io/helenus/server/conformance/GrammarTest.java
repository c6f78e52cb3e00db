package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.cql.ast.Statement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.cql.parser.CqlSyntaxException;
import io.helenus.server.error.CqlException;
import io.helenus.server.schema.TypeResolver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks the grammar against the statements of the scripts, without a server: it parses what Apache
 * Cassandra parsed, and reports syntax errors at the same position.
 */
class GrammarTest {
  private static final String PARSED = "parsed";

  @Test
  void theParserReportsTheSameSyntaxErrorsAsCassandra() throws IOException {
    List<String> differences = new ArrayList<>();
    for (Script script : Script.readAll(ScriptTest.folder())) {
      for (Script.Statement statement : script.statements()) {
        if (statement.directive("batch").isEmpty()) {
          compare(script, statement, differences);
        }
      }
    }
    assertEquals(0, differences.size(), () -> String.join("\n", differences));
  }

  private static void compare(Script script, Script.Statement statement, List<String> differences) {
    List<String> recorded =
        statement.answer().stream()
            .filter(line -> line.startsWith("!"))
            .map(Comparison::essence)
            .toList();
    String actual = parse(statement);
    boolean syntaxError = recorded.stream().anyMatch(line -> line.startsWith("! 2000 line"));
    if (actual.equals(PARSED) ? syntaxError : !recorded.contains(actual)) {
      differences.add(
          String.format(
              "%s:%d %s\n  - %s\n  + %s",
              script.topic(),
              statement.lineNumber(),
              Literal.escape(statement.text()),
              recorded,
              actual));
    }
  }

  private static String parse(Script.Statement statement) {
    try {
      Statement parsed = CqlParser.parse(statement.text(), false, TypeResolver::requireClass);
      return parsed == null ? "nothing" : PARSED;
    } catch (CqlSyntaxException e) {
      return refusal(e.code() == CqlSyntaxException.Code.SYNTAX ? "! 2000 " : "! 2200 ", e);
    } catch (CqlException e) {
      return refusal("! 2000 ", e); // a custom type that does not exist
    }
  }

  private static String refusal(String code, Exception error) {
    return Comparison.essence(code + Literal.escape(String.valueOf(error.getMessage())));
  }
}
