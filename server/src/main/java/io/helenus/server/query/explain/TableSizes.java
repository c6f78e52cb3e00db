package io.helenus.server.query.explain;

import io.helenus.server.advice.RowSize;
import io.helenus.server.schema.TableSchema;
import io.helenus.storage.engine.TableStatistics;

/**
 * How large a table, its partitions and rows are on this node, as far as its statistics tell.
 * Immutable.
 */
final class TableSizes {
  private static final int BLOCK_BYTES = 16 << 10;

  /** About how many blocks an index block of a file leads to. */
  private static final int BLOCKS_OF_INDEX_BLOCK = 500;

  private final TableStatistics statistics;
  private final TableSchema table;
  private final int shards;

  TableSizes(TableSchema table, TableStatistics statistics, int shards) {
    this.table = table;
    this.statistics = statistics;
    this.shards = Math.max(1, shards);
  }

  /** Whether anything is in files. */
  boolean hasFiles() {
    return statistics.files() > 0;
  }

  /** Whether nothing is known: the table is empty or its rows have not been flushed. */
  boolean isEmpty() {
    return statistics.files() == 0 && statistics.contents().memtableRows() == 0;
  }

  /** All rows. */
  long rows() {
    return statistics.contents().rows() + statistics.contents().memtableRows();
  }

  /** All partitions; those of the memtables are estimated from the files. */
  long partitions() {
    if (!table.hasClusteringColumns()) {
      return rows();
    }
    long inFiles = statistics.estimatedPartitions();
    return inFiles == 0
        ? 0
        : Math.round(inFiles * (double) rows() / Math.max(1, statistics.contents().rows()));
  }

  /** The mean number of rows of a partition; 0 if it is not known. */
  double rowsOfPartition() {
    if (!table.hasClusteringColumns()) {
      return isEmpty() ? 0 : 1;
    }
    return partitions() == 0 ? 0 : rows() / (double) partitions();
  }

  /** The mean size of a row, uncompressed; a guess from its columns if there are no files. */
  double bytesOfRow() {
    return statistics.contents().bytes() == 0 || statistics.contents().rows() == 0
        ? RowSize.ofRow(table)
        : statistics.contents().bytes() / (double) statistics.contents().rows();
  }

  /** The sizes of partitions and the deletions, as text. */
  String text() {
    long rows = Math.round(rowsOfPartition());
    String text =
        table.hasClusteringColumns()
            ? "partitions have "
                + rows
                + (rows == 1 ? " row and " : " rows and ")
                + Figures.size(Math.round(rowsOfPartition() * bytesOfRow()))
                + " on average; the largest has "
                + Figures.size(statistics.largestPartitionBytes())
            : "rows have "
                + Figures.size(Math.round(bytesOfRow()))
                + " on average; the largest has "
                + Figures.size(statistics.largestPartitionBytes());
    long tombstones = statistics.contents().tombstones();
    return tombstones == 0
        ? text
        : text + "; " + tombstones + " deletions and expiring values in all files";
  }

  /** All files. */
  int files() {
    return statistics.files();
  }

  /** The size of all files, compressed. */
  long fileBytes() {
    return statistics.fileBytes();
  }

  /** The size of the memtables. */
  long memtableBytes() {
    return statistics.memtableBytes();
  }

  /** The entries of the memtables. */
  long memtableRows() {
    return statistics.contents().memtableRows();
  }

  /** The files that may have a partition: those of its shard. */
  int filesOfPartition() {
    return (statistics.files() + shards - 1) / shards;
  }

  /** The blocks of so many rows that follow each other in each of so many files. */
  long blocks(double rows, long files) {
    if (files == 0) {
      return 0;
    }
    double share = rows / Math.max(1, rows());
    double data = Math.max(files, share * dataBlocks());
    return files + Math.round(data + data / BLOCKS_OF_INDEX_BLOCK);
  }

  private double dataBlocks() {
    long known = statistics.contents().blocks();
    return known > 0 ? known : Math.max(statistics.files(), bytesOfRow() * rows() / BLOCK_BYTES);
  }
}
