package io.helenus.copy.rows;

import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.helenus.copy.cluster.Requests;
import io.helenus.copy.cluster.Side;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Gives counters of the target the values of the source, by increments: the only way to write them.
 * An increment is the difference to what the target has, so that a row can be written again after a
 * timeout or when a copy is resumed. Used by many threads at once.
 */
public final class CounterWriter implements SectionWriter {
  private final Side target;
  private final Table table;
  private final Section section;
  private final TableReader reader;
  private final PreparedStatement increment;

  /** Prepares the statement of the static counters or of the others. */
  public CounterWriter(Side target, Table table, boolean statics, TableReader reader) {
    this.target = target;
    this.table = table;
    this.reader = reader;
    section = new Section(table, statics);
    increment = target.prepare(section.increment());
  }

  @Override
  public void write(RowData row) {
    Requests.repeat(
        () -> "writing counters of " + table.name() + " to " + target.hosts(),
        () -> {
          add(row, section.isStatic() ? reader.findStatics(row) : reader.find(row));
          return true;
        });
  }

  private void add(RowData row, @Nullable RowData existing) {
    BoundStatementBuilder statement = increment.boundStatementBuilder();
    boolean isAny = false;
    int marker = 0;
    for (int column : section.columns()) {
      ByteBuffer value = row.values()[column];
      ByteBuffer present = existing == null ? null : existing.values()[column];
      if (value != null && !value.equals(present)) {
        long difference = number(value) - (present == null ? 0 : number(present));
        statement = statement.setLong(marker, difference);
        isAny = true;
      }
      marker++;
    }
    if (isAny) {
      int keys = section.isStatic() ? table.partitionKeys() : table.keys().size();
      TableReader.bindKey(statement, marker, row, keys);
      target.execute(statement.build());
    }
  }

  private static long number(ByteBuffer counter) {
    return counter.getLong(counter.position());
  }
}
