package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import io.helenus.server.nodetool.NodeTool;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code nodetool verifyview} with a node that runs. */
class VerifyViewOverHttpTest {
  @TempDir private Path data;

  /** Runs a command; returns its output and, after a colon, its exit code. */
  private String nodetool(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    List<String> all = new ArrayList<>(List.of("--data", data.toString()));
    all.addAll(List.of(arguments));
    int code = NodeTool.run(all.toArray(String[]::new), print, print);
    return out.toString(StandardCharsets.UTF_8) + ": " + code;
  }

  private static void run(CqlClient client, String statement) {
    Response response = client.query(statement);
    assertFalse(response instanceof Response.Failure, response.toString());
  }

  @Test
  void aViewIsVerified() throws Exception {
    TestSettings settings =
        TestSettings.in(data)
            .with(Setting.ADMIN_PORT, "0")
            .with(Setting.SHARDS, "2")
            .with(Setting.MATERIALIZED_VIEWS_ENABLED, "true");
    try (Server server = Server.start(settings.build());
        CqlClient client = CqlClient.connect(InetAddress.getLoopbackAddress(), server.port())) {
      run(
          client,
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
              + " 1}");
      run(client, "CREATE TABLE k.t (a int PRIMARY KEY, b text)");
      for (int i = 0; i < 20; i++) {
        run(client, "INSERT INTO k.t (a, b) VALUES (" + i + ", 'b" + i % 3 + "')");
      }
      run(
          client,
          "CREATE MATERIALIZED VIEW k.by_b AS SELECT * FROM k.t WHERE a IS NOT NULL AND b IS NOT"
              + " NULL PRIMARY KEY (b, a)");
      String built = "k.by_b has finished building\n: 0";
      while (!nodetool("viewbuildstatus", "k", "by_b").equals(built)) {
        Thread.onSpinWait();
      }
      String equal =
          """
          Compared 20 rows of k.t and 20 rows of k.by_b
          Missing in the view: 0
          Wrong in the view: 0
          Superfluous in the view: 0
          The view is equal to its definition
          : 0\
          """;
      assertEquals(equal, nodetool("verifyview", "k", "by_b"));
      assertEquals(equal, nodetool("verifyview", "--repair", "k", "by_b"));
      String refused = nodetool("verifyview", "k", "t");
      assertTrue(refused.contains("There is no materialized view k.t.\n"), refused);
      assertTrue(refused.endsWith(": 1"), refused);
    }
  }
}
