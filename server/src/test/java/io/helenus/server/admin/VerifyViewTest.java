package io.helenus.server.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.viewbuild.ViewVerification;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code verifyview} prints, and what it refuses. */
class VerifyViewTest {
  private static String run(FakeNode node, String line) throws IOException {
    return CommandLayoutTest.run(node, line);
  }

  @Test
  void aViewIsVerified() throws IOException {
    FakeNode node =
        new FakeNode(
            "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy',"
                + " 'replication_factor': 1}",
            "CREATE TABLE k.t (p decimal, c int, v int, PRIMARY KEY (p, c))",
            "CREATE MATERIALIZED VIEW k.w AS SELECT * FROM k.t WHERE p IS NOT NULL AND c IS NOT"
                + " NULL AND v IS NOT NULL PRIMARY KEY ((v, p), c)",
            "CREATE MATERIALIZED VIEW k.x AS SELECT * FROM k.t WHERE p IS NOT NULL AND c IS NOT"
                + " NULL AND v IS NOT NULL PRIMARY KEY (v, p, c)");
    String none =
        """
        Compared 0 rows of k.t and 0 rows of k.w
        Missing in the view: 0
        Wrong in the view: 0
        Superfluous in the view: 0
        The view is equal to its definition
        """;
    assertEquals(none, run(node, "verifyview k w"));
    node.verified =
        new ViewVerification.Report(
            new ViewVerification.Counts(9, 10, 1, 0, 2, 1),
            new ViewVerification.Differences(1, List.of("v = 1 AND p = 2 AND c = 3")),
            new ViewVerification.Differences(0, List.of()),
            new ViewVerification.Differences(2, List.of("v = 4 AND p = 5 AND c = 6")));
    String some =
        """
        Compared 9 rows of k.t and 10 rows of k.w
        Missing in the view: 1
            v = 1 AND p = 2 AND c = 3
        Wrong in the view: 0
        Superfluous in the view: 2
            v = 4 AND p = 5 AND c = 6
            ...
        """;
    assertEquals(
        some + "Run the command with --repair to repair the view\n[1]\n",
        run(node, "verifyview k w"));
    assertEquals(
        some
            + "Repaired: 2\n"
            + "Not repaired: 1; the view has newer data or deletions than the table has. Drop the"
            + " view and create it again\n"
            + "[1]\n",
        run(node, "verifyview --repair k w"));
    String ids = "101 of 100";
    assertEquals(
        List.of("verify " + ids, "verify " + ids, "verify " + ids + " and repair"), node.calls);
    assertTrue(run(node, "verifyview k x").contains("column p of the table's partition key"));
    assertTrue(run(node, "verifyview k t").contains("There is no materialized view k.t.\n"));
    assertTrue(run(node, "verifyview k").startsWith("nodetool: verifyview requires keyspace and"));
  }
}
