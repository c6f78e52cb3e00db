package io.helenus.server.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.metrics.HotPartition;
import io.helenus.server.metrics.HotPartitionList;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code nodetool toppartitions --now} prints. */
class HotPartitionLayoutTest {
  @Test
  void hotPartitionsWithoutSampling() throws IOException {
    FakeNode node = FakeNode.withTwoKeyspaces();
    String nothing = "   Nothing recorded in the last seconds...\n\n";
    assertEquals(
        "Frequency of reads by partition:\n"
            + nothing
            + "Frequency of writes by partition:\n"
            + nothing,
        CommandLayoutTest.run(node, "toppartitions --now"));
    ByteWriter key = new ByteWriter(8).putBytes("ann".getBytes(StandardCharsets.UTF_8));
    ByteWriter prefix = new ByteWriter(32);
    KeyFormat.putPartition(5, key.segment(), 0, key.size(), prefix);
    byte[] ann = prefix.toArray();
    node.hotPartitions =
        new HotPartitionList(
            List.of(
                new HotPartition(FakeNode.BIG_TABLE + 5, ann, 500, 500, 0, 0),
                new HotPartition(FakeNode.BIG_TABLE, ann, 3, 0.25, 2, 1),
                new HotPartition(FakeNode.BIG_TABLE, ann, 90, 0, 0, 0),
                new HotPartition(FakeNode.BIG_TABLE, ann, 0, 0, 7, 7)),
            1000,
            10);
    assertEquals(
        """
        Frequency of reads by partition:
           Table       Partition Count/s Share
           shop.orders ann       90.0    9.00%
           shop.orders ann       3.0     0.30%

        Frequency of writes by partition:
           Table       Partition Count/s Share
           shop.orders ann       0.3     2.50%

        """,
        CommandLayoutTest.run(node, "toppartitions shop orders --now"));
    assertEquals(
        """
        Frequency of reads by partition:
           Table       Partition Count/s Share
           shop.orders ann       90.0    9.00%

        """,
        CommandLayoutTest.run(node, "toppartitions --now -a reads -k 1"));
    assertEquals(List.of(), node.calls, "nothing was sampled");
  }
}
