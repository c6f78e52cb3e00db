package io.helenus.server.schema;

import io.helenus.cql.ast.DescribeStatement;
import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.query.definition.ViewWhereCompiler;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.system.SystemKeyspaces;
import io.helenus.storage.env.SystemClock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schema that is changed by CQL statements, in a cluster of one node unless it says otherwise.
 */
final class SchemaFixture {
  static final UUID TABLE_ID = UUID.fromString("30191990-e5a2-11f1-9e05-d75ae7f38220");
  static final long NOW_MICROS = 1_795_262_712_120_000L;

  private TokenRing ring =
      TokenRing.of(
          Map.of(new RingNode(new UUID(1, 1), "datacenter1", "rack1"), new long[] {-5, 7}));

  private Schema schema = Schema.of(SystemKeyspaces.all(), new UUID(0, 0), 0);
  private final List<String> warnings = new ArrayList<>();
  private Guardrails guardrails = Guardrails.NONE;
  private int nextStorageId = 100;
  @Nullable String keyspaceInUse = "ks";

  SchemaFixture() {
    change("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'}");
  }

  Schema schema() {
    return schema;
  }

  /** Changes with these guardrails from now on. */
  void with(Guardrails.Builder builder) {
    guardrails = builder.build();
  }

  /** Adds a second node. */
  void join() {
    ring =
        TokenRing.of(
            Map.of(
                new RingNode(new UUID(1, 1), "datacenter1", "rack1"), new long[] {-5, 7},
                new RingNode(new UUID(1, 2), "datacenter1", "rack1"), new long[] {1}));
  }

  /** The warnings since the last call. */
  List<String> warnings() {
    List<String> last = List.copyOf(warnings);
    warnings.clear();
    return last;
  }

  TableSchema table(String name) {
    return Objects.requireNonNull(schema.table("ks", name));
  }

  /** Changes the schema. */
  SchemaChange change(String text) {
    SchemaContext context =
        new SchemaContext(
            keyspaceInUse,
            TABLE_ID,
            nextStorageId++,
            NOW_MICROS,
            ring,
            null,
            new ViewWhereCompiler(new FunctionContext(new SystemClock(), () -> 42)),
            guardrails,
            warnings::add);
    SchemaChange change =
        SchemaPlanner.plan(
            schema, (SchemaStatement) CqlParser.parse(text, true, ignored -> {}), context);
    SchemaEdit edit = change.edit();
    if (edit != null) {
      schema = schema.apply(edit, schema.version(), schema.epoch() + 1);
    }
    return change;
  }

  /** The error code and message of a rejected change. */
  String refusal(String text) {
    try {
      SchemaChange change = change(text);
      return change.edit() == null ? "nothing to do" : "done";
    } catch (CqlException e) {
      return Integer.toHexString(e.error().code()) + " " + e.getMessage();
    }
  }

  /** The result of a DESCRIBE: the column names, then the rows. */
  List<List<String>> describe(String text) {
    SchemaDescriber.Description described =
        SchemaDescriber.describe(
            schema,
            (DescribeStatement) CqlParser.parse(text),
            new SchemaDescriber.Context(
                keyspaceInUse,
                "Test",
                "Murmur3Partitioner",
                "DynamicEndpointSnitch",
                keyspace -> new TreeMap<>(Map.of("7", List.of("/127.0.0.1:7000")))));
    List<List<String>> rows = new ArrayList<>();
    rows.add(described.columns().stream().map(SchemaDescriber.Column::name).toList());
    for (List<byte[]> row : described.rows()) {
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        boolean plain = i < 4 && !described.columns().get(i).name().equals("range_ownership");
        texts.add(
            plain
                ? new String(row.get(i), StandardCharsets.UTF_8)
                : described.columns().get(i).type().toLiteral(row.get(i)));
      }
      rows.add(texts);
    }
    return rows;
  }

  /** The create_statement of an element. */
  String createStatement(String text) {
    return describe(text).get(1).get(3);
  }
}
