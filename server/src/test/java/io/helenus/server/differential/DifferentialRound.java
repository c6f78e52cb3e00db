package io.helenus.server.differential;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Literal;
import io.helenus.server.conformance.Script;
import io.helenus.server.generated.Choices;
import io.helenus.server.generated.GeneratedAlterations;
import io.helenus.server.generated.GeneratedDefinitions;
import io.helenus.server.generated.GeneratedIndexes;
import io.helenus.server.generated.GeneratedInvalidDefinitions;
import io.helenus.server.generated.GeneratedSelects;
import io.helenus.server.generated.GeneratedTable;
import io.helenus.server.generated.GeneratedTypes;
import io.helenus.server.generated.GeneratedViews;
import io.helenus.server.generated.GeneratedWrites;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One seed of the differential tester: a keyspace, some tables, and statements about them, sent to
 * both servers in turn. Not thread-safe.
 */
final class DifferentialRound {
  /** Whether tables get indexes: {@code -Dindexes=false} for a run of the language alone. */
  private static final boolean INDEXES = !"false".equals(System.getProperty("indexes"));

  /** Whether tables get materialized views: {@code -Dviews=false} for a run without them. */
  private static final boolean VIEWS = !"false".equals(System.getProperty("views"));

  private static final int TABLES = 3;

  /** The start of an answer that tells that a server did not answer. */
  static final String UNANSWERED_PREFIX = "! no answer: java.io.UncheckedIOException";

  private static final Pattern NO_ROW =
      Pattern.compile("> (?:prepared |returns |with |warning: |-- page --).*", Pattern.DOTALL);
  private static final Pattern BATCH = Pattern.compile("(?i)\\s*(?:begin\\b|batch\\b)");
  private static final Pattern TRUNCATE = Pattern.compile("TRUNCATE (\\S+)");
  private static final Pattern UNFINISHED = Pattern.compile("! 1003 .*|! 1100 .*");

  private final ServerPair servers;
  private final Listener listener;
  private final OrderOfMistakes order;
  private final ViewDefects defects;
  private final Choices choices;
  private final GeneratedTypes types;
  private final GeneratedDefinitions definitions;
  private final GeneratedInvalidDefinitions invalidDefinitions;
  private final GeneratedAlterations alterations;
  private final GeneratedIndexes indexes;
  private final GeneratedViews views;
  private final GeneratedWrites writes;
  private final GeneratedSelects selects;
  private final String keyspace;
  private final List<GeneratedTable> tables = new ArrayList<>();
  private final List<Script.Statement> sent = new ArrayList<>();
  private final Set<String> deletedCounters = new HashSet<>();
  private boolean ended;
  private int accepted;
  private int withRows;

  /** What happens to the statements of a round. */
  interface Listener {
    /** The answers differ; if deliberately, then as docs/compatibility.md describes. */
    void onDifference(Difference difference, boolean deliberate);

    /** A server did not answer in a way that tells what is in its tables, so the round ends. */
    void onEnd(Script.Statement last, List<String> answer);
  }

  DifferentialRound(long seed, ServerPair servers, Listener listener) {
    this.servers = servers;
    this.listener = listener;
    order = new OrderOfMistakes(this::ask);
    choices = new Choices(seed);
    types = new GeneratedTypes(choices);
    definitions = new GeneratedDefinitions(choices, types);
    invalidDefinitions = new GeneratedInvalidDefinitions(choices);
    alterations = new GeneratedAlterations(choices, definitions, types, tables);
    indexes = new GeneratedIndexes(choices);
    views = new GeneratedViews(choices);
    defects = new ViewDefects(this::ask, views);
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

  /** How many of them both servers answered with the same rows, at least one. */
  int withRows() {
    return withRows;
  }

  /**
   * Sends this many statements, or fewer if the schemas of the servers diverge or one does not
   * answer.
   */
  void run(int statements) throws IOException {
    send("DROP KEYSPACE IF EXISTS " + keyspace);
    String replication = definitions.replication();
    send("CREATE KEYSPACE " + keyspace + " WITH replication = " + replication);
    send("USE " + keyspace);
    for (int i = choices.below(3); i > 0 && !ended; i--) {
      createType();
    }
    for (int i = 0; i < TABLES && !ended; i++) {
      createTable();
    }
    while (sent.size() < statements && !ended && !tables.isEmpty()) {
      step(replication);
    }
    finish();
  }

  private void finish() throws IOException {
    String ofInvalid = "DROP KEYSPACE IF EXISTS " + keyspace + "x";
    String all = "DROP KEYSPACE " + keyspace;
    if (ended) {
      servers.ask(GeneratedDefinitions.plain(ofInvalid));
      servers.ask(GeneratedDefinitions.plain(all));
    } else {
      send(ofInvalid);
      send(all);
    }
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
      for (int i = INDEXES && choices.chance(60) ? choices.below(4) : 0; i > 0 && !ended; i--) {
        change(tables.getLast(), indexes.create(tables.getLast()));
      }
      boolean viewed = VIEWS && choices.chance(hasCounters(table) ? 5 : 60);
      for (int i = viewed ? 1 + choices.below(2) : 0; i > 0 && !ended; i--) {
        changeViews(views.create(tables.getLast()));
      }
    }
  }

