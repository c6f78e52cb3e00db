package io.helenus.server.schema;

import io.helenus.server.types.CollectionType;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.UserType;
import java.util.List;

/**
 * Decides which type a dropped column may have when it is added again: one that can read the values
 * still stored under its name, by Cassandra's rules. Stateless.
 */
final class ColumnReadoption {
  private ColumnReadoption() {}

  /** Whether cells written with a type can be read with another. */
  static boolean isReadable(CqlType written, CqlType type) {
    return areValuesReadable(written, type)
        && type.fixedBytes() == written.fixedBytes()
        && type.isMultiCell() == written.isMultiCell()
        && switch (type) {
          case ListType list -> isReadable(((ListType) written).element(), list.element());
          case MapType map -> isReadable(((MapType) written).value(), map.value());
          default -> true;
        };
  }

  private static boolean areValuesReadable(CqlType written, CqlType type) {
    if (type.equals(written)) {
      return true;
    }
    return switch (type) {
      case CollectionType collection when collection.getClass() != written.getClass() -> false;
      case ListType list -> areValuesReadable(((ListType) written).element(), list.element());
      case SetType set -> areOrderedAlike(((SetType) written).element(), set.element());
      case MapType map ->
          areOrderedAlike(((MapType) written).key(), map.key())
              && areValuesReadable(((MapType) written).value(), map.value());
      case TupleType tuple ->
          written instanceof TupleType other && areElementsReadable(other, tuple);
      case ScalarType scalar -> !written.isCollection() && scalar.isValueCompatibleWith(written);
      default -> false;
    };
  }

  private static boolean areElementsReadable(TupleType written, TupleType tuple) {
    int common = written.elements().size();
    if (tuple.elements().size() < common) {
      return false;
    }
    for (int i = 0; i < common; i++) {
      if (!areValuesReadable(written.elements().get(i), tuple.elements().get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the order of values is the same too, as elements of sets and keys of maps need. User
   * types of dropped columns are remembered as tuples.
   */
  private static boolean areOrderedAlike(CqlType written, CqlType type) {
    if (type.equals(written)) {
      return true;
    }
    return switch (type) {
      case CollectionType collection when collection.getClass() != written.getClass() -> false;
      case ListType list -> areOrderedAlike(((ListType) written).element(), list.element());
      case SetType set -> areOrderedAlike(((SetType) written).element(), set.element());
      case MapType map ->
          areOrderedAlike(((MapType) written).key(), map.key())
              && areOrderedAlike(((MapType) written).value(), map.value());
      case TupleType tuple -> areElementsOrderedAlike(written, tuple.elements());
      case UserType user -> areElementsOrderedAlike(written, user.fieldTypes());
      default ->
          (type == ScalarType.BLOB && (written == ScalarType.TEXT || written == ScalarType.ASCII))
              || (type == ScalarType.TEXT && written == ScalarType.ASCII);
    };
  }

  private static boolean areElementsOrderedAlike(CqlType written, List<CqlType> elements) {
    if (!(written instanceof TupleType tuple) || tuple.elements().size() > elements.size()) {
      return false;
    }
    for (int i = 0; i < tuple.elements().size(); i++) {
      if (!areOrderedAlike(tuple.elements().get(i), elements.get(i))) {
        return false;
      }
    }
    return true;
  }
}
