package io.helenus.server.query.value;

import io.helenus.cql.ast.Term;
import io.helenus.cql.parser.StatementShape;
import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The constants of a statement sent as text, as the values of the markers in the plan of its shape.
 * Reused for successive statements: valid until the next {@link #read} or {@link #clear}. Not
 * thread-safe.
 */
public final class LiteralValues {
  private static final int KEPT_BYTES = 64 << 10;

  /** Any integer with so many digits is within the range of a long. */
  private static final int SAFE_DIGITS = 18;

  private final ByteWriter bytes = new ByteWriter(256);
  private final BoundValues values = new BoundValues();
  private int[] ends = new int[16];

  /** Creates no values. */
  public LiteralValues() {}

  /** The values, in the order of the constants. */
  public BoundValues values() {
    return values;
  }

  /** Removes all values. */
  public void clear() {
    values.begin(MemorySegment.NULL);
  }

  /**
   * Reads the constants of a statement.
   *
   * @param types the type of each constant; a scalar type accepts its kind
   * @param documents the columns of each constant that is a document of INSERT JSON
   * @param schema that the statement was planned under
   * @return false if one of them has to be handled as a constant; then there are no values
   */
  public boolean read(
      StatementShape shape,
      CqlType[] types,
      Map<Integer, List<ColumnSchema>> documents,
      Schema schema) {
    bytes.clear(KEPT_BYTES);
    clear();
    if (ends.length < types.length) {
      ends = Arrays.copyOf(ends, Math.max(types.length, 2 * ends.length));
    }
    for (int i = 0; i < types.length; i++) {
      CqlType type = types[i];
      if (!(type instanceof ScalarType scalar
          ? put(shape, i, scalar)
          : putComposite(shape, i, type, schema))) {
        return false;
      }
      ends[i] = bytes.size();
    }
    values.begin(bytes.segment());
    int start = 0;
    for (int i = 0; i < types.length; i++) {
      values.add(start, ends[i] - start);
      start = ends[i];
    }
    if (!decode(documents, shape)) {
      clear();
      return false;
    }
    return true;
  }

  private boolean decode(Map<Integer, List<ColumnSchema>> documents, StatementShape shape) {
    try {
      for (Map.Entry<Integer, List<ColumnSchema>> each : documents.entrySet()) {
        String json = shape.constant(each.getKey());
        JsonDocument document = JsonDocument.parse(json, each.getValue());
        if (!document.isInsertable(each.getValue())) {
          return false;
        }
        values.keepDecoded(each.getKey(), document);
      }
      return true;
    } catch (CqlException e) {
      // planning the statement yields this error
      return false;
    }
  }

  private boolean put(StatementShape shape, int index, ScalarType type) {
    return switch (shape.kind(index)) {
      case STRING -> putString(shape, index, type);
      case INTEGER -> putInteger(shape, index, type);
      case UUID -> type == ScalarType.UUID ? putUuid(shape, index) : putOther(shape, index, type);
      case FLOAT, HEX, DURATION, BOOLEAN -> putOther(shape, index, type);
    };
  }

  private boolean putString(StatementShape shape, int index, ScalarType type) {
    if (type == ScalarType.TEXT && !shape.isEscaped(index)) {
      int before = bytes.size();
      if (putAscii(shape.text(), shape.start(index), shape.end(index))) {
        return true;
      }
      bytes.truncate(before);
    }
    return putOther(shape, index, type);
  }

  private boolean putAscii(String text, int start, int end) {
    int at = bytes.reserve(end - start);
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c > 0x7F) {
        return false;
      }
      bytes.setByte(at++, c);
    }
    return true;
  }

  private boolean putInteger(StatementShape shape, int index, ScalarType type) {
    if (shape.end(index) - shape.start(index) > SAFE_DIGITS) {
      return putOther(shape, index, type);
    }
    long value = integer(shape.text(), shape.start(index), shape.end(index));
    switch (type) {
      case BIGINT, COUNTER, TIMESTAMP -> bytes.putLong(value);
      case INT -> {
        if (value != (int) value) {
          return false;
        }
        bytes.putInt((int) value);
      }
      default -> {
        return putOther(shape, index, type);
      }
    }
    return true;
  }

  private static long integer(String text, int start, int end) {
    boolean negative = text.charAt(start) == '-';
    long value = 0;
    for (int i = negative ? start + 1 : start; i < end; i++) {
      value = 10 * value + (text.charAt(i) - '0');
    }
    return negative ? -value : value;
  }

  private boolean putUuid(StatementShape shape, int index) {
    String text = shape.text();
    long value = 0;
    int digits = 0;
    for (int i = shape.start(index); i < shape.end(index); i++) {
      char c = text.charAt(i);
      if (c != '-') {
        value = value << 4 | Character.digit(c, 16);
        if ((++digits & 15) == 0) {
          bytes.putLong(value);
        }
      }
    }
    return true;
  }

  /** Compiles the literal of a collection, a vector or a user type as the planner does. */
  private boolean putComposite(StatementShape shape, int index, CqlType type, Schema schema) {
    Term term = shape.term(index);
    if (term == null) {
      return false;
    }
    PlanningScope scope = new PlanningScope(schema, null, List.of());
    try {
      ValueSource source =
          new TermCompiler(scope).compile(term, new Receiver("", "", "", type, null));
      return source instanceof ValueSource.Constant(byte[] value)
          && value != null
          && putValid(value, type);
    } catch (CqlException e) {
      return false;
    }
  }

  private boolean putOther(StatementShape shape, int index, ScalarType type) {
    Term.Literal literal = new Term.Literal(shape.kind(index), shape.constant(index));
    if (type == ScalarType.TIMESTAMP && literal.text().equalsIgnoreCase("now")) {
      return false;
    }
    try {
      return putValid(type.fromConstant(Literals.kind(literal.kind()), literal.text(), ""), type);
    } catch (CqlException e) {
      // planning the statement yields the error that names the column
      return false;
    }
  }

  /**
   * Adds a value if it would be accepted as a bound one: a blob as a tinyint need not be.
   *
   * @throws CqlException if it would not
   */
  private boolean putValid(byte[] value, CqlType type) {
    int at = bytes.size();
    bytes.putBytes(value);
    type.validate(bytes.segment(), at, value.length);
    return true;
  }
}
