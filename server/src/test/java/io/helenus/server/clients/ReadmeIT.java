package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executes the examples of README.md: its session is typed into the real cqlsh, its Java code is
 * compiled and run unchanged, and their output is compared with the output shown.
 */
class ReadmeIT {
  private static final String USUAL_PORT = "9042";
  private static final Pattern PROMPT = Pattern.compile("cqlsh(:\\w+)?> | {8,}\\.\\.\\. ?");
  private static final List<String> IMPORTS =
      List.of(
          "com.datastax.oss.driver.api.core.CqlSession",
          "com.datastax.oss.driver.api.core.cql.PreparedStatement",
          "com.datastax.oss.driver.api.core.cql.Row",
          "java.math.BigDecimal",
          "java.net.InetSocketAddress",
          "java.time.Instant");

  @TempDir private Path folder;

  @Test
  void theExamplesWorkAsShown() throws IOException {
    List<String> readme = Files.readAllLines(Path.of("..", "README.md"));
    try (ServerAddress server = ServerAddress.open(folder.resolve("data"))) {
      assertSession(server, blocks(readme, "## A first session with cqlsh").getFirst());
      List<List<String>> java = blocks(readme, "## And with the Java driver");
      assertEquals(java.get(1), runJava(server, java.get(0)));
    }
  }

  /** The indented blocks under a heading. */
  private static List<List<String>> blocks(List<String> lines, String heading) {
    List<List<String>> blocks = new ArrayList<>();
    boolean within = false;
    for (String line : lines.subList(lines.indexOf(heading) + 1, lines.size())) {
      if (line.startsWith("## ")) {
        break;
      }
      if (line.startsWith("    ")) {
        if (!within) {
          blocks.add(new ArrayList<>());
        }
        blocks.getLast().add(line.substring(4));
        within = true;
      } else if (!line.isBlank()) {
        within = false;
      }
    }
    return blocks;
  }

  private void assertSession(ServerAddress server, List<String> session) throws IOException {
    Path typed = folder.resolve("typed");
    List<String> input = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    for (String line : session) {
      Matcher prompt = PROMPT.matcher(line);
      if (prompt.lookingAt()) {
        input.add(line.substring(prompt.end()));
      } else if (!line.startsWith("$ ")) {
        shown.add(line.stripTrailing());
      }
    }
    Files.write(typed, input);
    String cqlsh = Toolchain.pythonPrograms().resolve("cqlsh").toString();
    String command =
        "'"
            + cqlsh
            + "' --tty --no-color "
            + server.host()
            + " "
            + server.port()
            + " < '"
            + typed
            + "' 2>&1";
    Toolchain.Run run =
        Toolchain.run(
            List.of("/bin/sh", "-c", command),
            folder,
            Map.of("HOME", folder.toString(), "TZ", "UTC", "PYTHONUNBUFFERED", "1"));
    String printed = run.out().replace(Integer.toString(server.port()), USUAL_PORT);
    assertEquals(0, run.exitCode(), printed);
    assertEquals(withoutBlankLines(shown), withoutBlankLines(printed.lines().toList()));
  }

  private static String withoutBlankLines(List<String> lines) {
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      String output = PROMPT.matcher(line).replaceAll("").stripTrailing();
      if (!output.isEmpty()) {
        text.append(output).append('\n');
      }
    }
    return text.toString();
  }

  private List<String> runJava(ServerAddress server, List<String> body) throws IOException {
    Path source = folder.resolve("Sample.java");
    List<String> lines = new ArrayList<>();
    IMPORTS.forEach(name -> lines.add("import " + name + ";"));
    lines.add("public class Sample {");
    lines.add("  public static void main(String[] arguments) {");
    for (String line : body) {
      lines.add(line.replace(USUAL_PORT, Integer.toString(server.port())));
    }
    lines.add("  }");
    lines.add("}");
    Files.write(source, lines);
    String classPath = driverPath();
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int compiled =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(out, out, "-cp", classPath, "-d", folder.toString(), source.toString());
    assertEquals(0, compiled, said::toString);
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String fullPath = folder + System.getProperty("path.separator") + classPath;
    Toolchain.Run run =
        Toolchain.run(
            List.of(java.toString(), "-cp", fullPath, "Sample"), folder, Map.of("TZ", "UTC"));
    assertEquals(0, run.exitCode(), run.err());
    return run.out().lines().toList();
  }

  /** The tests' class path without the server's logging, which would mix with the output. */
  private static String driverPath() {
    String separator = System.getProperty("path.separator");
    List<String> parts = new ArrayList<>();
    String whole =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String part : Pattern.compile(separator).split(whole)) {
      if (!part.contains("logback")) {
        parts.add(part);
      }
    }
    return String.join(separator, parts);
  }
}
