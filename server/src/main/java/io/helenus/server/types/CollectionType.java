package io.helenus.server.types;

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
}
