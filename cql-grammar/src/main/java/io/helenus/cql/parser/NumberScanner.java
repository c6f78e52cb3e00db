package io.helenus.cql.parser;

/**
 * Scans tokens that begin with a digit, or a dash and a digit: integers, floats, durations, blobs
 * and UUIDs. Used only by {@link CqlLexer}; holds the end of the last number.
 *
 * <p>The kind is decided while scanning and is final: {@code 1a} can only begin a UUID and {@code
 * 1n} a duration; anything else is an error.
 */
final class NumberScanner {
  private static final int UUID_HEAD = 8;

  private final CqlLexer lexer;
  private final DurationScanner durations;
  private int end;

  NumberScanner(CqlLexer lexer) {
    this.lexer = lexer;
    this.durations = new DurationScanner(lexer);
  }

  /** The offset after the last scanned number. */
  int end() {
    return end;
  }

  /** The token type of the number that begins at start. */
  int type(int start) {
    if (lexer.at(start) == '-') {
      return typeAfterDigits(digitsEnd(start + 1));
    }
    int digits = digitsEnd(start);
    char next = lexer.at(digits);
    if (digits == start + 1 && lexer.at(start) == '0' && (next == 'x' || next == 'X')) {
      return hexadecimal(digits + 1);
    }
    if (isUuid(start, digits)) {
      end = lexer.requireUuid(start);
      return CqlGrammar.UUID;
    }
    return typeAfterDigits(digits);
  }

  private int typeAfterDigits(int digits) {
    end = digits;
    return switch (lexer.at(digits)) {
      case '.' -> afterDot(digits);
      case 'e', 'E' -> {
        end = exponentEnd(digits);
        yield CqlGrammar.FLOAT;
      }
      default -> {
        if (durations.isUnit(digits)) {
          end = durations.unitsEnd(digits);
          yield CqlGrammar.DURATION;
        }
        yield CqlGrammar.INTEGER;
      }
    };
  }

  private int digitsEnd(int start) {
    int position = start;
    while (CqlLexer.isDigit(lexer.at(position))) {
      position++;
    }
    return position;
  }

  private int hexadecimal(int position) {
    end = position;
    while (CqlLexer.isHexadecimal(lexer.at(end))) {
      end++;
    }
    return CqlGrammar.HEXNUMBER;
  }

  /** {@code 1..2} is an integer and a range; {@code 1.}, {@code 1.5}, {@code 1.e5} are floats. */
  private int afterDot(int dot) {
    if (lexer.at(dot + 1) == '.' && lexer.at(dot + 2) != '.') {
      end = dot;
      return CqlGrammar.INTEGER;
    }
    int position = digitsEnd(dot + 1);
    char next = lexer.at(position);
    end = next == 'e' || next == 'E' ? exponentEnd(position) : position;
    return CqlGrammar.FLOAT;
  }

  /** The end of an exponent that begins with the e at a position. */
  private int exponentEnd(int e) {
    int sign = e + 1;
    int digits = lexer.at(sign) == '+' || lexer.at(sign) == '-' ? sign + 1 : sign;
    if (!CqlLexer.isDigit(lexer.at(digits))) {
      throw lexer.nothingMatched(digits);
    }
    return digitsEnd(digits);
  }

  // --------------------------------------------------------------------------------------------------------------- UUID or not

  /** Whether the text at start, with digits up to a position, can only be a UUID. */
  private boolean isUuid(int start, int digits) {
    int read = digits - start;
    char next = lexer.at(digits);
    if (read >= UUID_HEAD) {
      return read == UUID_HEAD && next == '-';
    }
    return switch (next) {
      case 'a', 'A', 'b', 'B', 'c', 'C', 'f', 'F' -> true;
      case 'd', 'D' -> isUuidAfterDay(start, digits + 1);
      case 'e', 'E' -> isUuidAfterExponent(start, digits + 1);
      default -> false;
    };
  }

  /** After {@code 1d}, which may be a duration too. */
  private boolean isUuidAfterDay(int start, int position) {
    int digits = digitsEnd(position);
    int read = digits - start;
    char next = lexer.at(digits);
    if (read > UUID_HEAD) {
      return false;
    }
    if (read == UUID_HEAD) {
      return next == '-';
    }
    if (next == 'd' || next == 'D') {
      return digits == position || isUuidAfterDay(start, digits + 1);
    }
    if (CqlLexer.isHexadecimal(next)) {
      return true;
    }
    if (digits > position && !durations.isUnit(digits)) {
      throw lexer.noViable(digits);
    }
    return false;
  }

  /** After {@code 1e}, which may be a float too. */
  private boolean isUuidAfterExponent(int start, int position) {
    int digits = digitsEnd(position);
    int read = digits - start;
    char next = lexer.at(digits);
    if (digits > position) {
      return read < UUID_HEAD ? CqlLexer.isHexadecimal(next) : read == UUID_HEAD && next == '-';
    }
    if (next == '+') {
      return false;
    }
    if (next == '-') {
      return read == UUID_HEAD && isUuidAfterDash(position + 1);
    }
    if (read < UUID_HEAD && CqlLexer.isHexadecimal(next)) {
      return true;
    }
    throw lexer.noViable(position);
  }

  /** After {@code 1234567e-}. */
  private boolean isUuidAfterDash(int position) {
    int digits = digitsEnd(position);
    char next = lexer.at(digits);
    if (digits - position < 4) {
      if (digits == position && !CqlLexer.isHexadecimal(next)) {
        throw lexer.noViable(position);
      }
      return CqlLexer.isHexadecimal(next);
    }
    return digits - position == 4 && next == '-';
  }
}
