package io.helenus.server.query.select;

import io.helenus.server.query.statement.Reply;

/** What a SELECT warns its client of, in Cassandra's words. Stateless. */
final class SelectWarnings {
  private static final int SHOWN_CHARS = 1000;

  private SelectWarnings() {}

  /**
   * Too many tombstones were read.
   *
   * @param token of the partition, or of the last one of several
   */
  static void tombstones(Reply reply, String statement, int rows, int tombstones, long token) {
    reply.warn(
        "Read "
            + rows
            + " live rows and "
            + tombstones
            + " tombstone cells for query "
            + shown(statement)
            + "; token "
            + token
            + " (see tombstone_warn_threshold)");
  }

  /** An index was looked up in too many files; so Cassandra says of one partition too. */
  static void indexFiles(Reply reply, String statement, int files) {
    reply.warn(
        "1 nodes referenced more than allowed number of indexes without restrictions on partition"
            + " key, maximum on a node being "
            + files
            + " indexes, and issued warnings for query "
            + shown(statement)
            + " (see sai_sstable_indexes_per_query_warn_threshold)");
  }

  private static String shown(String statement) {
    return statement.length() <= SHOWN_CHARS
        ? statement
        : statement.substring(0, SHOWN_CHARS) + "...";
  }
}
