package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.Compression;
import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.config.TestSettings;
import io.helenus.storage.testing.Seeds;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends statements with names and literals of every length and kind, intact or mutated, to a whole
 * node in every protocol version: each gets one well-formed response and causes no unexpected
 * exception. {@code -Dhelenus.fuzz.seeds} sets their number, {@code -Dseed=N} runs a single seed.
 */
class StatementFuzzTest {
  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private static final int SERVER_ERROR = 0x0000;
  private static final int SYNTAX_ERROR = 0x2000;
  private static final int[] LENGTHS = {
    0, 1, 2, 47, 48, 49, 222, 223, 1000, 32_767, 32_768, 65_533, 65_534, 65_535, 65_536, 70_000,
    131_072, 300_000
  };
  private static final String[] FILLERS = {
    "x", "Q", "é", "€", "😀", "9", " ", "_", "\"", "'", "%s"
  };

  /** N is replaced by a name, L by a literal, D by an integer. */
  private static final String[] TEMPLATES = {
    "SELECT N FROM f.t WHERE k = D",
    "SELECT v AS N, N FROM f.t",
    "SELECT v AS N FROM f.t WHERE k = 1",
    "SELECT N(v) FROM f.t",
    "SELECT * FROM N.N",
    "SELECT * FROM f.N WHERE k = L",
    "SELECT * FROM f.t WHERE N = L AND N > D ALLOW FILTERING",
    "SELECT * FROM f.t WHERE k IN (D, D, L) ORDER BY N DESC LIMIT D",
    "SELECT * FROM f.t WHERE token(k) > D AND v = L ALLOW FILTERING",
    "INSERT INTO f.t (k, v) VALUES (D, L)",
    "INSERT INTO f.t (k, v) VALUES (1, L)",
    "INSERT INTO f.t (k, N) VALUES (L, L) USING TIMESTAMP D AND TTL D",
    "INSERT INTO f.b (k, v) VALUES (L, L)",
    "SELECT * FROM f.b WHERE k = L",
    "UPDATE f.t SET N = L, v = L WHERE k = D",
    "DELETE N FROM f.t WHERE k = D",
    "BEGIN BATCH INSERT INTO f.t (k, v) VALUES (D, L); UPDATE N.N SET N = D; APPLY BATCH",
    "CREATE TABLE f.N (k int PRIMARY KEY, N text)",
    "CREATE TABLE f.n (k int PRIMARY KEY) WITH N = L",
    "CREATE TABLE f.n (k int PRIMARY KEY) WITH compaction = {'class': L}",
    "CREATE TABLE f.n (k N PRIMARY KEY, v frozen<list<N>>)",
    "CREATE KEYSPACE N WITH replication = {'class': L, L: L}",
    "ALTER TABLE f.t ADD N N",
    "ALTER TABLE f.t DROP N",
    "DROP TABLE N.N",
    "DROP KEYSPACE N",
    "TRUNCATE N",
    "USE N",
    "DESCRIBE TABLE N.N",
    "DESCRIBE N",
    "CREATE ROLE N WITH PASSWORD = L",
    "CREATE FUNCTION f.N (N int) RETURNS NULL ON NULL INPUT RETURNS N LANGUAGE N AS L",
    "CREATE INDEX N ON f.t (N) USING L",
    "CREATE MATERIALIZED VIEW f.N AS SELECT N, k FROM f.t WHERE k > L AND N IS NOT NULL PRIMARY KEY"
        + " (N, k)",
    "CREATE MATERIALIZED VIEW f.N AS SELECT * FROM f.t WHERE k IN (D, D) PRIMARY KEY (k)",
    "GRANT SELECT ON N TO N",
  };

  private final long seedCount = Long.getLong("helenus.fuzz.seeds", 400);
  @TempDir private Path folder;

  @Test
  void everyStatementGetsOneWellFormedResponse() throws Exception {
    Settings settings =
        TestSettings.in(folder).with(Setting.MATERIALIZED_VIEWS_ENABLED, "true").build();
    int[] planned = new int[1];
    long count;
    try (Server server = Server.start(settings)) {
      prepare(server);
      count = seeds.each(seedCount, seed -> planned[0] += converse(server, new Random(seed)));
      try (CqlClient client = connect(server, 5, Compression.NONE)) {
        assertInstanceOf(Response.Rows.class, client.query("SELECT key FROM system.local"));
      }
    }
    assertTrue(planned[0] > count, planned[0] + " statements were understood");
  }

