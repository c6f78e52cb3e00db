package io.helenus.copy.rows;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.helenus.copy.cluster.Requests;
import io.helenus.copy.cluster.Side;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table of one side. Pages have a bounded size in bytes: their number of rows follows the
 * size of the rows read so far. Used by many threads at once.
 */
public final class TableReader {
  private static final long PAGE_BYTES = 1 << 20;
  private static final int PAGE_ROWS = 1000;
  private static final int NONE = -1;

  private final Side side;
  private final Table table;
  private final TokenRange.Ring ring;
  private final int[] writeTimeAt;
  private final int[] ttlAt;
  private final PreparedStatement scan;
  private final PreparedStatement find;
  private final PreparedStatement findStatics;

  /** Bytes of a row, an average that grows at once and shrinks slowly. */
  private final AtomicLong rowBytes = new AtomicLong(PAGE_BYTES);

  /** Finds out which write times the server tells, and prepares the reads. */
  public TableReader(Side side, Table table, TokenRange.Ring ring) {
    this.side = side;
    this.table = table;
    this.ring = ring;
    int columns = table.columns().size();
    writeTimeAt = new int[columns];
    ttlAt = new int[columns];
    String select = select();
    scan =
        side.prepare(
            ring == TokenRange.Ring.OTHER
                ? select
                : select + " WHERE " + table.token() + " > ? AND " + table.token() + " <= ?");
    find = side.prepare(select + " WHERE " + table.keyCondition(false));
    findStatics = side.prepare(select + " WHERE " + table.keyCondition(true) + " LIMIT 1");
  }

  private String select() {
    StringJoiner list = new StringJoiner(", ", "SELECT ", " FROM " + table.name());
    list.add(table.token());
    table.keys().forEach(list::add);
    table.columns().forEach(column -> list.add(column.name()));
    int next = 1 + table.keys().size() + table.columns().size();
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      String times = "writetime(" + column.name() + "), ttl(" + column.name() + ")";
      if (tells(column, times)) {
        list.add(times);
        writeTimeAt[i] = next++;
        ttlAt[i] = next++;
      } else {
        writeTimeAt[i] = NONE;
        ttlAt[i] = NONE;
      }
    }
    return list.toString();
  }

  /** Cassandra tells the write times of elements since 5.0, ScyllaDB does not. */
  private boolean tells(Column column, String times) {
    return switch (column.form()) {
      case SIMPLE -> true;
      case COUNTER -> false;
      default -> side.prepareIfKnown("SELECT " + times + " FROM " + table.name()).isPresent();
    };
  }

  /** The columns that have cells with write times, but which this server does not tell. */
  public List<String> withoutWriteTimes() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < writeTimeAt.length; i++) {
      if (writeTimeAt[i] == NONE && table.columns().get(i).form().hasElements()) {
        names.add(table.columns().get(i).name());
      }
    }
    return names;
  }

  /** Whether this server tells write time and TTL of a column. */
  public boolean tellsWriteTime(int column) {
    return writeTimeAt[column] != NONE;
  }

  /** The rows of a range in the order of the ring. */
  public Rows scan(TokenRange range) {
    return new Rows(range);
  }

  /** The row with the primary key of another, or null; read again if the server is slow. */
  public @Nullable RowData find(RowData key) {
    boolean isStaticOnly = key.isStaticOnly(table);
    RowData found = isStaticOnly ? findStatics(key) : read(find, key, table.keys().size());
    return found != null && found.isStaticOnly(table) == isStaticOnly ? found : null;
  }

  /** Any row of the partition of another, which has the static columns, or null. */
  @Nullable RowData findStatics(RowData key) {
    return read(findStatics, key, table.partitionKeys());
  }

  private @Nullable RowData read(PreparedStatement prepared, RowData key, int parts) {
    BoundStatementBuilder statement = prepared.boundStatementBuilder();
    bindKey(statement, 0, key, parts);
    BoundStatement bound = statement.setIdempotence(true).build();
    Row row =
        Requests.repeat(() -> "reading a row of " + described(), () -> side.execute(bound).one());
    return row == null ? null : data(row);
  }

  static void bindKey(BoundStatementBuilder statement, int first, RowData row, int parts) {
    for (int i = 0; i < parts; i++) {
      statement.setBytesUnsafe(first + i, row.key()[i]);
    }
  }

  private String described() {
    return table.name() + " in " + side.hosts();
  }

  private RowData data(Row row) {
    int keys = table.keys().size();
    int columns = table.columns().size();
    ByteBuffer token = row.getBytesUnsafe(0);
    if (token == null) {
      throw new IllegalStateException("a row of " + described() + " without a token");
    }
    @Nullable ByteBuffer[] key = new @Nullable ByteBuffer[keys];
    @Nullable ByteBuffer[] values = new @Nullable ByteBuffer[columns];
    @Nullable ByteBuffer[] writeTimes = new @Nullable ByteBuffer[columns];
    @Nullable ByteBuffer[] ttls = new @Nullable ByteBuffer[columns];
    for (int i = 0; i < keys; i++) {
      key[i] = row.getBytesUnsafe(1 + i);
    }
    for (int i = 0; i < columns; i++) {
      values[i] = row.getBytesUnsafe(1 + keys + i);
      if (writeTimeAt[i] != NONE) {
        writeTimes[i] = row.getBytesUnsafe(writeTimeAt[i]);
        ttls[i] = row.getBytesUnsafe(ttlAt[i]);
      }
    }
    return new RowData(token, key, values, writeTimes, ttls);
  }

  private int pageRows() {
    return Math.clamp(PAGE_BYTES / Math.max(1, rowBytes.get()), 1, PAGE_ROWS);
  }

  private void measure(long bytes, int rows) {
    if (rows > 0) {
      long mean = bytes / rows;
      rowBytes.updateAndGet(old -> Math.max(mean, old - (old - mean) / 4));
    }
  }

  /** The rows of one range, page by page. Used by one thread. */
  public final class Rows {
    private final TokenRange range;
    private List<RowData> page = List.of();
    private int next;
    private @Nullable ByteBuffer pagingState;
    private boolean last;

    private Rows(TokenRange range) {
      this.range = range;
    }

    /** The next row, or null after the last one. */
    public @Nullable RowData next() {
      while (next == page.size()) {
        if (last) {
          return null;
        }
        readPage();
      }
      return page.get(next++);
    }

    private void readPage() {
      BoundStatementBuilder statement = scan.boundStatementBuilder();
      if (ring != TokenRange.Ring.OTHER) {
        statement.setBytesUnsafe(0, TokenRange.encode(ring, range.after()));
        statement.setBytesUnsafe(1, TokenRange.encode(ring, range.last()));
      }
      BoundStatement bound =
          statement
              .setPageSize(pageRows())
              .setPagingState(pagingState)
              .setIdempotence(true)
              .build();
      AsyncResultSet result =
          Requests.repeat(() -> "reading " + described(), () -> side.page(bound));
      page = new ArrayList<>();
      long bytes = 0;
      for (Row row : result.currentPage()) {
        RowData data = data(row);
        bytes += data.bytes();
        page.add(data);
      }
      next = 0;
      pagingState = result.getExecutionInfo().getPagingState();
      last = pagingState == null;
      measure(bytes, page.size());
    }
  }
}
