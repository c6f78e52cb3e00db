package io.helenus.server.conformance;

import io.helenus.server.conformance.GeneratedTable.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * One seed of the differential tester: a keyspace, some tables, and statements about them, sent to
 * both servers in turn. Not thread-safe.
 */
final class DifferentialRound {
  private static final int TABLES = 3;

  private final ScriptRunner reference;
  private final ScriptRunner subject;
  private final Consumer<Difference> differences;
  private final Choices choices;
  private final GeneratedDefinitions definitions;
  private final GeneratedInvalidDefinitions invalidDefinitions;
  private final GeneratedWrites writes;
  private final GeneratedSelects selects;
  private final String keyspace;
  private final List<GeneratedTable> tables = new ArrayList<>();
  private final List<Script.Statement> sent = new ArrayList<>();
  private boolean schemasDiffer;

  DifferentialRound(
      long seed, ScriptRunner reference, ScriptRunner subject, Consumer<Difference> differences) {
    this.reference = reference;
    this.subject = subject;
    this.differences = differences;
    choices = new Choices(seed);
    definitions = new GeneratedDefinitions(choices);
    invalidDefinitions = new GeneratedInvalidDefinitions(choices);
    writes = new GeneratedWrites(choices);
    selects = new GeneratedSelects(choices);
    keyspace = "differential_" + seed;
  }

  /** The keyspace of the round. */
  String keyspace() {
    return keyspace;
  }

  /** The statements sent so far: a script that repeats the round. */
  List<Script.Statement> sent() {
    return sent;
  }

  /** Sends this many statements, or fewer if the schemas of the servers diverge. */
  void run(int statements) throws IOException {
    send("DROP KEYSPACE IF EXISTS " + keyspace);
    String replication = definitions.replication();
    send("CREATE KEYSPACE " + keyspace + " WITH replication = " + replication);
    send("USE " + keyspace);
    for (int i = 0; i < TABLES && !schemasDiffer; i++) {
      createTable();
    }
    while (sent.size() < statements && !schemasDiffer && !tables.isEmpty()) {
      step(replication);
    }
    send("DROP KEYSPACE IF EXISTS " + keyspace + "x");
    send("DROP KEYSPACE " + keyspace);
  }

  private void createTable() throws IOException {
    GeneratedTable table = definitions.table();
    if (define(definitions.create(table))) {
      tables.add(table);
      send(definitions.schemaQuery(keyspace, table));
    }
  }

  private void step(String replication) throws IOException {
    int at = choices.below(tables.size());
    GeneratedTable table = tables.get(at);
    int kind = choices.below(1000);
    if (kind < 330) {
      sendAndJudge(writes.modification(table));
    } else if (kind < 400) {
      sendAndJudge(writes.batch(tables));
    } else if (kind < 820) {
      sendAndJudge(selects.select(table));
    } else if (kind < 940) {
      mutated(table);
    } else if (kind < 960) {
      send(definitions.schemaQuery(keyspace, table));
    } else if (kind < 985) {
      invalidDefinition(table, replication);
    } else if (kind < 990) {
      define(GeneratedDefinitions.truncate(table));
    } else {
      alter(at, table);
    }
  }

  private void sendAndJudge(Script.Statement statement) throws IOException {
    if (send(statement)) {
      startAfresh();
    }
  }

  /** Empties every table, so that one difference does not show in all later answers. */
  private void startAfresh() throws IOException {
    for (GeneratedTable table : tables) {
      boolean ignored = send(GeneratedDefinitions.truncate(table));
    }
  }

  private void mutated(GeneratedTable table) throws IOException {
    Script.Statement whole =
        switch (choices.below(6)) {
          case 0, 1 -> writes.modification(table);
          case 2, 3, 4 -> selects.select(table);
          default -> writes.batch(tables);
        };
    if (whole.lines().size() > 1) {
      return;
    }
    String text = TextMutation.mutate(whole.text(), choices);
    List<String> lines = List.of(text.split("\n", -1));
    if (text.isBlank() || text.contains("system")) {
      return;
    }
    List<String> directives = new ArrayList<>(whole.directives());
    if (lines.size() > 1 || !text.equals(text.strip())) {
      lines = List.of(Literal.escape(text));
      directives.add("escapes");
    } else if (text.contains("\\")) {
      return;
    }
    sendAndJudge(new Script.Statement(0, directives, lines, List.of()));
  }

  private void invalidDefinition(GeneratedTable table, String replication) throws IOException {
    Script.Statement statement = invalidDefinitions.statement(keyspace, table);
    boolean accepted = define(statement);
    String text = statement.text().toUpperCase(Locale.ROOT);
    if (accepted && text.contains("KEYSPACE")) {
      if (text.startsWith("ALTER")) {
        send("ALTER KEYSPACE " + keyspace + " WITH replication = " + replication);
      } else {
        send("DROP KEYSPACE IF EXISTS " + keyspace + "x");
      }
    } else if (accepted && text.startsWith("CREATE TABLE")) {
      send(definitions.schemaQuery(keyspace, new GeneratedTable("x0", table.columns())));
    } else if (accepted && text.startsWith("ALTER TABLE")) {
      send("DESCRIBE TABLE " + table.name());
    }
  }

  private void alter(int at, GeneratedTable table) throws IOException {
    if (choices.chance(60) || table.values().isEmpty()) {
      Column column = definitions.newColumn();
      if (define(GeneratedDefinitions.add(table, column))) {
        tables.set(at, table.with(column));
      }
    } else {
      Column column = choices.oneOf(table.values());
      if (define(GeneratedDefinitions.drop(table, column))) {
        tables.set(at, table.without(column.name()));
        if (choices.chance(40) && define(GeneratedDefinitions.add(table, column))) {
          tables.set(at, table);
        }
      }
    }
  }

  /** Sends a schema change; returns whether both servers accepted it. */
  private boolean define(Script.Statement statement) throws IOException {
    List<String> expected = reference.answer(statement);
    List<String> actual = subject.answer(statement);
    compare(statement, expected, actual);
    boolean accepted = !Difference.refused(expected);
    schemasDiffer |= accepted == Difference.refused(actual);
    return accepted && !schemasDiffer;
  }

  private void send(String text) throws IOException {
    send(new Script.Statement(0, List.of(), List.of(text), List.of()));
  }

  /** Sends a statement; returns whether the answers suggest that the rows differ. */
  private boolean send(Script.Statement statement) throws IOException {
    List<String> expected = reference.answer(statement);
    List<String> actual = subject.answer(statement);
    compare(statement, expected, actual);
    return Difference.differ(expected, actual)
        && !(Difference.refused(expected) && Difference.refused(actual));
  }

  private void compare(Script.Statement statement, List<String> expected, List<String> actual) {
    sent.add(statement);
    if (Difference.differ(expected, actual)) {
      differences.accept(new Difference(statement, expected, actual));
    }
  }
}
