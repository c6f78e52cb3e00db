package io.helenus.cql.ast;

import org.jspecify.annotations.Nullable;

/**
 * A value to be bound: {@code ?} or {@code :name}. Its context (a term, all values of an IN, a JSON
 * document) determines what is bound.
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
