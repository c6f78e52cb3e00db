package io.helenus.server.view;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.MapType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A condition on columns of a view's primary key, compared by the bytes of ascending keys, whose
 * order is that of the values. One thread at a time.
 */
final class KeyCondition {
  private final ViewSchema.Operator operator;
  private final int[] sources;
  private final KeyEncoding[] encodings;
  private final boolean ofMap;
  private final List<ByteWriter> operands = new ArrayList<>();
  private final ByteWriter encoded = new ByteWriter(64);

  /**
   * Compiles a condition.
   *
   * @param sources where each column's value is in a {@link BaseKey}
   */
  KeyCondition(ViewSchema.Condition condition, List<ColumnSchema> columns, int[] sources) {
    operator = condition.operator();
    this.sources = sources;
    encodings = new KeyEncoding[sources.length];
    for (int i = 0; i < sources.length; i++) {
      encodings[i] = encoding(operator, columns.get(i));
    }
    ofMap = columns.getFirst().type() instanceof MapType;
    for (List<byte[]> values : condition.values()) {
      ByteWriter operand = new ByteWriter(64);
      for (int i = 0; i < sources.length; i++) {
        byte[] value = values.get(i);
        ByteWriter wire = new ByteWriter(Math.max(1, value.length)).putBytes(value);
        encodings[i].write(wire.segment(), 0, value.length, false, operand);
      }
      operands.add(operand);
    }
  }

  /** The encoding of what is compared: a value of a column, or an element of it. */
  private static KeyEncoding encoding(ViewSchema.Operator operator, ColumnSchema column) {
    List<CqlType> parts = column.type().parts();
    return switch (operator) {
      case CONTAINS -> elementEncoding(column, parts.getLast());
      case CONTAINS_KEY -> elementEncoding(column, parts.getFirst());
      case IS_NOT_NULL, EQ, LT, LTE, GT, GTE, IN -> BaseKey.encoding(column);
    };
  }

  /** What is in a key has an order, and so have its elements. */
  private static KeyEncoding elementEncoding(ColumnSchema column, CqlType type) {
    return Objects.requireNonNull(
        type.keyEncoding(), "elements of column " + column.name() + " cannot be compared");
  }

  /** Whether a row meets it. Null meets nothing. */
  boolean isMet(BaseKey key) {
    for (int source : sources) {
      if (key.length(source) < 0) {
        return false;
      }
    }
    return switch (operator) {
      case IS_NOT_NULL -> true;
      case EQ -> compare(key) == 0;
      case LT -> compare(key) < 0;
      case LTE -> compare(key) <= 0;
      case GT -> compare(key) > 0;
      case GTE -> compare(key) >= 0;
      case IN -> isAny(key);
      case CONTAINS -> contains(key, ofMap);
      case CONTAINS_KEY -> contains(key, false);
    };
  }

  private void encode(BaseKey key) {
    encoded.clear();
    for (int i = 0; i < sources.length; i++) {
      int source = sources[i];
      encodings[i].write(key.segment(), key.offset(source), key.length(source), false, encoded);
    }
  }

  private int compare(BaseKey key) {
    encode(key);
    return compareWith(operands.getFirst());
  }

  private int compareWith(ByteWriter operand) {
    return Bytes.compare(
        encoded.segment(), 0, encoded.size(), operand.segment(), 0, operand.size());
  }

  private boolean isAny(BaseKey key) {
    encode(key);
    for (ByteWriter operand : operands) {
      if (compareWith(operand) == 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a collection has the element: a count, then the elements, or keys and values in turn,
   * each with its length.
   */
  private boolean contains(BaseKey key, boolean isValue) {
    long at = key.offset(sources[0]);
    if (key.length(sources[0]) == 0) {
      return false;
    }
    int left = Bytes.getInt(key.segment(), at);
    at += Integer.BYTES;
    for (; left > 0; left--) {
      long next = at + Integer.BYTES + Bytes.getInt(key.segment(), at);
      long element = isValue ? next : at;
      encoded.clear();
      encodings[0].write(
          key.segment(),
          element + Integer.BYTES,
          Bytes.getInt(key.segment(), element),
          false,
          encoded);
      if (compareWith(operands.getFirst()) == 0) {
        return true;
      }
      at = ofMap ? next + Integer.BYTES + Bytes.getInt(key.segment(), next) : next;
    }
    return false;
  }
}
