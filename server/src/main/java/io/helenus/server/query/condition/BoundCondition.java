package io.helenus.server.query.condition;

import io.helenus.cql.ast.Operator;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.InValuesReader;
import io.helenus.server.query.restriction.TupleValues;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.KeyEncoding;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a column with its values. Values are compared by their key bytes, which sort in
 * the order of the type. Immutable.
 *
 * @param operator null for IN
 * @param values the values as key bytes; null for NULL
 */
record BoundCondition(
    ColumnSchema column, @Nullable Operator operator, List<byte @Nullable []> values) {

  /**
   * Takes the values of a condition, copying them.
   *
   * @throws CqlException INVALID if a value is unset, or null where it cannot be
   */
  static BoundCondition of(ColumnCondition condition, BoundSlots bound) {
    ColumnSchema column = condition.column();
    List<byte @Nullable []> values = new ArrayList<>(1);
    return switch (condition) {
      case ColumnCondition.Comparison(var ignored, Operator operator, int slot) -> {
        int length = bound.length(slot);
        refuseUnset(length);
        if (length == BoundSlots.NULL && operator != Operator.EQ && operator != Operator.NEQ) {
          throw CqlException.invalid(
              "Invalid comparison with null for operator \"" + operator + "\"");
        }
        values.add(
            length < 0
                ? null
                : ordered(column, Bytes.toArray(bound.segment(slot), bound.offset(slot), length)));
        yield new BoundCondition(column, operator, values);
      }
      case ColumnCondition.In(var ignored, var in) -> {
        if (in.listSlot() >= 0) {
          refuseUnset(bound.length(in.listSlot()));
          if (bound.length(in.listSlot()) == BoundSlots.NULL) {
            throw CqlException.invalid("Invalid null list in IN condition");
          }
        }
        InValuesReader.forEach(in, bound, new TupleValues(), each -> add(column, each, values));
        yield new BoundCondition(column, null, values);
      }
    };
  }

  private static void refuseUnset(int length) {
    if (length == BoundSlots.UNSET) {
      throw CqlException.invalid("Invalid 'unset' value in condition");
    }
  }

  /** Adds a value of IN; unset values are skipped. */
  private static void add(ColumnSchema column, TupleValues each, List<byte @Nullable []> values) {
    int length = each.length(0);
    if (length == BoundSlots.NULL) {
      values.add(null);
    } else if (length >= 0) {
      values.add(ordered(column, Bytes.toArray(each.segment(0), each.offset(0), length)));
    }
  }

  /** The key bytes of a value; the value itself if its type has no order. */
  private static byte[] ordered(ColumnSchema column, byte[] value) {
    KeyEncoding encoding = column.type().keyEncoding();
    if (encoding == null) {
      return value;
    }
    ByteWriter wire = new ByteWriter(value.length).putBytes(value);
    ByteWriter encoded = new ByteWriter(value.length + 8);
    encoding.write(wire.segment(), 0, value.length, false, encoded);
    return encoded.toArray();
  }

  /** Whether a value of the column, in wire format, meets the condition. */
  boolean isMetBy(byte @Nullable [] wire) {
    byte[] value = wire == null ? null : ordered(column, wire);
    if (operator == null) {
      return values.stream().anyMatch(each -> Arrays.equals(each, value));
    }
    byte[] wanted = values.getFirst();
    if (wanted == null || value == null) {
      boolean same = wanted == value;
      return operator == Operator.NEQ ? !same : same && operator == Operator.EQ;
    }
    int order = Arrays.compareUnsigned(value, wanted);
    return switch (operator) {
      case EQ -> order == 0;
      case NEQ -> order != 0;
      case LT -> order < 0;
      case LTE -> order <= 0;
      case GT -> order > 0;
      case GTE -> order >= 0;
      case CONTAINS, CONTAINS_KEY, LIKE -> throw new IllegalStateException("operator " + operator);
    };
  }
}
