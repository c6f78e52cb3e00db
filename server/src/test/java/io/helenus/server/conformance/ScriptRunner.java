package io.helenus.server.conformance;

import io.helenus.server.client.BodyWriter;
import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends the statements of scripts to one server and collects its answers. Nodes of a cluster are
 * sent statements and pages in turn; what a script prepares is prepared on all of them.
 *
 * <p>The keyspace in use carries over to new connections, as a script may change the protocol
 * version and a disturbance may restart the server. Not thread-safe.
 */
public final class ScriptRunner implements AutoCloseable {
  private static final int QUERY = 0x07;
  private static final int EXECUTE = 0x0A;
  private static final int BATCH = 0x0D;
  private static final int PAGE_BOUND = 10_000;

  /** How often a text is planned before the server keeps the plan of its shape. */
  private static final int REHEARSALS = 2;

  private final List<InetSocketAddress> nodes;
  private final int timeoutMillis;
  private final Disturbance disturbance;
  private final boolean rehearses;
  private final Map<Target, CqlClient> connections = new HashMap<>();
  private final Map<CqlClient, String> keyspaces = new HashMap<>();

  /** The statements prepared by the script, by text, as the server last described them. */
  private final Map<String, Answer.Prepared> prepared = new HashMap<>();

  private @Nullable String keyspace;

  /** Counts statements and pages: says whose turn it is. */
  private int turn;

  /** Whom a connection is to, and how it talks. */
  private record Target(int node, int version) {}

  /** What is done to the server between statements. */
  interface Disturbance {
    /** Leaves the server alone. */
    Disturbance NONE = _ -> false;

    /**
     * Called before every statement and after the first page of a paged one.
     *
     * @param read whether the next request is a read
     * @return whether connections were lost
     */
    boolean before(boolean read) throws IOException;
  }

  /**
   * Creates a runner, which connects to the server when it runs a script.
   *
   * @param timeoutMillis how long it waits for an answer
   * @param rehearses whether every text is sent before it runs, at a consistency level that the
   *     server rejects only after planning, so that it runs by the plan of its shape if it has one,
   *     with its constants as values
   */
  ScriptRunner(
      String host, int port, int timeoutMillis, Disturbance disturbance, boolean rehearses) {
    this(List.of(new InetSocketAddress(host, port)), timeoutMillis, disturbance, rehearses);
  }

  /** The same for the nodes of a cluster. */
  ScriptRunner(
      List<InetSocketAddress> nodes,
      int timeoutMillis,
      Disturbance disturbance,
      boolean rehearses) {
    this.nodes = nodes;
    this.timeoutMillis = timeoutMillis;
    this.disturbance = disturbance;
    this.rehearses = rehearses;
  }

  /** Runs a whole script and returns the answer lines of each statement. */
  List<List<String>> run(Script script) throws IOException {
    keyspace = null;
    prepared.clear();
    close();
    cleanUp(script);
    List<List<String>> answers = new ArrayList<>();
    for (Script.Statement statement : script.statements()) {
      answers.add(answer(statement));
    }
    return answers;
  }

  /** Drops the keyspaces of a script. */
  void cleanUp(Script script) throws IOException {
    for (Script.Statement statement : script.statements()) {
      for (String names : statement.directives("cleanup")) {
        for (String name : names.split(" ", -1)) {
          query(connection(5), "DROP KEYSPACE IF EXISTS " + name);
        }
      }
    }
  }

  /** Runs one statement and returns its answer lines. */
  public List<String> answer(Script.Statement statement) throws IOException {
    try {
      return run(statement.expanded());
    } catch (IOException | RuntimeException | AssertionError e) {
      close();
      return List.of("! no answer: " + e);
    }
  }

  private List<String> run(Script.Statement statement) throws IOException {
    Directives directives = new Directives(statement);
    if (!directives.has("undisturbed")) {
      turn++;
      disturb(statement.text().stripLeading().toUpperCase(Locale.ROOT).startsWith("SELECT"));
    }
    AnswerText text = new AnswerText(directives);
    if (directives.has("batch")) {
      runBatch(statement, directives.protocol(), text);
    } else if (directives.has("execute")) {
      execute(statement, directives, prepared(statement.text()), false, text);
    } else if (directives.has("prepare") || directives.has("bind")) {
      runPrepared(statement, directives, text);
    } else {
      runQuery(statement, directives, text);
    }
    return text.lines();
  }

