package io.helenus.server.modelling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.cql.parser.CqlParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole schemas of known applications, in our own words, with what is advised about them. The
 * outputs are kept; with {@code -Dmodelling.record=true} they are written again, to be read.
 */
class SchemasTest {
  private static final Path FOLDER =
      Path.of("src", "test", "resources", "modelling").toAbsolutePath();

  private static Report report(String name) throws IOException, ScriptException {
    Path folder = FOLDER.resolve(name);
    return Advised.about(
        Files.readString(folder.resolve("schema.cql")),
        Files.readString(folder.resolve("queries.cql")),
        null);
  }

  private static void assertKept(Path file, String actual) throws IOException {
    if (Boolean.getBoolean("modelling.record")) {
      Files.writeString(file, actual);
    }
    assertEquals(Files.readString(file), actual, "record with -Dmodelling.record=true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"killrvideo", "chat", "jaeger", "thingsboard"})
  void theAdviceIsKept(String name) throws IOException, ScriptException {
    assertKept(FOLDER.resolve(name).resolve("advice.txt"), TextReport.of(report(name)));
  }

  @Test
  void theOtherFormsAreKept() throws IOException, ScriptException {
    Report report = report("chat");
    Path folder = FOLDER.resolve("chat");
    assertKept(folder.resolve("advice.json"), JsonReport.of(report));
    assertKept(folder.resolve("advice.sarif"), SarifReport.of(report, "0"));
    assertKept(folder.resolve("advice.html"), HtmlReport.of(report));
  }

  /** The application with all that is proposed has no query left that is not served. */
  @ParameterizedTest
  @ValueSource(strings = {"killrvideo", "chat", "jaeger", "thingsboard"})
  void whatIsProposedServes(String name) throws IOException, ScriptException {
    Report before = report(name);
    StringBuilder schema =
        new StringBuilder(Files.readString(FOLDER.resolve(name).resolve("schema.cql")));
    before.proposals().forEach(each -> schema.append('\n').append(each.definition()));
    StringBuilder queries = new StringBuilder();
    int proposed = 0;
    for (Report.Judged each : before.queries()) {
      if (each.verdict() instanceof Verdict.Refused refused && !refused.instead().isEmpty()) {
        CqlParser.parse(refused.instead());
        queries.append(refused.instead()).append(";\n");
        proposed++;
      }
    }
    assertTrue(proposed > 0);
    Report after = Advised.about(schema.toString(), queries.toString(), null);
    assertEquals(proposed, after.queries().size());
    for (Report.Judged each : after.queries()) {
      assertTrue(each.verdict() instanceof Verdict.Served, () -> each.toString());
    }
  }

  @Test
  void thePageAsksNobodyForAnything() throws IOException, ScriptException {
    String page = HtmlReport.of(report("thingsboard"));
    assertFalse(page.contains("http:") || page.contains("https:"), "addresses");
    assertFalse(page.contains("<script") || page.contains("@import"), "programs, style sheets");
    assertTrue(page.contains("default-src 'none'"));
    assertTrue(page.contains("severity = 'CRITICAL'") || page.contains("&#39;CRITICAL"));
  }

  @Test
  void textsAreEscaped() throws ScriptException {
    String page =
        HtmlReport.of(
            Advised.about(
                "CREATE TABLE t (a text PRIMARY KEY, b text);"
                    + " /* <b>\"&\" */ SELECT * FROM t WHERE b = '<script>';"));
    assertFalse(page.contains("<script>") || page.contains("<b>"), page);
    assertTrue(page.contains("&lt;b&gt;&quot;&amp;&quot;"), page);
  }
}
