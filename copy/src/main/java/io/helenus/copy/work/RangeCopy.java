package io.helenus.copy.work;

import io.helenus.copy.rows.RowData;
import io.helenus.copy.rows.SectionWriter;
import io.helenus.copy.rows.Table;
import io.helenus.copy.rows.TableReader;
import io.helenus.copy.rows.TokenRange;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies the rows of one table in a range: reads them in order, writes many at once. Used by many
 * threads, each with a range.
 *
 * @param source reads the source
 * @param statics writes static columns, null if the table has none
 * @param rows writes the other columns
 * @param counted receives the number of rows that have been written since the last time
 */
public record RangeCopy(
    Table table,
    TableReader source,
    @Nullable SectionWriter statics,
    SectionWriter rows,
    Limits limits,
    LongConsumer counted) {
  /** Copies a range; returns the number of rows when all of them are written. */
  public long copy(TokenRange range) {
    AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    long count = 0;
    try (ExecutorService writes = Executors.newVirtualThreadPerTaskExecutor()) {
      TableReader.Rows read = source.scan(range);
      RowData previous = null;
      for (RowData row = read.next();
          row != null && failure.get() == null;
          previous = row, row = read.next()) {
        limits.awaitTurn();
        if (statics != null && !row.isSamePartition(previous, table)) {
          write(writes, statics, row, failure);
        }
        if (!row.isStaticOnly(table)) {
          write(writes, rows, row, failure);
        }
        count++;
        counted.accept(1);
      }
    }
    RuntimeException first = failure.get();
    if (first != null) {
      throw first;
    }
    return count;
  }

  private void write(
      ExecutorService writes,
      SectionWriter writer,
      RowData row,
      AtomicReference<@Nullable RuntimeException> failure) {
    int taken = limits.take(row.bytes());
    writes.execute(
        () -> {
          try {
            writer.write(row);
          } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
          } finally {
            limits.giveBack(taken);
          }
        });
  }
}
