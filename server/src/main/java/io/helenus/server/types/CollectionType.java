package io.helenus.server.types;

import java.lang.foreign.MemorySegment;

/** A list, set or map; stored as one cell per element unless it is frozen. */
public sealed interface CollectionType extends CqlType permits ListType, SetType, MapType {
  /** Whether a value is stored and replaced as a whole. */
  boolean frozen();

  @Override
  default boolean isMultiCell() {
    return !frozen();
  }

  @Override
  default boolean isCollection() {
    return true;
  }

  @Override
  default void validatePart(MemorySegment value, long offset, int length) {
    Structures.validateInner(this, value, offset, length);
  }

  /**
   * As in Cassandra: a collection of many cells also requires paths of the same order, and values
   * that need no conversion.
   */
  @Override
  default boolean isValueCompatibleWith(CqlType other) {
    if (frozen() || other.isMultiCell() == frozen() || other.getClass() != getClass()) {
      return equals(other);
    }
    return switch (this) {
      case ListType list -> list.element().isValueCompatibleWith(((ListType) other).element());
      case SetType set -> areOrderedAlike(set.element(), ((SetType) other).element());
      case MapType map ->
          areOrderedAlike(map.key(), ((MapType) other).key())
              && map.value().isValueCompatibleWith(((MapType) other).value());
    };
  }

  private static boolean areOrderedAlike(CqlType type, CqlType previous) {
    return type.equals(previous)
        || (type == ScalarType.BLOB
            && (previous == ScalarType.TEXT || previous == ScalarType.ASCII))
        || (type == ScalarType.TEXT && previous == ScalarType.ASCII);
  }
}
