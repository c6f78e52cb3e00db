package io.helenus.cql.parser;

/**
 * Finds where constants end, without making tokens. A method returns {@link #NONE} for a text that
 * it leaves to the lexer. Stateless; any thread.
 */
final class ConstantEnds {
  static final int NONE = -1;
  static final int UUID_LENGTH = 36;

  private static final int MAX_EXPONENT_DIGITS = 2;

  private ConstantEnds() {}

  /** The character at an offset; 0 past the end. */
  static char at(String text, int offset) {
    return offset < text.length() ? text.charAt(offset) : 0;
  }

  /** The end of an exponent if one begins at an offset; the offset itself if not. */
  static int exponentEnd(String text, int e) {
    if (at(text, e) != 'e' && at(text, e) != 'E') {
      return e;
    }
    int digits = at(text, e + 1) == '+' || at(text, e + 1) == '-' ? e + 2 : e + 1;
    int end = digitsEnd(text, digits);
    // without digits, or with many, the e is left over and is not a delimiter
    return end > digits && end - digits <= MAX_EXPONENT_DIGITS ? end : e;
  }

  /** The end of a sequence of units with digits between them. */
  static int unitsEnd(String text, int start) {
    int at = start;
    while (true) {
      int unit = unitEnd(text, at);
      if (unit == NONE) {
        return NONE;
      }
      at = digitsEnd(text, unit);
      if (at == unit) {
        return at;
      }
    }
  }

  /** The end of one unit of a duration. */
  private static int unitEnd(String text, int at) {
    char next = at(text, at + 1);
    return switch (at(text, at)) {
      case 'y', 'Y', 'w', 'W', 'd', 'D', 'h', 'H', 's', 'S' -> at + 1;
      case 'm', 'M' -> next == 'o' || next == 'O' || next == 's' || next == 'S' ? at + 2 : at + 1;
      case 'u', 'U', 'n', 'N' -> next == 's' || next == 'S' ? at + 2 : NONE;
      default -> NONE;
    };
  }

  static int digitsEnd(String text, int start) {
    int end = start;
    while (CqlLexer.isDigit(at(text, end))) {
      end++;
    }
    return end;
  }

  static int hexEnd(String text, int start) {
    int end = start;
    while (CqlLexer.isHexadecimal(at(text, end))) {
      end++;
    }
    return end;
  }

  /** Whether a UUID begins at an offset. */
  static boolean isUuid(String text, int start) {
    for (int i = 0; i < UUID_LENGTH; i++) {
      char c = at(text, start + i);
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? c != '-' : !CqlLexer.isHexadecimal(c)) {
        return false;
      }
    }
    return true;
  }

  /** The end of a literal in brackets or braces, whatever its elements. */
  static int compositeEnd(String text, int start) {
    int open = 0;
    int at = start;
    do {
      char c = at(text, at);
      switch (c) {
        case '[', '{', '(' -> open++;
        case ']', '}', ')' -> open--;
        case '\'' -> at = text.indexOf('\'', at + 1);
        case '-', '/' -> {
          if (at(text, at + 1) == c || at(text, at + 1) == '*') {
            return NONE;
          }
        }
        case '?', '$', '"', 0 -> {
          return NONE;
        }
        default -> {}
      }
      if (at < 0) {
        return NONE;
      }
      at++;
    } while (open > 0);
    return at;
  }
}
