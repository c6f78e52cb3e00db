package io.helenus.cql.ast;

import org.jspecify.annotations.Nullable;

/**
 * A placeholder for a bound value: {@code ?} or {@code :name}. Its context determines what the
 * value is: a term, the list of values of an IN, or a JSON document.
 *
 * @param index 0-based position among all markers of the statement, in order of the text
 * @param name the folded name of {@code :name}; null for {@code ?}
 */
public record BindMarker(int index, @Nullable String name) implements Term, InValues, JsonValue {
  /** Checks the index. */
  public BindMarker {
    if (index < 0) {
      throw new IllegalArgumentException("negative marker index " + index);
    }
  }

  /** {@code ?}; messages show named markers this way too. */
  @Override
  public String toString() {
    return "?";
  }
}
