package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The exit code and output of a command.
 *
 * @param output standard output and errors
 */
record Outcome(int code, String output) {
  /** Runs a launcher in a folder until it ends. */
  static Outcome of(Path launcher, Path where, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    Path output = where.resolve("output-" + System.nanoTime());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("HELENUS_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertTrue(process.waitFor(10, TimeUnit.MINUTES), "the command did not end");
    String text = Files.readString(output, StandardCharsets.UTF_8);
    Files.delete(output);
    return new Outcome(process.exitValue(), text);
  }
}
