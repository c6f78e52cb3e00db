package io.helenus.server.query.modification;

/**
 * One change of a user type that is not frozen. Values are slots of the plan; an unset value
 * changes nothing. Immutable; any thread.
 */
sealed interface FieldChange {
  /** Replaces all fields. */
  record Replace(int slot) implements FieldChange {}

  /** Deletes all fields. */
  record Clear() implements FieldChange {}

  /** Sets a field, or deletes it if the value is null. */
  record Set(int field, int slot) implements FieldChange {}

  /** Deletes a field. */
  record Delete(int field) implements FieldChange {}

  /** The field that it changes; -1 for all fields. */
  default int changedField() {
    return switch (this) {
      case Replace ignored -> -1;
      case Clear ignored -> -1;
      case Set(int field, int ignored) -> field;
      case Delete(int field) -> field;
    };
  }
}