  /** Creates or drops an index of a table. */
  private void change(GeneratedTable table, GeneratedIndexes.Change change) throws IOException {
    if (define(change.statement())) {
      tables.replaceAll(
          each -> each.name().equals(table.name()) ? change.onAccepted().apply(each) : each);
    }
  }

  private void step(String replication) throws IOException {
    GeneratedTable table = choices.oneOf(tables);
    int kind = choices.below(1000);
    if (kind < 330) {
      sendAndJudge(writes.modification(choices.chance(99) ? table : readable()));
    } else if (kind < 400) {
      sendAndJudge(writes.batch(tables));
    } else if (kind < 810) {
      sendAndJudge(selects.select(readable()));
    } else if (kind < 900) {
      mutated();
    } else if (kind < 915) {
      if (INDEXES) {
        change(table, indexes.next(table));
      }
    } else if (kind < 935) {
      if (VIEWS && (!hasCounters(table) || choices.chance(10))) {
        changeViews(views.next(table));
      }
    } else if (kind < 955) {
      boolean ofView = VIEWS && choices.chance(40);
      send(ofView ? views.schemaQuery(keyspace, table) : definitions.schemaQuery(keyspace, table));
    } else if (kind < 970) {
      invalidDefinition(table, replication);
    } else if (kind < 973) {
      define(GeneratedDefinitions.truncate(table));
    } else if (kind < 975) {
      drop(table);
    } else {
      alter(alterations.next(table));
    }
  }

  /** A table or a view. */
  private GeneratedTable readable() {
    List<GeneratedTable> all = new ArrayList<>(tables);
    all.addAll(views.tables());
    return choices.oneOf(all);
  }

  private static boolean hasCounters(GeneratedTable table) {
    return table.kind() == GeneratedTable.Kind.COUNTER;
  }

  private void alter(GeneratedAlterations.Alteration alteration) throws IOException {
    if (define(alteration.statement())) {
      List<GeneratedTable> before = List.copyOf(tables);
      alteration.onAccepted().run();
      views.follow(before, tables);
    }
  }

  /** Changes views, or tries what they do not allow; resets an option as {@link #restore} does. */
  private void changeViews(GeneratedAlterations.Alteration change) throws IOException {
    String text = change.statement().text();
    alter(change);
    GeneratedViews.View view = views.named(text);
    if (!ended && view != null && text.contains("gc_grace_seconds")) {
      send("ALTER MATERIALIZED VIEW " + view.table().name() + " WITH gc_grace_seconds = 864000");
    }
  }

  /** Drops a table and creates another one, unless it has views. */
  private void drop(GeneratedTable table) throws IOException {
    if (define(GeneratedDefinitions.plain("DROP TABLE " + table.name()))) {
      tables.remove(table);
      createTable();
    }
  }

  private void sendAndJudge(Script.Statement statement) throws IOException {
    if (expiresInIndexOfKey(statement)) {
      return;
    }
    emptyDeletedCounters(statement);
    if (!ended && send(statement) && !ended) {
      startAfresh();
    }
  }

  /**
   * Whether a statement has a time of its own (see {@link #withClock}) and a table with a legacy
   * index of a key column: there Cassandra lets entries expire by its own clock.
   */
  private boolean expiresInIndexOfKey(Script.Statement statement) {
    String text = String.join(" ", statement.lines());
    return text.toUpperCase(Locale.ROOT).contains("TTL")
        && tables.stream()
            .anyMatch(each -> each.hasLegacyIndexOfKey() && text.contains(each.name()));
  }

  /**
   * Empties tables of counters from which rows were deleted before their next increment, since
   * Cassandra may continue from the deleted value.
   */
  private void emptyDeletedCounters(Script.Statement statement) throws IOException {
    String text = String.join(" ", statement.lines()).toUpperCase(Locale.ROOT);
    for (GeneratedTable table : tables) {
      if (hasCounters(table)) {
        if (text.contains("UPDATE") && deletedCounters.remove(table.name()) && !ended) {
          boolean ignored = send(GeneratedDefinitions.truncate(table));
        }
        if (text.contains("DELETE")) {
          deletedCounters.add(table.name());
        }
      }
    }
  }

