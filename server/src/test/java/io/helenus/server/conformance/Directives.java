package io.helenus.server.conformance;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The {@code @} lines before a statement.
 *
 * <p>How the statement is sent:
 *
 * <ul>
 *   <li>{@code @escapes}: backslash escapes in the statement ({@code \n}, {@code \}{@code u0000}) are replaced;
 *   <li>{@code @repeats}: <code>{ab*3}</code> in the statement and its values stands for {@code ababab}, and long runs in the answer
 *       are written the same way;
 *   <li>{@code @prepare}: prepared only; {@code @bind 1, 'a', null, unset} (several lines allowed): prepared, then executed with these values, typed by the server's metadata and written as by {@link Literal} ({@code raw:0x…} for any bytes);
 *   <li>{@code @execute 1, 'a'} (several lines allowed): executed under the id that its last PREPARE in the script returned, with values of the types it returned; it is not prepared again;
 *   <li>{@code @values int 1, text 'a'} and {@code @named k int 1}: values sent with the text of a QUERY;
 *   <li>{@code @batch logged|unlogged|counter}: a BATCH message; the lines after the first are its statements, each followed by {@code @bind …}, {@code @execute …} or {@code @values …} if it has values;
 *   <li>{@code @page 2}: the page size; all pages are fetched and shown;
 *   <li>{@code @protocol 3}, {@code @consistency QUORUM}, {@code @serial SERIAL}, {@code @timestamp 1}, {@code @now 2000000000}, {@code
 *       @keyspace ks}: as in the protocol.
 * </ul>
 *
 * <p>What is compared:
 *
 * <ul>
 *   <li>{@code @mask a, b}: values of these columns are shown as {@code *} unless null;
 *   <li>{@code @mask-text regex}: what it matches is shown as {@code *};
 *   <li>{@code @number-uuids}: UUIDs are shown as {@code #1}, {@code #2} and so on in the order of their first appearance in the answer;
 *   <li>{@code @hide-rows}: columns only; {@code @sorted}: rows sorted by the runner.
 * </ul>
 *
 * <p>{@code @undisturbed}: the server is left alone before this statement, which depends on its connection.
 *
 * <p>At the head of a file, {@code @cleanup ks…} followed by a statement: keyspaces to drop before the script starts; {@code @server name value}: a setting of the server, other than its default, that
 * the script needs.
 */
record Directives(Script.Statement statement) {
  private static final Set<String> KNOWN =
      Set.of(
          "escapes",
          "repeats",
          "prepare",
          "bind",
          "execute",
          "values",
          "named",
          "batch",
          "page",
          "protocol",
          "consistency",
          "serial",
          "timestamp",
          "now",
          "keyspace",
          "mask",
          "mask-text",
          "number-uuids",
          "hide-rows",
          "sorted",
          "undisturbed",
          "cleanup",
          "server");

  Directives {
    for (String directive : statement.directives()) {
      String name = directive.replaceFirst(" .*", "");
      if (!KNOWN.contains(name)) {
        throw new IllegalArgumentException(
            "line " + statement.lineNumber() + ": unknown directive @" + name);
      }
    }
  }

  boolean has(String name) {
    return statement.directive(name).isPresent();
  }

  int protocol() {
    return statement.directive("protocol").map(Integer::parseInt).orElse(5);
  }

  boolean masks(String column) {
    return statement.directives("mask").stream()
        .flatMap(line -> Pattern.compile(", *").splitAsStream(line))
        .anyMatch(column::equals);
  }

  String maskText(String line) {
    String masked = line;
    for (String pattern : statement.directives("mask-text")) {
      masked = Pattern.compile(pattern).matcher(masked).replaceAll("*");
    }
    return masked;
  }

  /** The values of each execution of a prepared statement. */
  List<String> binds() {
    return statement.directives(has("execute") ? "execute" : "bind");
  }
}
