package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command, and {@code docs/modelling.md}, whose commands are run on the page's own files. */
class AdviseCommandTest {
  private static final Path PAGE = Path.of("..", "docs", "modelling.md");
  private static final Pattern FILE =
      Pattern.compile("```(?:cql|log) (\\S+)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern COMMAND =
      Pattern.compile("```console\n\\$ bin/helenus (advise [^\n]+)\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private static PrintStream print(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  private int run(String... arguments) {
    out.reset();
    err.reset();
    Arguments.Outcome outcome = Arguments.read(arguments, print(out), print(err));
    if (outcome instanceof Arguments.Outcome.Exit exit) {
      return exit.code();
    }
    Arguments.Outcome.Advise advise =
        assertInstanceOf(Arguments.Outcome.Advise.class, outcome, err::toString);
    return AdviseCommand.run(advise.request(), folder, print(out), print(err));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text);
  }

  /** With -Dmodelling.record=true the outputs in the page are written again. */
  @Test
  void thePageShowsWhatItsCommandsPrint() throws IOException {
    String page = Files.readString(PAGE);
    Matcher files = FILE.matcher(page);
    while (files.find()) {
      write(files.group(1), files.group(2));
    }
    StringBuilder printed = new StringBuilder();
    Matcher commands = COMMAND.matcher(page);
    int count = 0;
    while (commands.find()) {
      run(commands.group(1).split(" ", -1));
      assertEquals("", err());
      String block = "```console\n$ bin/helenus " + commands.group(1) + "\n" + out() + "```";
      commands.appendReplacement(printed, Matcher.quoteReplacement(block));
      count++;
    }
    commands.appendTail(printed);
    assertTrue(count >= 5, "commands");
    if (Boolean.getBoolean("modelling.record")) {
      Files.writeString(PAGE, printed);
    } else {
      assertEquals(printed.toString(), page, "record with -Dmodelling.record=true");
    }
  }

  @Test
  void theExitCodeSaysWhetherThereIsAdvice() throws IOException {
    write("t.cql", "CREATE TABLE t (a int PRIMARY KEY, b int);");
    write("good.cql", "SELECT * FROM t WHERE a = 1;");
    write("bad.cql", "SELECT * FROM t WHERE b = 1;");
    assertEquals(0, run("advise", "t.cql"), this::err);
    assertEquals(0, run("advise", "t.cql", "good.cql"), this::err);
    assertEquals(1, run("advise", "t.cql", "bad.cql"), this::err);
    assertEquals(0, run("--config", "helenus.yaml", "advise", "t.cql", "good.cql"), this::err);
  }

  @Test
  void aTableThatNoQueryReadsIsOnlyNoted() throws IOException {
    write("t.cql", "CREATE TABLE t (a int PRIMARY KEY); CREATE TABLE u (a int PRIMARY KEY);");
    write("good.cql", "SELECT * FROM t WHERE a = 1;");
    assertEquals(0, run("advise", "t.cql", "good.cql"), this::err);
    assertTrue(out().contains("1 table that no query reads"), out());
  }

  @Test
  void whatCannotBeReadIsSaid() throws IOException {
    assertEquals(2, run("advise"));
    assertTrue(err().startsWith("helenus: advise needs SCHEMA, or --node HOST"), err());
    assertEquals(2, run("advise", "none.cql"));
    assertEquals("helenus: cannot read none.cql: no such file\n", err());
    write("t.cql", "CREATE TABLE t (a int PRIMARY KEY);\n\nCREATE TABLE t (a int PRIMARY KEY);");
    assertEquals(2, run("advise", "t.cql"));
    assertEquals("t.cql:3: Cannot add already existing table \"t\" to keyspace \"app\"\n", err());
    assertEquals("", out());
    Files.write(folder.resolve("binary"), new byte[] {(byte) 0xFF, (byte) 0xFE});
    assertEquals(2, run("advise", "binary"));
    assertEquals("helenus: cannot read binary: it is not a text in UTF-8\n", err());
    assertEquals(2, run("advise", "--format", "pdf", "t.cql"));
    assertTrue(err().startsWith("helenus: unknown format 'pdf'"), err());
    assertEquals(2, run("advise", "t.cql", "u.cql", "v.cql"));
  }

  @Test
  void theOutputMayBeAFile() throws IOException {
    write("t.cql", "CREATE TABLE t (a int PRIMARY KEY);");
    assertEquals(0, run("advise", "--format", "html", "--output", "t.html", "t.cql"), this::err);
    assertEquals("", out());
    assertTrue(Files.readString(folder.resolve("t.html")).startsWith("<!DOCTYPE html>"));
    assertEquals(2, run("advise", "--output", "none/t.txt", "t.cql"));
    assertTrue(err().startsWith("helenus: cannot write none/t.txt"), err());
    assertFalse(Files.exists(folder.resolve("none")));
  }
}
