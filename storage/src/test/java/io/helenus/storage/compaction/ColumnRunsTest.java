package io.helenus.storage.compaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.row.ColumnTranslation;
import io.helenus.storage.row.RowFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** In how many orders files are read. */
class ColumnRunsTest {
  private static ColumnRuns runs(TableDescriptor.Kind kind, int... targets) {
    TableDescriptor table =
        new TableDescriptor(
            1,
            IntStream.of(targets)
                .sorted()
                .mapToObj(id -> new TableDescriptor.Column(id, kind, RowFormat.NO_TIMESTAMP))
                .toList(),
            0,
            TableDescriptor.Compression.LZ4,
            4,
            32,
            0.01);
    return new ColumnRuns(
        new FilesToLoad(
            List.of(),
            1,
            new ColumnTranslation(
                IntStream.range(0, targets.length)
                    .mapToObj(
                        i ->
                            new ColumnTranslation.Column(i + 1, targets[i], RowFormat.NO_TIMESTAMP))
                    .toList())),
        table);
  }

  @Test
  void aRunIsInOrderInBothTables() {
    assertEquals(1, runs(TableDescriptor.Kind.MULTI_CELL, 3, 6, 9).count());
    assertEquals(3, runs(TableDescriptor.Kind.MULTI_CELL, 9, 6, 3).count());
    ColumnRuns last = runs(TableDescriptor.Kind.MULTI_CELL, 2, 3, 4, 1);
    assertEquals(2, last.count());
    assertTrue(last.isIn(0, 1));
    assertTrue(last.isIn(0, 3));
    assertTrue(last.isIn(1, 4));
    assertFalse(last.isIn(0, 4));
    assertFalse(last.isIn(0, 5), "a column that is left out");
  }

  @Test
  void otherColumnsNeedNone() {
    assertEquals(1, runs(TableDescriptor.Kind.SIMPLE, 9, 6, 3).count());
  }
}
