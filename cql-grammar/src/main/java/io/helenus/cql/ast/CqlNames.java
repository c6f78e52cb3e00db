package io.helenus.cql.ast;

import java.util.Set;

/** Formats names and strings for CQL. Stateless; any thread. */
public final class CqlNames {
  private static final Set<String> RESERVED =
      Set.of(
          "add",
          "allow",
          "alter",
          "and",
          "apply",
          "asc",
          "authorize",
          "batch",
          "begin",
          "by",
          "columnfamily",
          "create",
          "delete",
          "desc",
          "describe",
          "drop",
          "entries",
          "execute",
          "from",
          "full",
          "grant",
          "if",
          "in",
          "index",
          "infinity",
          "insert",
          "into",
          "is",
          "keyspace",
          "limit",
          "materialized",
          "modify",
          "nan",
          "norecursive",
          "not",
          "null",
          "of",
          "on",
          "or",
          "order",
          "primary",
          "rename",
          "revoke",
          "schema",
          "select",
          "set",
          "table",
          "to",
          "token",
          "truncate",
          "unlogged",
          "update",
          "use",
          "using",
          "view",
          "where",
          "with");

  private CqlNames() {}

  /** Formats a name, quoted if necessary. */
  public static String quoted(String name) {
    return isPlain(name) ? name : "\"" + name.replace("\"", "\"\"") + "\"";
  }

  private static boolean isPlain(String name) {
    if (name.isEmpty() || !isLetter(name.charAt(0)) || RESERVED.contains(name)) {
      return false;
    }
    for (int i = 1; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!isLetter(c) && (c < '0' || c > '9') && c != '_') {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z';
  }

  /** Formats a string literal. */
  public static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
