package io.helenus.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.copy.Main;
import io.helenus.server.nodetool.NodeTool;
import io.helenus.server.process.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The files in {@code completion/}, which are generated from the commands: with {@code
 * -Dcompletion=write} they are written again.
 */
class CompletionTest {
  private static final Path FOLDER = Path.of("..", "completion").toAbsolutePath().normalize();

  private static CommandSpec helenus() {
    CommandSpec all = Commands.node();
    all.removeSubcommand("copy");
    all.addSubcommand("copy", Main.commands());
    return all;
  }

  private static void check(String name, CommandSpec commands) throws IOException {
    String generated = AutoComplete.bash(name, new CommandLine(commands)).stripTrailing() + "\n";
    Path file = FOLDER.resolve(name);
    if ("write".equals(System.getProperty("completion"))) {
      Files.writeString(file, generated);
    }
    assertEquals(
        Files.readString(file),
        generated,
        file
            + " is out of date: mvn test -pl release -am -Dtest=CompletionTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dcompletion=write");
  }

  @Test
  void theFilesHaveTheCommandsOfTheLaunchers() throws Exception {
    check("helenus", helenus());
    check("nodetool", NodeTool.commands());
  }

  /** What a shell that has read a file offers for the last word. */
  private static Set<String> complete(String... words) throws Exception {
    String script =
        """
        compopt() { :; } # works only while bash itself completes
        . "$1/$2"
        complete -p "$2" > /dev/null || exit 1
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
        _complete_"$1"
        printf '%s\\n' "${COMPREPLY[@]}"
        """;
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", script, "bash", FOLDER.toString()));
    command.addAll(List.of(words));
    Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, bash.waitFor(), output);
    Set<String> offered = new TreeSet<>();
    output.lines().map(String::strip).forEach(offered::add);
    return offered;
  }

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    assertEquals(Set.of("flush"), complete("nodetool", "fl"));
    assertEquals(
        Set.of("tablehistograms", "tablestats"), complete("nodetool", "--data", "d", "table"));
    assertTrue(complete("nodetool", "snapshot", "--t").contains("--tag"));
    assertEquals(Set.of("start", "status", "stop"), complete("helenus", "st"));
    assertTrue(complete("helenus", "").containsAll(List.of("copy", "dump", "verify")));
    assertEquals(
        Set.of("--to", "--to-keystore", "--to-tls", "--to-truststore", "--to-user"),
        complete("helenus", "copy", "--from", "a", "--to"));
    assertEquals(Set.of("manifest", "metadata"), complete("helenus", "dump", "m"));
  }
}