  private static void prepare(Server server) {
    try (CqlClient client = connect(server, 5, Compression.NONE)) {
      for (String cql :
          List.of(
              "CREATE KEYSPACE f WITH replication ="
                  + " {'class': 'SimpleStrategy', 'replication_factor': 1}",
              "CREATE TABLE f.t (k int PRIMARY KEY, v text)",
              "CREATE TABLE f.b (k text PRIMARY KEY, v blob)")) {
        assertInstanceOf(Response.SchemaChange.class, client.query(cql));
      }
    }
  }

  private static CqlClient connect(Server server, int version, Compression compression) {
    return CqlClient.connect(
        CqlClient.Settings.of(InetAddress.getLoopbackAddress(), server.port())
            .withVersion(version)
            .withCompression(compression));
  }

  /** Sends a few statements on one connection; returns how many had valid syntax. */
  private static int converse(Server server, Random random) {
    int version = 3 + random.nextInt(3);
    Compression compression = random.nextBoolean() ? Compression.NONE : Compression.LZ4;
    int understood = 0;
    try (CqlClient client = connect(server, version, compression)) {
      for (int left = 8; left > 0; left--) {
        String cql = statement(random);
        Response answer = ask(client, cql, random);
        if (answer instanceof Response.Failure failure) {
          String start = cql.substring(0, Math.min(200, cql.length()));
          assertTrue(failure.code() != SERVER_ERROR, () -> start + " → " + failure.message());
          understood += failure.code() == SYNTAX_ERROR ? 0 : 1;
        } else {
          understood++;
        }
      }
      assertEquals(List.of(), client.eventsSoFar());
    }
    return understood;
  }

  private static Response ask(CqlClient client, String cql, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> client.prepare(cql);
      case 1 ->
          client.batch(
              random.nextInt(3),
              List.of(new CqlClient.BatchEntry(cql, null, List.of())),
              QueryOptions.NONE);
      default -> client.query(cql, QueryOptions.NONE.withPage(100, null));
    };
  }

  private static String statement(Random random) {
    StringBuilder text = new StringBuilder();
    String template = TEMPLATES[random.nextInt(TEMPLATES.length)];
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      boolean alone = i + 1 == template.length() || !Character.isLetter(template.charAt(i + 1));
      alone &= i == 0 || !Character.isLetter(template.charAt(i - 1));
      if (alone && (c == 'N' || c == 'L' || c == 'D')) {
        text.append(random.nextInt(3) > 0 ? plain(c, random) : odd(c, random));
      } else {
        text.append(c);
      }
    }
    return random.nextInt(4) == 0 ? mutilated(text, random) : text.toString();
  }

  private static String plain(char kind, Random random) {
    return switch (kind) {
      case 'N' -> List.of("v", "k", "t", "f", "int", "text", "\"Odd\"").get(random.nextInt(7));
      case 'L' -> List.of("'a'", "0x00", "1.5", "null", "true", "?").get(random.nextInt(6));
      default -> Integer.toString(random.nextInt(10));
    };
  }

  private static String odd(char kind, Random random) {
    String filler = FILLERS[random.nextInt(FILLERS.length)];
    int bytes = LENGTHS[random.nextInt(LENGTHS.length)];
    String filled = filler.repeat(bytes / filler.length());
    return switch (kind) {
      case 'N' -> random.nextBoolean() ? "n" + filled : "\"" + filled.replace("\"", "\"\"") + "\"";
      case 'L' ->
          switch (random.nextInt(4)) {
            case 0 -> "$$" + filled + "$$";
            case 1 -> "0x" + "ab".repeat(bytes / 2);
            case 2 -> "{'" + "k".repeat(bytes) + "': " + bytes + "}";
            default -> "'" + filled.replace("'", "''") + "'";
          };
      default -> "9".repeat(bytes / 10 + 1);
    };
  }

  private static String mutilated(StringBuilder text, Random random) {
    for (int left = 1 + random.nextInt(3); left > 0 && !text.isEmpty(); left--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(4)) {
        case 0 -> text.setLength(at);
        case 1 -> text.deleteCharAt(at);
        case 2 -> text.insert(at, (char) random.nextInt(0xD800));
        default -> text.insert(at, FILLERS[random.nextInt(FILLERS.length)]);
      }
    }
    return text.toString();
  }
}
