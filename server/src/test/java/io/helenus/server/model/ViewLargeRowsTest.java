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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are together so large that what they change in views is computed in several pieces. */
class ViewLargeRowsTest {
  private static final int ROWS = 30;
  private static final int VALUE_BYTES = 60_000;

  @TempDir Path folder;

  /** Some statement for each row. */
  private static String batch(String statement) {
    return IntStream.range(0, ROWS)
        .mapToObj(row -> statement.formatted(row))
        .collect(Collectors.joining("; ", "BEGIN UNLOGGED BATCH ", "; APPLY BATCH"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "set<text>"})
  void oneWriteOfManyLargeRowsMovesAllOfThem(String type) throws IOException {
    try (NodeUnderTest node = new NodeUnderTest()) {
      node.start(folder, 2, Map.of("materialized_views_enabled", "true", "admin_port", "0"));
      ModelSession session = new ModelSession(node, new Random(1));
      session.send(
          "CREATE TABLE model.l (p int, c int, v int, large "
              + type
              + ", PRIMARY KEY (p, c)) WITH compression = {'enabled': false}");
      session.send(
          "CREATE MATERIALIZED VIEW model.l_by_v AS SELECT * FROM model.l"
              + " WHERE p IS NOT NULL AND c IS NOT NULL AND v IS NOT NULL PRIMARY KEY (v, p, c)");
      String text = "'" + "x".repeat(VALUE_BYTES) + "'";
      String value = type.equals("text") ? text : "{" + text + "}";
      for (int row = 0; row < ROWS; row++) {
        session.send(
            "INSERT INTO model.l (p, c, v, large) VALUES (1, " + row + ", 1, " + value + ")");
      }
      session.send(batch("UPDATE model.l SET v = 2 WHERE p = 1 AND c = %d"));
      List<CqlType> types = List.of(ScalarType.BIGINT);
      assertEquals("0", session.read("SELECT count(*) FROM model.l_by_v WHERE v = 1", types));
      assertEquals(
          Integer.toString(ROWS),
          session.read("SELECT count(*) FROM model.l_by_v WHERE v = 2", types));
      session.send(batch("DELETE FROM model.l WHERE p = 1 AND c = %d"));
      assertEquals("0", session.read("SELECT count(*) FROM model.l_by_v WHERE v = 2", types));
      session.close();
    }
  }
}