  /** Empties every table, so that one difference does not show in all later answers. */
  private void startAfresh() throws IOException {
    for (GeneratedTable table : tables) {
      boolean ignored = send(GeneratedDefinitions.truncate(table));
    }
  }

  private void mutated() throws IOException {
    Script.Statement whole =
        switch (choices.below(6)) {
          case 0, 1 -> writes.modification(choices.chance(97) ? choices.oneOf(tables) : readable());
          case 2, 3, 4 -> selects.select(readable());
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
      if (!ended) {
        restore(table, text);
      }
    }
  }

  /** Resets options for which answers would depend on when files are compacted and rows expire. */
  private void restore(GeneratedTable table, String alteration) throws IOException {
    if (alteration.contains("GC_GRACE_SECONDS")) {
      send("ALTER TABLE " + table.name() + " WITH gc_grace_seconds = 864000");
    }
    if (alteration.contains("DEFAULT_TIME_TO_LIVE")) {
      send("ALTER TABLE " + table.name() + " WITH default_time_to_live = 0");
    }
  }

  /** Sends a schema change; returns whether both servers accepted it. */
  private boolean define(Script.Statement statement) throws IOException {
    ServerPair.Answers answers = compare(statement);
    boolean accepted = !Difference.refused(answers.expected());
    ended |= accepted == Difference.refused(answers.actual());
    return accepted && !ended;
  }

  private void send(String text) throws IOException {
    send(new Script.Statement(0, List.of(), List.of(text), List.of()));
  }

  /** Sends a statement; returns whether the answers suggest that the rows differ. */
  private boolean send(Script.Statement generated) throws IOException {
    Script.Statement statement = withClock(generated);
    ServerPair.Answers answers = compare(statement);
    boolean rowsDiffer = answers.differ() && !answers.differInRefusals();
    return order.takeRowsWritten() || rowsDiffer;
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

  private ServerPair.Answers compare(Script.Statement statement) throws IOException {
    sent.add(statement);
    ServerPair.Answers answers = ask(statement);
    if (isLost(answers.expected())
        || isHalfDone(statement, answers.expected())
        || isNotTruncated(statement, answers.expected())) {
      ended = true;
      listener.onEnd(statement, answers.expected());
      return answers;
    }
    accepted += Difference.refused(answers.expected()) ? 0 : 1;
    if (answers.differ()) {
      Difference difference = new Difference(statement, answers.expected(), answers.actual());
      boolean deliberate =
          difference.isAllowed() || order.explains(difference) || defects.explains(difference);
      listener.onDifference(difference, deliberate);
    } else if (showsRows(statement, answers.expected())) {
      withRows++;
    }
    return answers;
  }

  /** Asks both servers; the round ends if one leaves its tables in an unknown state. */
  private ServerPair.Answers ask(Script.Statement statement) throws IOException {
    ServerPair.Answers answers = servers.ask(statement);
    ended |= isLost(answers.expected()) || isLost(answers.actual());
    return answers;
  }

  /** Whether a server did not answer, or not whether it has done what it was to do. */
  static boolean isLost(List<String> answer) {
    String last = answer.getLast();
    return last.startsWith(UNANSWERED_PREFIX) || UNFINISHED.matcher(last).matches();
  }

  /** Whether a batch failed, of which some partitions may have been written. */
  private static boolean isHalfDone(Script.Statement statement, List<String> answer) {
    return answer.getLast().startsWith("! 1500 ") && BATCH.matcher(statement.text()).lookingAt();
  }

  /**
   * Whether the reference still has rows after it has accepted a TRUNCATE: it cannot flush some
   * that it accepts.
   */
  private boolean isNotTruncated(Script.Statement statement, List<String> answer)
      throws IOException {
    Matcher truncate = TRUNCATE.matcher(statement.text());
    if (!truncate.matches() || Difference.refused(answer)) {
      return false;
    }
    Script.Statement select =
        GeneratedDefinitions.plain("SELECT * FROM " + truncate.group(1) + " LIMIT 1");
    return showsRows(select, servers.ask(select).expected());
  }

  /** Whether an accepted SELECT has rows. */
  static boolean showsRows(Script.Statement statement, List<String> answer) {
    return isSelect(statement)
        && !Difference.refused(answer)
        && answer.stream().filter(line -> !NO_ROW.matcher(line).matches()).distinct().count() > 1;
  }

  static boolean isSelect(Script.Statement statement) {
    return statement.text().stripLeading().regionMatches(true, 0, "select", 0, 6);
  }
}
