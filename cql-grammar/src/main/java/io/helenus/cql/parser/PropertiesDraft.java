package io.helenus.cql.parser;

import io.helenus.cql.ast.Properties;
import java.util.LinkedHashMap;
import java.util.Map;

/** A WITH clause being parsed. */
final class PropertiesDraft {
  private final Map<String, Properties.Value> values = new LinkedHashMap<>();

  void add(String name, Properties.Value value) {
    if (values.put(name, value) != null) {
      throw CqlSyntaxException.syntax("Multiple definitions for property '" + name + "'");
    }
  }

  Properties build() {
    return values.isEmpty() ? Properties.NONE : new Properties(values);
  }
}
