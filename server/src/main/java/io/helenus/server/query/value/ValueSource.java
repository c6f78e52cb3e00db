package io.helenus.server.query.value;

import org.jspecify.annotations.Nullable;

/** The source of a term's value when the statement runs. Immutable; any thread. */
public sealed interface ValueSource {

  /** The value bound to the marker with this index. */
  record Marker(int index) implements ValueSource {}

  /** A value known at planning, in wire format; null for NULL. */
  record Constant(byte @Nullable [] value) implements ValueSource {}

  /** A value computed at each run. */
  record Computed(Expression expression) implements ValueSource {}
}
