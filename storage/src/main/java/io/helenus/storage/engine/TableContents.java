package io.helenus.storage.engine;

/**
 * How much a table holds on this node, for estimates. What is in several files, or in a file and a
 * memtable, counts each time.
 *
 * @param rows number of rows and static rows in its SSTables
 * @param tombstones number of deletions, tombstone cells and expiring cells in them
 * @param bytes size of their keys and values, uncompressed; 0 in files that do not record it
 * @param blocks number of their blocks with data; 0 in files that do not record it
 * @param memtableRows number of entries of its active memtables: rows and ends of range deletions
 */
public record TableContents(
    long rows, long tombstones, long bytes, long blocks, long memtableRows) {
  /** Those of an empty table. */
  public static final TableContents NONE = new TableContents(0, 0, 0, 0, 0);

  /** The contents of two shards. */
  public TableContents plus(TableContents other) {
    return new TableContents(
        rows + other.rows,
        tombstones + other.tombstones,
        bytes + other.bytes,
        blocks + other.blocks,
        memtableRows + other.memtableRows);
  }
}
