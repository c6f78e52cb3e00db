package io.helenus.cql.parser;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.antlr.v4.runtime.Token;

/** The words that are not plain identifiers, in lower case. */
final class Keywords {
  private static final Map<String, Integer> TYPES = types();

  /** The length of the longest keyword; longer words need no lookup. */
  private static final int LONGEST = "columnfamilies".length();

  private Keywords() {}

  /** The token type of a word given in lower case; IDENT if it is not a keyword. */
  static int typeOf(String word) {
    if (word.length() > LONGEST) {
      return CqlGrammar.IDENT;
    }
    Integer type = TYPES.get(word);
    return type == null ? CqlGrammar.IDENT : type;
  }

  /** Whether this is the type of a keyword. */
  static boolean isKeyword(int type) {
    String name = CqlGrammar.VOCABULARY.getSymbolicName(type);
    return name != null && name.startsWith("K_");
  }

  private static Map<String, Integer> types() {
    Map<String, Integer> types = new HashMap<>(512);
    for (int type = 1; type <= CqlGrammar.VOCABULARY.getMaxTokenType(); type++) {
      String name = CqlGrammar.VOCABULARY.getSymbolicName(type);
      if (name != null && name.startsWith("K_")) {
        types.put(name.substring(2).toLowerCase(Locale.ROOT), type);
      }
    }
    types.put("table", CqlGrammar.K_COLUMNFAMILY);
    types.put("columnfamilies", CqlGrammar.K_TABLES);
    types.put("nan", CqlGrammar.K_POSITIVE_NAN);
    types.put("infinity", CqlGrammar.K_POSITIVE_INFINITY);
    types.put("true", CqlGrammar.BOOLEAN);
    types.put("false", CqlGrammar.BOOLEAN);
    // The names of these token types are not words of CQL: as words they are identifiers.
    types.put("positive_nan", CqlGrammar.IDENT);
    types.put("negative_nan", CqlGrammar.IDENT);
    types.put("positive_infinity", CqlGrammar.IDENT);
    types.put("negative_infinity", CqlGrammar.IDENT);
    if (types.containsValue(Token.INVALID_TYPE)) {
      throw new IllegalStateException("a keyword has no token type");
    }
    return types;
  }
}
