package io.helenus.server.process;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.modelling.Script;
import io.helenus.server.schema.SchemaNames;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The schema of a running node, and the statements that clients have prepared there, as scripts.
 * Immutable.
 *
 * @param schema the definitions
 * @param prepared the statements; those on system keyspaces are left out
 */
record NodeScripts(Script schema, Script prepared) {
  private static final Pattern SYSTEM =
      Pattern.compile("(?i)\\b(?:FROM|INTO|UPDATE)\\s+\"?(\\w+)\"?\\s*\\.");

  /**
   * Asks a node.
   *
   * @param address a host, with a port if it is not 9042
   * @throws IOException if it does not answer; the text says why
   */
  static NodeScripts of(String address) throws IOException {
    try (NodeConnection node = new NodeConnection(address)) {
      StringBuilder schema = new StringBuilder();
      for (List<String> row : node.query("DESCRIBE SCHEMA")) {
        schema.append(row.getLast()).append("\n\n");
      }
      List<List<String>> statements =
          node.query("SELECT logged_keyspace, query_string FROM system.prepared_statements");
      return new NodeScripts(
          new Script(address, schema.toString()),
          new Script(address + " (prepared)", script(statements)));
    } catch (IOException e) {
      throw new IOException("cannot ask " + address + ": " + e.getMessage(), e);
    }
  }

  /** Sorted, with USE before those of each keyspace. */
  private static String script(List<List<String>> statements) {
    SortedMap<String, SortedSet<String>> byKeyspace = new TreeMap<>();
    for (List<String> row : statements) {
      String keyspace = row.getFirst();
      String text = row.getLast().strip();
      Matcher qualified = SYSTEM.matcher(text);
      String target = qualified.find() ? qualified.group(1) : keyspace;
      if (!SchemaNames.isSystem(target)) {
        byKeyspace.computeIfAbsent(keyspace, ignored -> new TreeSet<>()).add(text);
      }
    }
    StringBuilder script = new StringBuilder();
    byKeyspace.forEach(
        (keyspace, texts) -> {
          if (!keyspace.isEmpty()) {
            script.append("USE ").append(CqlNames.quoted(keyspace)).append(";\n");
          }
          texts.forEach(each -> script.append(each).append(each.endsWith(";") ? "\n" : ";\n"));
        });
    return script.toString();
  }
}
