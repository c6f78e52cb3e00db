package io.helenus.server.conformance;

import io.helenus.server.client.CqlClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs the conformance scripts from a shell.
 *
 * <pre>
 * Conformance check  HOST:PORT [script…]   compares, prints every mismatch and a summary; exit code 1 if there are any
 * Conformance record HOST:PORT [script…]   writes the answers into the scripts; only for use with Apache Cassandra
 * Conformance count            [script…]   counts statements and expected errors
 * </pre>
 *
 * <p>Without arguments, it uses all scripts in {@code server/src/test/resources/cql} or in the
 * folder named by the property {@code scripts}.
 */
public final class Conformance {
  private Conformance() {}

  /** The command-line entry point. */
  public static void main(String[] arguments) throws IOException {
    List<String> rest = new ArrayList<>(List.of(arguments));
    String command = rest.isEmpty() ? "" : rest.removeFirst();
    switch (command) {
      case "check" -> System.exit(check(rest.removeFirst(), scripts(rest)) ? 0 : 1);
      case "record" -> record(rest.removeFirst(), scripts(rest));
      case "count" -> count(scripts(rest));
      default -> {
        System.err.println("usage: check|record HOST:PORT [script…] | count [script…]");
        System.exit(2);
      }
    }
  }

  private static List<Script> scripts(List<String> names) throws IOException {
    if (names.isEmpty()) {
      return Script.readAll(
          Path.of(System.getProperty("scripts", "server/src/test/resources/cql")));
    }
    List<Script> scripts = new ArrayList<>();
    for (String name : names) {
      scripts.add(Script.read(Path.of(name)));
    }
    return scripts;
  }

  /** A runner for a server given as HOST:PORT. */
  public static ScriptRunner runner(String address) {
    return runner(address, CqlClient.DEFAULT_TIMEOUT_MILLIS);
  }

  /** A runner that waits this long for each answer. */
  public static ScriptRunner runner(String address, int timeoutMillis) {
    int colon = address.lastIndexOf(':');
    return new ScriptRunner(
        address.substring(0, colon),
        Integer.parseInt(address.substring(colon + 1)),
        timeoutMillis,
        ScriptRunner.Disturbance.NONE,
        false);
  }

  private static boolean check(String address, List<Script> scripts) throws IOException {
    List<Comparison> comparisons = new ArrayList<>();
    try (ScriptRunner runner = runner(address)) {
      for (Script script : scripts) {
        Comparison comparison = Comparison.of(script, runner.run(script));
        System.out.print(comparison.report());
        comparisons.add(comparison);
      }
    }
    comparisons.forEach(each -> System.out.println(each.summary()));
    int passed = comparisons.stream().mapToInt(Comparison::passed).sum();
    int failed = comparisons.stream().mapToInt(Comparison::failed).sum();
    System.out.printf(Locale.ROOT, "%d passed, %d failed%n", passed, failed);
    return failed == 0;
  }

  private static void record(String address, List<Script> scripts) throws IOException {
    try (ScriptRunner runner = runner(address)) {
      for (Script script : scripts) {
        script.write(runner.run(script));
      }
    }
    count(scripts(scripts.stream().map(script -> script.path().toString()).toList()));
  }

  private static void count(List<Script> scripts) {
    long statements = 0;
    long refusals = 0;
    for (Script script : scripts) {
      long ofScript = script.statements().stream().filter(Script.Statement::isRefusal).count();
      System.out.printf(
          Locale.ROOT,
          "%-28s %4d statements, %3d refusals%n",
          script.topic(),
          script.statements().size(),
          ofScript);
      statements += script.statements().size();
      refusals += ofScript;
    }
    System.out.printf(Locale.ROOT, "%d statements, %d refusals%n", statements, refusals);
  }
}