  private void disturb(boolean read) throws IOException {
    if (disturbance.before(read)) {
      close();
    }
  }

  private void runQuery(Script.Statement statement, Directives directives, AnswerText text)
      throws IOException {
    RequestParameters.Values values = values(statement);
    rehearse(connection(directives.protocol()), statement, statement.text());
    addPages(
        directives,
        text,
        (connection, pagingState) -> {
          BodyWriter body = new BodyWriter().putLongString(statement.text());
          new RequestParameters(statement, connection.version()).write(body, values, pagingState);
          return request(connection, QUERY, body);
        });
  }

  /** Has the server plan a text as often as it takes to keep the plan of its shape. */
  private void rehearse(CqlClient connection, Script.Statement statement, String text)
      throws IOException {
    for (int i = 0; rehearses && i < REHEARSALS; i++) {
      BodyWriter body = new BodyWriter().putLongString(text);
      new RequestParameters(statement, connection.version()).writePlanningOnly(body);
      Answer answer = answer(connection, connection.call(QUERY, 0, body.toArray()));
      if (!(answer.outcome() instanceof Answer.Refused)) {
        throw new IOException("a rehearsal ran: " + answer);
      }
    }
  }

  private static RequestParameters.Values values(Script.Statement statement) {
    if (statement.directive("named").isPresent()) {
      List<String> names = new ArrayList<>();
      StringBuilder typed = new StringBuilder();
      for (String part : statement.directive("named").get().split(", ", -1)) {
        int space = part.indexOf(' ');
        names.add(part.substring(0, space));
        typed.append(typed.isEmpty() ? "" : ", ").append(part.substring(space + 1));
      }
      return new RequestParameters.Values(names, Literal.parseTyped(typed.toString()));
    }
    return new RequestParameters.Values(
        List.of(), statement.directive("values").map(Literal::parseTyped).orElse(List.of()));
  }

  private void runPrepared(Script.Statement statement, Directives directives, AnswerText text)
      throws IOException {
    Answer answer = prepare(connection(directives.protocol()), statement);
    text.add(answer);
    if (answer.outcome() instanceof Answer.Prepared described) {
      execute(statement, directives, described, true, text);
    }
  }

  /** Executes a prepared statement with each line of values. */
  private void execute(
      Script.Statement statement,
      Directives directives,
      Answer.Prepared described,
      boolean preparesAgain,
      AnswerText text)
      throws IOException {
    List<DataType> types = described.markers().stream().map(Answer.Column::type).toList();
    for (String line : directives.binds()) {
      text.addLine("with " + (line.isEmpty() ? "nothing" : line));
      RequestParameters.Values values =
          new RequestParameters.Values(List.of(), Literal.parseAll(line, types));
      addPages(
          directives,
          text,
          (connection, pagingState) -> {
            if (preparesAgain) {
              prepare(connection, statement);
            }
            BodyWriter body = new BodyWriter().putShortBytes(described.id());
            if (connection.version() >= 5) {
              body.putShortBytes(described.resultMetadataId());
            }
            new RequestParameters(statement, connection.version()).write(body, values, pagingState);
            return request(connection, EXECUTE, body);
          });
    }
  }

  private Answer.Prepared prepared(String text) {
    Answer.Prepared described = prepared.get(text);
    if (described == null) {
      throw new IllegalStateException("never prepared: " + text);
    }
    return described;
  }

  private Answer prepare(CqlClient connection, Script.Statement statement) throws IOException {
    return prepare(connection, statement.text(), statement);
  }

  private Answer prepare(CqlClient connection, String text, Script.Statement statement)
      throws IOException {
    String inKeyspace = statement.directive("keyspace").orElse(null);
    for (int i = 1; i < nodes.size(); i++) {
      CqlClient other = connection((turn + i) % nodes.size(), connection.version());
      answer(other, other.prepare(text, inKeyspace));
    }
    Answer answer = answer(connection, connection.prepare(text, inKeyspace));
    if (answer.outcome() instanceof Answer.Prepared described) {
      prepared.put(text, described);
    }
    return answer;
  }

  /** Sends a request for one page. */
  private interface PageRequest {
    Answer page(CqlClient connection, byte @Nullable [] pagingState) throws IOException;
  }

