package io.helenus.server.view;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.ViewSchema;
import io.helenus.server.types.KeyEncoding;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * A condition on columns of a view's primary key, compared by the bytes of ascending keys, whose
 * order is that of the values. One thread at a time.
 */
final class KeyCondition {
  private final ViewSchema.Operator operator;
  private final int[] sources;
  private final KeyEncoding[] encodings;
  private final List<byte[]> operands = new ArrayList<>();
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
      encodings[i] = BaseKey.encoding(columns.get(i));
    }
    for (List<byte[]> values : condition.values()) {
      encoded.clear();
      for (int i = 0; i < sources.length; i++) {
        byte[] value = values.get(i);
        ByteWriter wire = new ByteWriter(Math.max(1, value.length)).putBytes(value);
        encodings[i].write(wire.segment(), 0, value.length, false, encoded);
      }
      operands.add(encoded.toArray());
    }
  }

  /** Whether a row meets it. Null meets nothing. */
  boolean isMet(BaseKey key) {
    encoded.clear();
    for (int i = 0; i < sources.length; i++) {
      int source = sources[i];
      if (key.length(source) < 0) {
        return false;
      }
      encodings[i].write(key.segment(), key.offset(source), key.length(source), false, encoded);
    }
    return switch (operator) {
      case IS_NOT_NULL -> true;
      case EQ -> compare(0) == 0;
      case LT -> compare(0) < 0;
      case LTE -> compare(0) <= 0;
      case GT -> compare(0) > 0;
      case GTE -> compare(0) >= 0;
      case IN -> isAny();
    };
  }

  private int compare(int operand) {
    byte[] bytes = operands.get(operand);
    ByteWriter other = new ByteWriter(Math.max(1, bytes.length)).putBytes(bytes);
    return Bytes.compare(encoded.segment(), 0, encoded.size(), other.segment(), 0, bytes.length);
  }

  private boolean isAny() {
    for (int i = 0; i < operands.size(); i++) {
      if (compare(i) == 0) {
        return true;
      }
    }
    return false;
  }
}
