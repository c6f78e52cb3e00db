package io.helenus.server.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Turns scripts for one node into scripts for three: keyspaces with one replica have three, and
 * requests without a level have QUORUM. Searches of vectors ask one replica, so that all others
 * have ALL in scripts with such. Stateless.
 */
final class ThreeReplicas {
  private static final Pattern ONE_REPLICA =
      Pattern.compile(
          "(?is)(?<before>^(?:CREATE|ALTER) +KEYSPACE .*'(?:replication_factor|datacenter1)' *:"
              + " *'?)1(?<after>'?\\s*}.*)");
  private static final Pattern FACTOR =
      Pattern.compile("(?<name>['\"](?:replication_factor|datacenter1)['\"]+: ['\"]+)\\d(?=['\"])");

  /** What is said of factors. */
  private static final Pattern FACTOR_WARNING =
      Pattern.compile("> warning: (?:Your replication factor|When increasing replication) .*");

  /** Shows how many nodes there are. */
  private static final Pattern SHOWS_NODES =
      Pattern.compile("(?i).*(?:DESCRIBE CLUSTER|FROM system\\.peers).*");

  private ThreeReplicas() {}

  /** The script for three nodes, with its recorded answers, without what is about one node. */
  static Script of(Script script) {
    String level =
        script.statements().stream().anyMatch(ThreeReplicas::isSearch) ? "ALL" : "QUORUM";
    return new Script(
        script.path(),
        script.entries().stream()
            .filter(entry -> !isAboutOneNode(entry))
            .map(
                entry ->
                    entry instanceof Script.Statement statement
                        ? replicated(statement, level)
                        : entry)
            .toList());
  }

  /** Whether a statement shows how many nodes there are, or that one was too few for it. */
  private static boolean isAboutOneNode(Script.Entry entry) {
    return entry instanceof Script.Statement statement
        && (statement.answer().stream().anyMatch(line -> line.startsWith("! 1000 "))
            || statement.lines().stream().anyMatch(SHOWS_NODES.asMatchPredicate()));
  }

  /** A search of vectors, which asks one replica whatever its level is. */
  private static boolean isSearch(Script.Statement statement) {
    return statement.lines().stream().anyMatch(line -> line.contains(" ANN OF "));
  }

  private static Script.Statement replicated(Script.Statement statement, String level) {
    List<String> directives = new ArrayList<>(statement.directives());
    if (statement.directive("consistency").isEmpty() && !isSearch(statement)) {
      directives.add("consistency " + level);
    }
    List<String> lines =
        statement.lines().stream()
            .map(line -> ONE_REPLICA.matcher(line).replaceFirst("${before}3${after}"))
            .toList();
    return new Script.Statement(
        statement.lineNumber(), directives, lines, withoutFactors(statement.answer()));
  }

  /** The first statements of a script. */
  static Script first(Script script, int statements) {
    return new Script(script.path(), List.copyOf(script.statements().subList(0, statements)));
  }

  /** An answer whatever the number of replicas is. */
  static List<String> withoutFactors(List<String> answer) {
    return answer.stream()
        .filter(line -> !FACTOR_WARNING.matcher(line).matches())
        .map(line -> FACTOR.matcher(line).replaceAll("${name}N"))
        .toList();
  }
}
