package io.helenus.server.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.PartitionNotes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What {@code nodetool tablehistograms} and {@code tablestats} print of the sizes of partitions.
 */
class PartitionSizeLayoutTest {
  /** Of 100 partitions 80 have at most 32 bytes, 16 at most 64, and 4 up to 100. */
  private static void note(FakeNode node) {
    node.bigTableBytes = 282_151;
    PartitionNotes.Builder notes = new PartitionNotes.Builder();
    for (int i = 0; i < 100; i++) {
      notes.count(i < 80 ? 17 + i % 16 : i < 96 ? 40 : 97 + i % 4, i < 80 ? i % 2 : 3);
    }
    node.bigTableNotes = notes.build();
  }

  @Test
  void partitionSizes() throws IOException {
    FakeNode node = FakeNode.withTwoKeyspaces();
    node.bigTableBytes = 282_151;
    String layout = CommandLayoutTest.recorded("tablehistograms-empty");
    layout = layout.substring(layout.indexOf('\n') + 1);
    assertEquals(
        layout, CommandLayoutTest.run(node, "tablehistograms shop orders"), "sizes were not noted");
    note(node);
    List<String> sizes = List.of("32", "32", "64", "100", "100", "17", "100");
    List<String> cells = List.of("1", "1", "4", "4", "4", "0", "4");
    List<String> lines = new ArrayList<>(layout.lines().toList());
    for (int i = 0; i < sizes.size(); i++) {
      String line = lines.get(3 + i);
      lines.set(3 + i, line.substring(0, 64) + "%18s%18s".formatted(sizes.get(i), cells.get(i)));
    }
    assertEquals(
        lines, CommandLayoutTest.run(node, "tablehistograms shop orders").lines().toList());
    String statistics = CommandLayoutTest.run(node, "tablestats shop.orders");
    assertTrue(statistics.contains("Compacted partition minimum bytes: 17\n"), statistics);
    assertTrue(statistics.contains("Compacted partition maximum bytes: 100\n"), statistics);
    // 80 of about 24 bytes, 16 of about 48, and 4 of about 96
    assertTrue(statistics.contains("Compacted partition mean bytes: 31\n"), statistics);
    String document = CommandLayoutTest.run(node, "tablestats -F json shop.orders");
    assertTrue(document.contains("\"compacted_partition_minimum_bytes\" : 17,"), document);
    assertTrue(document.contains("\"compacted_partition_mean_bytes\" : 31,"), document);
    FakeNode sorted = FakeNode.withTwoKeyspaces();
    sorted.fixture.change("CREATE TABLE shop.a (a int PRIMARY KEY)");
    note(sorted);
    for (String each : List.of("minimum", "maximum", "mean")) {
      String top = "tablestats -s compacted_partition_" + each + "_bytes -top 1 shop";
      assertTrue(CommandLayoutTest.run(sorted, top).contains("Table: shop.orders\n"), each);
    }
    PartitionNotes.Builder one = new PartitionNotes.Builder();
    one.count(100, 1);
    node.bigTableNotes = one.build();
    assertTrue(
        CommandLayoutTest.run(node, "tablestats shop").contains("partition mean bytes: 96\n"));
  }
}
