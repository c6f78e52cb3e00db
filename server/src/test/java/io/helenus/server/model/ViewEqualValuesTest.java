package io.helenus.server.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.conformance.NodeUnderTest;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Equal values that are written in different ways, in the key of a materialized view. */
class ViewEqualValuesTest {
  @TempDir Path folder;

  @Test
  void aViewKeepsTheBytesThatTheTableKeeps() throws IOException {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2, Map.of("materialized_views_enabled", "true", "admin_port", "0"));
      ModelSession session = new ModelSession(node, new Random(1));
      session.send("CREATE TABLE model.s (p int PRIMARY KEY, d decimal)");
      session.send(
          "CREATE MATERIALIZED VIEW model.s_by_d AS SELECT * FROM model.s"
              + " WHERE p IS NOT NULL AND d IS NOT NULL PRIMARY KEY (p, d)");
      List<String> values = List.of("1", "1.0", "1.00", "2", "2.0");
      int p = 0;
      for (String ttl : List.of("", " AND TTL 100")) {
        for (int i = 0; i < values.size() * values.size() * values.size(); i++) {
          // three writes, whose order of bytes and of values differ: 1, 2, 1.00, 2.0
          for (int rest = i, write = 0; write < 3; write++, rest /= values.size()) {
            String value = values.get(rest % values.size());
            session.send(
                "UPDATE model.s USING TIMESTAMP 5" + ttl + " SET d = " + value + " WHERE p = " + p);
          }
          String where = " WHERE p = " + p++;
          List<CqlType> types = List.of(ScalarType.DECIMAL);
          String expected = session.read("SELECT d FROM model.s" + where, types);
          assertEquals(expected, session.read("SELECT d FROM model.s_by_d" + where, types));
        }
      }
      session.close();
    }
  }

  @Test
  void anyOfSeveralEqualValuesFindsTheOthersInThePartitionKey() throws IOException {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2, Map.of("materialized_views_enabled", "true", "admin_port", "0"));
      ModelSession session = new ModelSession(node, new Random(1));
      session.send("CREATE TABLE model.e (p int, d decimal, PRIMARY KEY (p, d))");
      session.send(
          "CREATE MATERIALIZED VIEW model.e_by_d AS SELECT * FROM model.e"
              + " WHERE p IS NOT NULL AND d IS NOT NULL PRIMARY KEY (d, p)");
      session.send("INSERT INTO model.e (p, d) VALUES (1, 1000)");
      session.send("INSERT INTO model.e (p, d) VALUES (2, 1E+3)");
      session.send("INSERT INTO model.e (p, d) VALUES (2, 1000.0)");
      List<CqlType> types = List.of(ScalarType.INT);
      for (String value : List.of("1000", "1E+3", "1000.00")) {
        String select = "SELECT p FROM model.e_by_d WHERE ";
        assertEquals("1\n2", session.read(select + "d = " + value, types));
        assertEquals("1\n2", session.read(select + "d IN (5, " + value + ")", types));
        assertEquals("1\n2", session.read(select + "token(d) = token(" + value + ")", types));
      }
      session.close();
    }
  }
}
