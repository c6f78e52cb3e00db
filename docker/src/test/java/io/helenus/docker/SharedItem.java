package io.helenus.docker;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A row of three nodes, written and read with cqlsh. */
final class SharedItem {
  /** Makes it, acknowledged by a majority. */
  static final String WRITE =
      "CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy',"
          + " 'datacenter1': 3}; CREATE TABLE shop.items (id int PRIMARY KEY, name text);"
          + " CONSISTENCY QUORUM; INSERT INTO shop.items (id, name) VALUES (1, 'one')";

  private static final String READ = "SELECT name FROM shop.items WHERE id = 1";

  private SharedItem() {}

  /** Reads it at a consistency level. */
  static String read(String level) {
    return "CONSISTENCY " + level + "; " + READ;
  }

  /** Fails unless this is the answer of {@link #read}. */
  static void assertRead(String answer) {
    assertTrue(answer.contains(" one\n") && answer.contains("(1 rows)"), answer);
  }
}
