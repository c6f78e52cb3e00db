package io.helenus.copy.rows;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.helenus.copy.cluster.Requests;
import io.helenus.copy.cluster.Side;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of one table to the target. A row that is written again, after a timeout or when a
 * copy is resumed, is the same as if it had been written once: cells have their write times, and
 * what the target already has of a list is left out. Used by many threads at once.
 */
public final class RowWriter implements SectionWriter {
  /** Cassandra warns of batches above 5 KiB and refuses those above 50 KiB. */
  private static final long BATCH_BYTES = 4096;

  private final Side target;
  private final Table table;
  private final Section section;
  private final TableReader reader;
  private final long now;
  private final boolean hasLists;
  private final @Nullable PreparedStatement insert;
  private final @Nullable PreparedStatement update;
  private final Map<Integer, PreparedStatement> assigns = new ConcurrentHashMap<>();
  private final Map<Integer, PreparedStatement> appends = new ConcurrentHashMap<>();

  /**
   * Prepares the statements of the static columns or of the others.
   *
   * @param reader of the target
   * @param now the timestamp, in microseconds, of what has none; the same when a copy is resumed
   */
  public RowWriter(Side target, Table table, boolean statics, TableReader reader, long now) {
    this.target = target;
    this.table = table;
    this.reader = reader;
    this.now = now;
    section = new Section(table, statics);
    hasLists =
        section.columns().stream()
            .anyMatch(column -> table.columns().get(column).form() == Column.Form.LIST);
    insert = statics ? null : target.prepare(section.insert());
    update = section.slots() == 0 ? null : target.prepare(section.update());
  }

  @Override
  public void write(RowData row) {
    Requests.repeat(
        () -> "writing a row of " + table.name() + " to " + target.hosts(),
        () -> {
          RowData existing = hasLists ? existing(row) : null;
          send(row, RowWrites.of(table, section, row, existing, now));
          return true;
        });
  }

  private @Nullable RowData existing(RowData row) {
    return section.isStatic() ? reader.findStatics(row) : reader.find(row);
  }

  private void send(RowData row, List<Write> writes) {
    List<BoundStatement> statements = new ArrayList<>(writes.size());
    for (Write write : writes) {
      statements.add(bind(row, write));
    }
    if (statements.size() > 1 && row.bytes() <= BATCH_BYTES) {
      BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.UNLOGGED);
      statements.forEach(batch::addStatement);
      target.execute(batch.build());
    } else {
      statements.forEach(target::execute);
    }
  }

  private BoundStatement bind(RowData row, Write write) {
    int keys = section.isStatic() ? table.partitionKeys() : table.keys().size();
    PreparedStatement prepared = prepared(write);
    BoundStatementBuilder statement = prepared.boundStatementBuilder();
    int next = 0;
    if (write.kind() == Write.Kind.INSERT) {
      TableReader.bindKey(statement, next, row, keys);
      next = keys;
      for (int slot : section.simpleSlots()) {
        bind(statement, next++, write.values()[slot]);
      }
      statement = statement.setLong(next, write.timestamp()).setInt(next + 1, write.ttl());
    } else {
      statement = statement.setLong(next++, write.timestamp()).setInt(next++, write.ttl());
      for (ByteBuffer value : write.values()) {
        bind(statement, next++, value);
      }
      TableReader.bindKey(statement, next, row, keys);
    }
    return statement.build();
  }

  /** A marker that is not bound is unset: its column stays as it is. */
  static void bind(BoundStatementBuilder statement, int marker, @Nullable ByteBuffer value) {
    if (value != null) {
      statement.setBytesUnsafe(marker, value);
    }
  }

  private PreparedStatement prepared(Write write) {
    PreparedStatement prepared =
        switch (write.kind()) {
          case INSERT -> insert;
          case UPDATE -> update;
          case ASSIGN ->
              assigns.computeIfAbsent(
                  write.column(), column -> target.prepare(section.assign(column)));
          case APPEND ->
              appends.computeIfAbsent(
                  write.column(), column -> target.prepare(section.append(column)));
        };
    if (prepared == null) {
      throw new IllegalStateException("no statement for " + write.kind());
    }
    return prepared;
  }
}
