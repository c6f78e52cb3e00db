package io.helenus.cql.ast;

/** The value of INSERT … JSON: a document as a string, or a marker for one. */
public sealed interface JsonValue permits JsonValue.Text, BindMarker {

  /** The unescaped text of the string literal. */
  record Text(String json) implements JsonValue {}
}
