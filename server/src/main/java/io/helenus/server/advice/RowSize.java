package io.helenus.server.advice;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionType;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.UserType;
import io.helenus.server.types.VectorType;
import java.util.Set;

/**
 * How many bytes a row of a table will take, guessed from its types and names while there are no
 * data. Stateless; any thread.
 */
public final class RowSize {
  /**
   * What a row takes beside its values, and a cell: flags, lengths, its timestamp as a difference.
   */
  private static final int ROW = 8;

  private static final int CELL = 3;
  private static final int ELEMENTS = 10;
  private static final int SHORT_TEXT = 20;
  private static final int LONG_TEXT = 500;
  private static final int BLOB = 1_000;

  private static final Set<String> LONG =
      Set.of(
          "body",
          "content",
          "contents",
          "description",
          "text",
          "message",
          "payload",
          "json",
          "html",
          "comment",
          "notes",
          "document",
          "data",
          "bio",
          "summary");

  private RowSize() {}

  /** The bytes of a row with all its columns but the partition key and static ones. */
  public static int ofRow(TableSchema table) {
    int bytes = ROW;
    for (ColumnSchema column : table.clusteringColumns()) {
      bytes += 1 + ofValue(column);
    }
    for (ColumnSchema column : table.regularColumns()) {
      bytes += CELL + ofValue(column);
    }
    return bytes;
  }

  /** The cells of a row, as Cassandra's limits count them: one for each column, or element. */
  public static int cellsOfRow(TableSchema table) {
    int cells = 0;
    for (ColumnSchema column : table.regularColumns()) {
      cells += column.multiCell() ? ELEMENTS : 1;
    }
    return Math.max(1, cells);
  }

  private static int ofValue(ColumnSchema column) {
    boolean isLong = ColumnWords.of(column.name()).endsWith(LONG) && !column.isPrimaryKey();
    return column.type() == ScalarType.TEXT && isLong ? LONG_TEXT : ofType(column.type());
  }

  /** The bytes of a value of a type. */
  static int ofType(CqlType type) {
    return switch (type) {
      case ScalarType scalar -> ofScalar(scalar);
      case CollectionType collection ->
          ELEMENTS * (CELL + collection.parts().stream().mapToInt(RowSize::ofType).sum());
      case UserType user -> user.fieldTypes().stream().mapToInt(RowSize::ofType).sum();
      case TupleType tuple -> tuple.elements().stream().mapToInt(RowSize::ofType).sum();
      case VectorType vector -> vector.dimension() * ofType(vector.element());
      default -> BLOB;
    };
  }

  private static int ofScalar(ScalarType type) {
    return switch (type) {
      case BOOLEAN, TINYINT -> 1;
      case SMALLINT -> 2;
      case INT, FLOAT, DATE -> 4;
      case BIGINT, COUNTER, DOUBLE, TIME, TIMESTAMP, DECIMAL, VARINT, DURATION, INET -> 8;
      case UUID, TIMEUUID -> 16;
      case TEXT, ASCII -> SHORT_TEXT;
      case BLOB -> BLOB;
      case EMPTY -> 0;
    };
  }
}
