package io.helenus.cql.ast;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name of a table, view, index, type, function or aggregate, with its keyspace if one was
 * written.
 */
public record QualifiedName(@Nullable String keyspace, String name) {
  /** Checks that there is a name. */
  public QualifiedName {
    Objects.requireNonNull(name, "name");
  }

  /** The name alone, in the keyspace in use. */
  public static QualifiedName of(String name) {
    return new QualifiedName(null, name);
  }

  /** {@code keyspace.name} or {@code name}, unquoted. */
  @Override
  public String toString() {
    return keyspace == null ? name : keyspace + "." + name;
  }
}
