package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.config.TestSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index of a table with little data, or none, is used by the statement after CREATE INDEX. */
class IndexesAtOnceTest {
  @TempDir private Path data;

  private static Response done(CqlClient client, String statement) {
    Response response = client.query(statement);
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(statement + ": " + failure.message());
    }
    return response;
  }

  private static int rows(CqlClient client, String statement) {
    return ((Response.Rows) done(client, statement)).rows().size();
  }

  @Test
  void anIndexOfLittleDataIsBuiltWhenItsCreationIsAnswered() throws IOException {
    try (Server server = Server.start(TestSettings.in(data).build());
        CqlClient client = CqlClient.connect(InetAddress.getLoopbackAddress(), server.port())) {
      done(
          client,
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 1}");
      for (int round = 0; round < 10; round++) {
        for (String kind : List.of("", " USING 'sai'")) {
          done(client, "CREATE TABLE k.t (a int PRIMARY KEY, b int)");
          done(client, "CREATE INDEX x ON k.t (b)" + kind);
          assertEquals(0, rows(client, "SELECT a FROM k.t WHERE b = 1"));
          done(client, "DROP INDEX k.x");
          for (int i = 0; i < 20; i++) {
            done(client, "INSERT INTO k.t (a, b) VALUES (" + i + ", " + i % 2 + ")");
          }
          done(client, "DELETE FROM k.t WHERE a = 1");
          done(client, "CREATE INDEX x ON k.t (b)" + kind);
          assertEquals(9, rows(client, "SELECT a FROM k.t WHERE b = 1"));
          done(client, "DROP TABLE k.t");
        }
      }
    }
  }
}
