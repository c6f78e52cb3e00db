package io.helenus.server.query.value;

import org.jspecify.annotations.Nullable;

/** Where a value of a statement comes from when the statement runs. Immutable. */
public sealed interface ValueSource {

  /** What is bound to the marker of this index. */
  record Marker(int index) implements ValueSource {}

  /** Known since planning: wire bytes, null for NULL. */
  record Constant(byte @Nullable [] value) implements ValueSource {}

  /** Worked out anew at each run. */
  record Computed(Expression expression) implements ValueSource {}
}
