package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.config.TestSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code system.local} shows the truncation times of tables, also after a restart. */
class TruncationsTest {
  @TempDir private Path data;

  private Server start() throws IOException {
    return Server.start(TestSettings.in(data).build());
  }

  private static CqlClient client(Server server) {
    return CqlClient.connect(InetAddress.getLoopbackAddress(), server.port());
  }

  private static Response done(CqlClient client, String statement) {
    Response response = client.query(statement);
    if (response instanceof Response.Failure failure) {
      throw new AssertionError(statement + ": " + failure.message());
    }
    return response;
  }

  private static byte[] only(CqlClient client, String statement) {
    List<List<byte[]>> rows = assertInstanceOf(Response.Rows.class, done(client, statement)).rows();
    assertEquals(1, rows.size());
    return rows.getFirst().getFirst();
  }

  private static Map<UUID, Long> truncations(CqlClient client) {
    byte[] value = only(client, "SELECT truncated_at FROM system.local");
    Map<UUID, Long> millis = new TreeMap<>();
    if (value != null) {
      ByteBuffer map = ByteBuffer.wrap(value);
      for (int left = map.getInt(); left > 0; left--) {
        assertEquals(16, map.getInt());
        UUID table = new UUID(map.getLong(), map.getLong());
        assertEquals(20, map.getInt());
        assertEquals(-1, map.getLong());
        assertEquals(0, map.getInt());
        millis.put(table, map.getLong());
      }
    }
    return millis;
  }

  private static UUID id(CqlClient client, String table) {
    ByteBuffer id =
        ByteBuffer.wrap(
            only(
                client,
                "SELECT id FROM system_schema.tables WHERE keyspace_name = 'k' AND table_name = '"
                    + table
                    + "'"));
    return new UUID(id.getLong(), id.getLong());
  }

  @Test
  void truncationsAreShownUntilTheTableIsDropped() throws IOException {
    UUID a;
    UUID b;
    Map<UUID, Long> reported;
    try (Server server = start();
        CqlClient client = client(server)) {
      done(
          client,
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 1}");
      for (String table : List.of("a", "b", "c")) {
        done(client, "CREATE TABLE k." + table + " (k int PRIMARY KEY)");
        done(client, "INSERT INTO k." + table + " (k) VALUES (1)");
      }
      assertEquals(Map.of(), truncations(client));
      long before = System.currentTimeMillis();
      done(client, "TRUNCATE k.a");
      done(client, "TRUNCATE k.b");
      long after = System.currentTimeMillis();
      a = id(client, "a");
      b = id(client, "b");
      reported = truncations(client);
      assertEquals(Map.of(a, reported.get(a), b, reported.get(b)), reported);
      assertTrue(
          reported.values().stream().allMatch(at -> at >= before && at <= after),
          reported::toString);
    }
    try (Server server = start();
        CqlClient client = client(server)) {
      assertEquals(reported, truncations(client));
      done(client, "DROP TABLE k.a");
      assertEquals(Map.of(b, reported.get(b)), truncations(client));
    }
  }
}
