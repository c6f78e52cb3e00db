package io.helenus.server.query.condition;

import io.helenus.cql.ast.Operator;
import io.helenus.server.error.CqlException;
import io.helenus.server.query.restriction.InValuesReader;
import io.helenus.server.query.restriction.TupleValues;
import io.helenus.server.query.value.BoundSlots;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.ListType;
import io.helenus.server.types.SetType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a column or a part of it, with its values. Values are compared by their key bytes,
 * which sort in the order of the type. Immutable.
 *
 * @param operator null for IN
 * @param values the values as key bytes; null for NULL, and for an empty collection if the column
 *     is not frozen: such a column is null when it is empty
 * @param refusal thrown when the condition is tested; null if its values are valid
 */
record BoundCondition(
    ColumnSchema column,
    BoundPart part,
    @Nullable Operator operator,
    List<byte @Nullable []> values,
    @Nullable CqlException refusal) {

  /**
   * Takes the values of a condition, copying them. Most invalid ones are refused only when the
   * condition is tested, as in Cassandra.
   *
   * @throws CqlException INVALID if a list of IN is null, unset or malformed
   */
  static BoundCondition of(ColumnCondition condition, BoundSlots bound) {
    return switch (condition) {
      case ColumnCondition.Comparison comparison -> {
        try {
          yield of(comparison, BoundPart.of(condition, bound), bound);
        } catch (CqlException e) {
          yield refused(condition, e);
        }
      }
      case ColumnCondition.In(var column, var ignored, var in) -> {
        if (in.listSlot() >= 0) {
          refuseUnset(bound.length(in.listSlot()));
          if (bound.length(in.listSlot()) == BoundSlots.NULL) {
            throw CqlException.invalid("Invalid null list in IN condition");
          }
        }
        BoundPart part;
        try {
          part = BoundPart.of(condition, bound);
        } catch (CqlException e) {
          yield refused(condition, e);
        }
        List<byte @Nullable []> values = new ArrayList<>();
        InValuesReader.forEach(
            in, bound, new TupleValues(), each -> add(column, part, each, values));
        yield new BoundCondition(column, part, null, values, null);
      }
    };
  }

  private static BoundCondition refused(ColumnCondition condition, CqlException refusal) {
    ColumnSchema column = condition.column();
    BoundPart whole = new BoundPart.Whole(column.type().freeze());
    return new BoundCondition(column, whole, null, List.of(), refusal);
  }

  private static BoundCondition of(
      ColumnCondition.Comparison condition, BoundPart part, BoundSlots bound) {
    ColumnSchema column = condition.column();
    Operator operator = condition.operator();
    int slot = condition.slot();
    int length = bound.length(slot);
    refuseUnset(length);
    if (length == BoundSlots.NULL && operator != Operator.EQ && operator != Operator.NEQ) {
      throw CqlException.invalid("Invalid comparison with null for operator \"" + operator + "\"");
    }
    byte[] value =
        length < 0 ? null : Bytes.toArray(bound.segment(slot), bound.offset(slot), length);
    CqlType type =
        switch (operator) {
          case CONTAINS -> part.type().parts().getLast();
          case CONTAINS_KEY -> part.type().parts().getFirst();
          case EQ, NEQ, LT, LTE, GT, GTE, LIKE -> part.type();
        };
    if (!isContains(operator) && isEmptyColumn(column, part, value)) {
      refuseSlice(type, operator);
      value = null;
    }
    List<byte @Nullable []> values = new ArrayList<>(1);
    boolean asIs = isContains(operator) && BoundPart.isComparedAsIs(column, type);
    values.add(value == null || asIs ? value : ordered(type, value));
    return new BoundCondition(column, part, operator, values, null);
  }

  static void refuseUnset(int length) {
    if (length == BoundSlots.UNSET) {
      throw CqlException.invalid("Invalid 'unset' value in condition");
    }
  }

  private static boolean isContains(Operator operator) {
    return operator == Operator.CONTAINS || operator == Operator.CONTAINS_KEY;
  }

  /** Whether a value is that of an empty collection whose elements are cells. */
  private static boolean isEmptyColumn(
      ColumnSchema column, BoundPart part, byte @Nullable [] value) {
    return column.multiCell()
        && part instanceof BoundPart.Whole
        && part.type().isCollection()
        && value != null
        && Arrays.equals(value, new byte[Integer.BYTES]);
  }

  private static void refuseSlice(CqlType type, Operator operator) {
    if (operator == Operator.EQ || operator == Operator.NEQ) {
      return;
    }
    String kind = type instanceof ListType ? "list" : type instanceof SetType ? "set" : "map";
    throw CqlException.invalid(
        "Invalid comparison with an empty " + kind + " for operator \"" + operator + "\"");
  }

  /** Adds a value of IN; unset values are skipped. */
  private static void add(
      ColumnSchema column, BoundPart part, TupleValues each, List<byte @Nullable []> values) {
    int length = each.length(0);
    if (length == BoundSlots.NULL) {
      values.add(null);
    } else if (length >= 0) {
      byte[] value = Bytes.toArray(each.segment(0), each.offset(0), length);
      boolean isNull = isEmptyColumn(column, part, value);
      values.add(isNull ? null : ordered(part.type(), value));
    }
  }

  /** The key bytes of a value; the value itself if its type has no order. */
  static byte[] ordered(CqlType type, byte[] value) {
    KeyEncoding encoding = type.keyEncoding();
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
    byte[] found = part.of(wire);
    if (operator != null && isContains(operator)) {
      byte[] wanted = values.getFirst();
      boolean ofKeys = operator == Operator.CONTAINS_KEY || part.type() instanceof SetType;
      return found != null
          && wanted != null
          && BoundPart.contains(column, part.type(), found, ofKeys, wanted);
    }
    byte[] value = found == null ? null : ordered(part.type(), found);
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
