package io.helenus.server.query.value;

import io.helenus.server.schema.ColumnSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The source of a term's value when the statement runs. Immutable; any thread. */
public sealed interface ValueSource {

  /** The value bound to the marker with this index. */
  record Marker(int index) implements ValueSource {}

  /** A value known at planning, in wire format; null for NULL. */
  record Constant(byte @Nullable [] value) implements ValueSource {}

  /** A value computed at each run. */
  record Computed(Expression expression) implements ValueSource {}

  /** No value: a column keeps the one that it has. */
  record Unset() implements ValueSource {}

  /**
   * The value for a column in a bound JSON document.
   *
   * @param marker the index of the marker of the document
   * @param columns all columns that the document may have
   * @param defaultUnset whether a column that the document lacks is unset rather than null
   */
  record JsonField(
      int marker, List<ColumnSchema> columns, ColumnSchema column, boolean defaultUnset)
      implements ValueSource {}
}
