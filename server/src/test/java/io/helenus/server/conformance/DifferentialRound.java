package io.helenus.server.conformance;

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
  private final GeneratedTypes types;
  private final GeneratedDefinitions definitions;
  private final GeneratedInvalidDefinitions invalidDefinitions;
  private final GeneratedAlterations alterations;
  private final GeneratedWrites writes;
  private final GeneratedSelects selects;
  private final String keyspace;
  private final List<GeneratedTable> tables = new ArrayList<>();
  private final List<Script.Statement> sent = new ArrayList<>();
  private boolean schemasDiffer;
  private int accepted;

  DifferentialRound(
      long seed, ScriptRunner reference, ScriptRunner subject, Consumer<Difference> differences) {
    this.reference = reference;
    this.subject = subject;
    this.differences = differences;
    choices = new Choices(seed);
    types = new GeneratedTypes(choices);
    definitions = new GeneratedDefinitions(choices, types);
    invalidDefinitions = new GeneratedInvalidDefinitions(choices);
    alterations = new GeneratedAlterations(choices, definitions, types, tables);
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

  /** How many of them the reference accepted. */
  int accepted() {
    return accepted;
  }

  /** Sends this many statements, or fewer if the schemas of the servers diverge. */
  void run(int statements) throws IOException {
    send("DROP KEYSPACE IF EXISTS " + keyspace);
    String replication = definitions.replication();
    send("CREATE KEYSPACE " + keyspace + " WITH replication = " + replication);
    send("USE " + keyspace);
    for (int i = choices.below(3); i > 0 && !schemasDiffer; i--) {
      createType();
    }
    for (int i = 0; i < TABLES && !schemasDiffer; i++) {
      createTable();
    }
    while (sent.size() < statements && !schemasDiffer && !tables.isEmpty()) {
      step(replication);
    }
    send("DROP KEYSPACE IF EXISTS " + keyspace + "x");
    send("DROP KEYSPACE " + keyspace);
  }

  private void createType() throws IOException {
    DataType.UserType type = types.newUserType();
    if (define(GeneratedDefinitions.create(type))) {
      types.put(type);
    }
  }

  private void createTable() throws IOException {
    GeneratedTable table = definitions.table();
    if (define(definitions.create(table))) {
      tables.add(table);
      send(definitions.schemaQuery(keyspace, table));
    }
  }

  private void step(String replication) throws IOException {
    GeneratedTable table = choices.oneOf(tables);
    int kind = choices.below(1000);
    if (kind < 330) {
      sendAndJudge(writes.modification(table));
    } else if (kind < 400) {
      sendAndJudge(writes.batch(tables));
    } else if (kind < 820) {
      sendAndJudge(selects.select(table));
    } else if (kind < 930) {
      mutated(table);
    } else if (kind < 950) {
      send(definitions.schemaQuery(keyspace, table));
    } else if (kind < 970) {
      invalidDefinition(table, replication);
    } else if (kind < 975) {
      define(GeneratedDefinitions.truncate(table));
    } else {
      GeneratedAlterations.Alteration alteration = alterations.next(table);
      if (define(alteration.statement())) {
        alteration.onAccepted().run();
      }
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
    boolean conditional = text.toLowerCase(Locale.ROOT).matches("(?s).*\\bif\\b.*");
    if (text.isBlank() || text.contains("system") || conditional) {
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
      send(
          definitions.schemaQuery(
              keyspace, new GeneratedTable("x0", table.kind(), table.columns())));
    } else if (accepted && text.startsWith("ALTER TABLE")) {
      send("DESCRIBE TABLE " + table.name());
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
  private boolean send(Script.Statement generated) throws IOException {
    Script.Statement statement = withClock(generated);
    List<String> expected = reference.answer(statement);
    List<String> actual = subject.answer(statement);
    compare(statement, expected, actual);
    return Difference.differ(expected, actual)
        && !(Difference.refused(expected) && Difference.refused(actual));
  }

  /** The statement with a fixed time if its answer would otherwise depend on the second. */
  private static Script.Statement withClock(Script.Statement statement) {
    String text = String.join(" ", statement.lines()).toUpperCase(Locale.ROOT);
    if (!text.contains("TTL") || statement.directive("now").isPresent()) {
      return statement;
    }
    List<String> directives = new ArrayList<>(statement.directives());
    directives.removeIf(each -> each.startsWith("protocol"));
    directives.add("now 1990000000");
    return new Script.Statement(statement.lineNumber(), directives, statement.lines(), List.of());
  }

  private void compare(Script.Statement statement, List<String> expected, List<String> actual) {
    accepted += Difference.refused(expected) ? 0 : 1;
    sent.add(statement);
    if (Difference.differ(expected, actual)) {
      differences.accept(new Difference(statement, expected, actual));
    }
  }
}
