package io.helenus.cql.ast;

import java.util.List;
import java.util.stream.Collectors;

/** The right side of IN: {@code (a, b)} or one marker for the whole list. */
public sealed interface InValues permits InValues.Values, BindMarker {

  /**
   * {@code (a, b, …)}; may be empty. For tuples of columns each is a tuple literal, or all are
   * markers.
   */
  record Values(List<Term> terms) implements InValues {
    /** Copies the list. */
    public Values {
      terms = List.copyOf(terms);
    }

    @Override
    public String toString() {
      return terms.stream().map(Term::toString).collect(Collectors.joining(", ", "(", ")"));
    }
  }
}