  private void addPages(Directives directives, AnswerText text, PageRequest request)
      throws IOException {
    byte[] pagingState = null;
    for (int page = 0; page < PAGE_BOUND; page++) {
      Answer answer = request.page(connection(directives.protocol()), pagingState);
      text.add(answer);
      pagingState =
          answer.outcome() instanceof Answer.Rows rows && directives.has("page")
              ? rows.pagingState()
              : null;
      if (pagingState == null) {
        return;
      }
      text.addLine("-- page --");
      turn++;
      if (page == 0) {
        disturb(true);
      }
    }
    throw new IOException("too many pages");
  }

  private void runBatch(Script.Statement statement, int protocol, AnswerText text)
      throws IOException {
    CqlClient connection = connection(protocol);
    String kind = statement.directive("batch").orElseThrow();
    List<String> kinds = List.of("logged", "unlogged", "counter");
    BodyWriter body = new BodyWriter().putByte(kinds.indexOf(kind));
    List<String> lines = statement.lines().subList(1, statement.lines().size());
    body.putShort(lines.size());
    for (String line : lines) {
      Answer refusal = writeBatchStatement(connection, statement, line.strip(), body);
      if (refusal != null) {
        text.addLine("not prepared");
        text.add(refusal);
        return;
      }
    }
    new RequestParameters(statement, connection.version()).writeBatchTail(body);
    text.add(request(connection, BATCH, body));
  }

  /** Prepares and adds a statement of a batch; returns the answer if it is not prepared. */
  private @Nullable Answer writeBatchStatement(
      CqlClient connection, Script.Statement statement, String line, BodyWriter body)
      throws IOException {
    int bind = line.indexOf(" @bind ");
    int execute = line.indexOf(" @execute ");
    int typed = line.indexOf(" @values ");
    List<Literal.Bound> values = List.of();
    if (bind >= 0) {
      Answer answer = prepare(connection, line.substring(0, bind), statement);
      if (!(answer.outcome() instanceof Answer.Prepared described)) {
        return answer;
      }
      values = writeId(described, line.substring(bind + 7), body);
    } else if (execute >= 0) {
      values = writeId(prepared(line.substring(0, execute)), line.substring(execute + 10), body);
    } else {
      values = typed < 0 ? values : Literal.parseTyped(line.substring(typed + 9));
      String text = typed < 0 ? line : line.substring(0, typed);
      rehearse(connection, statement, text);
      body.putByte(0).putLongString(text);
    }
    RequestParameters.writeValues(body, new RequestParameters.Values(List.of(), values));
    return null;
  }

  private static List<Literal.Bound> writeId(
      Answer.Prepared described, String values, BodyWriter body) {
    body.putByte(1).putShortBytes(described.id());
    return Literal.parseAll(values, described.markers().stream().map(Answer.Column::type).toList());
  }

  private CqlClient connection(int version) throws IOException {
    return connection(turn % nodes.size(), version);
  }

  private CqlClient connection(int node, int version) throws IOException {
    Target target = new Target(node, version);
    CqlClient connection = connections.get(target);
    if (connection == null) {
      InetSocketAddress address = nodes.get(node);
      connection =
          CqlClient.connect(
              CqlClient.Settings.of(
                      InetAddress.getByName(address.getHostString()), address.getPort())
                  .withVersion(version)
                  .withTimeoutMillis(timeoutMillis)
                  .withLogin(
                      System.getProperty("conformance.user", "cassandra"),
                      System.getProperty("conformance.password", "cassandra")));
      connections.put(target, connection);
    }
    String wanted = keyspace;
    if (wanted != null && !wanted.equals(keyspaces.get(connection))) {
      query(connection, "USE \"" + wanted + "\"");
      keyspaces.put(connection, wanted);
    }
    return connection;
  }

  private void query(CqlClient connection, String text) {
    answer(connection, connection.query(text));
  }

  private Answer request(CqlClient connection, int opcode, BodyWriter body) {
    return answer(connection, connection.call(opcode, 0, body.toArray()));
  }

  /** The answer in a response; follows a change of the keyspace in use. */
  private Answer answer(CqlClient connection, Response response) {
    Answer answer = Answer.of(response);
    if (answer.outcome() instanceof Answer.KeyspaceSet set) {
      keyspace = set.keyspace();
      keyspaces.put(connection, set.keyspace());
    }
    return answer;
  }

  @Override
  public void close() {
    connections.values().forEach(CqlClient::close);
    connections.clear();
    keyspaces.clear();
  }
}
