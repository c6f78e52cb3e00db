package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.parser.CqlParser;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.guardrails.Limit;
import io.helenus.server.ring.RingNode;
import io.helenus.server.ring.TokenRing;
import io.helenus.server.schema.Schema;
import io.helenus.server.schema.SchemaContext;
import io.helenus.server.schema.SchemaEdit;
import io.helenus.server.schema.SchemaPlanner;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.PartitionLimits;
import io.helenus.storage.row.KeyFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PartitionReportsTest {
  private static final int TABLE = 3;

  private final List<String> warnings = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private Schema schema = Schema.of(List.of(), new UUID(0, 0), 0);

  private void define(String text) {
    SchemaContext context =
        new SchemaContext(
            null,
            new UUID(0x1000, 1),
            TABLE,
            0,
            TokenRing.of(Map.of(new RingNode(new UUID(0, 1), "dc", "rack"), new long[] {0})),
            null,
            null,
            Guardrails.NONE,
            warnings::add);
    SchemaEdit edit =
        Objects.requireNonNull(
            SchemaPlanner.plan(schema, (SchemaStatement) CqlParser.parse(text), context).edit());
    schema = schema.apply(edit, new UUID(0, 1), schema.epoch() + 1);
  }

  private PartitionReports reports(Guardrails guardrails) {
    define("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'}");
    define("CREATE TABLE ks.t (k int PRIMARY KEY)");
    return new PartitionReports(guardrails, () -> schema, warnings::add, failures::add);
  }

  private static byte[] prefix(int key) {
    ByteWriter bytes = new ByteWriter(4).putInt(key);
    ByteWriter prefix = new ByteWriter(32);
    KeyFormat.putPartition(9, bytes.segment(), 0, bytes.size(), prefix);
    return prefix.toArray();
  }

  @Test
  void aLargePartitionIsLoggedWithItsKey() {
    PartitionReports reports =
        reports(new Guardrails.Builder().limit(Limit.PARTITION_SIZE, 100, 200).build());
    reports.onExceeded(TABLE, prefix(17), 150, 5);
    assertEquals(
        List.of(
            "Guardrail partition_size violated: Partition ks.t:17 has size 150, this exceeds the"
                + " warning threshold of 100. Too large partitions can cause performance"
                + " problems."),
        warnings);
    reports.onExceeded(TABLE, prefix(17), 250, 5);
    assertEquals(
        List.of(
            "Guardrail partition_size violated: Partition ks.t:17 has size 250, this exceeds the"
                + " failure threshold of 200. Too large partitions can cause performance"
                + " problems."),
        failures);
    reports.onExceeded(TABLE + 1, prefix(17), 250, 5);
    assertEquals(1, failures.size());
  }

  @Test
  void aPartitionWithManyTombstonesIsLogged() {
    PartitionReports reports =
        reports(new Guardrails.Builder().limit(Limit.PARTITION_TOMBSTONES, -1, 3).build());
    reports.onExceeded(TABLE, prefix(-1), 150, 5);
    assertEquals(List.of(), warnings);
    assertEquals(
        List.of(
            "Guardrail partition_tombstones violated: Partition ks.t:-1 has 5 tombstones, this"
                + " exceeds the failure threshold of 3. Partitions with too many tombstones can"
                + " cause performance problems."),
        failures);
  }

  @Test
  void aPartitionIsLoggedOnceAndAgainWhenItHasDoubled() {
    PartitionReports reports =
        reports(
            new Guardrails.Builder()
                .limit(Limit.PARTITION_SIZE, 100, 1000)
                .limit(Limit.PARTITION_TOMBSTONES, 10, -1)
                .build());
    for (int i = 0; i < 1000; i++) {
      reports.onExceeded(TABLE, prefix(17), 150 + i % 100, 0);
      reports.onExceeded(TABLE, prefix(18), 150, 0);
    }
    assertEquals(2, warnings.size(), warnings::toString);
    reports.onExceeded(TABLE, prefix(17), 300, 0);
    assertEquals(3, warnings.size());
    assertTrue(warnings.getLast().contains("ks.t:17 has size 300"), warnings.getLast());
    // its tombstones are a matter of their own
    reports.onExceeded(TABLE, prefix(17), 310, 11);
    reports.onExceeded(TABLE, prefix(17), 320, 12);
    assertEquals(4, warnings.size());
    assertTrue(warnings.getLast().contains("ks.t:17 has 11 tombstones"), warnings.getLast());
    // and so is the second threshold
    reports.onExceeded(TABLE, prefix(17), 599, 0);
    assertEquals(List.of(), failures);
    reports.onExceeded(TABLE, prefix(17), 900, 0);
    assertEquals(5, warnings.size());
    reports.onExceeded(TABLE, prefix(17), 1001, 0);
    reports.onExceeded(TABLE, prefix(17), 1002, 0);
    assertEquals(1, failures.size());
    assertEquals(5, warnings.size());
  }

  @Test
  void memoryIsBoundedHoweverManyPartitionsAreLarge() {
    PartitionReports reports =
        reports(new Guardrails.Builder().limit(Limit.PARTITION_SIZE, 100, -1).build());
    for (int key = 0; key < 5000; key++) {
      reports.onExceeded(TABLE, prefix(key), 150, 0);
    }
    assertEquals(5000, warnings.size());
    reports.onExceeded(TABLE, prefix(4999), 150, 0);
    assertEquals(5000, warnings.size());
    reports.onExceeded(TABLE, prefix(0), 150, 0);
    assertEquals(5001, warnings.size());
  }

  @Test
  void storageReportsFromTheLowerThresholdOn() {
    assertEquals(PartitionLimits.NONE, reports(Guardrails.NONE).limits());
    PartitionLimits limits =
        new PartitionReports(
                new Guardrails.Builder()
                    .limit(Limit.PARTITION_SIZE, -1, 200)
                    .limit(Limit.PARTITION_TOMBSTONES, 3, 9)
                    .build(),
                () -> schema)
            .limits();
    assertEquals(200, limits.bytes());
    assertEquals(3, limits.tombstones());
  }
}
