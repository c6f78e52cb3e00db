package io.helenus.cql.parser;

/** Scans durations: {@code 1d2h}, {@code P1Y2M3DT4H}, {@code P1W}, {@code P0001-02-03T04:05:06}. */
final class DurationScanner {
  private static final String DATE_AND_TIME = "P0000-00-00T00:00:00";

  private final CqlLexer lexer;

  DurationScanner(CqlLexer lexer) {
    this.lexer = lexer;
  }

  /** Whether a unit begins at a position. */
  boolean isUnit(int position) {
    return switch (lexer.at(position)) {
      case 'y',
          'Y',
          'w',
          'W',
          'd',
          'D',
          'h',
          'H',
          's',
          'S',
          'm',
          'M',
          'u',
          'U',
          '\u00b5',
          'n',
          'N' ->
          true;
      default -> false;
    };
  }

  /**
   * The end of a sequence of units with digits between them, starting with the unit at a position.
   */
  int unitsEnd(int start) {
    int position = start;
    while (true) {
      if (!isUnit(position)) {
        throw lexer.noViable(position);
      }
      position = unitEnd(position);
      if (!CqlLexer.isDigit(lexer.at(position))) {
        return position;
      }
      position = digitsEnd(position);
    }
  }

  private int digitsEnd(int start) {
    int position = start;
    while (CqlLexer.isDigit(lexer.at(position))) {
      position++;
    }
    return position;
  }

  private int unitEnd(int position) {
    char next = Character.toLowerCase(lexer.at(position + 1));
    switch (lexer.at(position)) {
      case 'm', 'M' -> {
        return next == 'o' || next == 's' ? position + 2 : position + 1;
      }
      case 'u', 'U', '\u00b5', 'n', 'N' -> {
        if (next != 's') {
          throw lexer.mismatchedSet(position + 1);
        }
        return position + 2;
      }
      default -> {
        return position + 1;
      }
    }
  }

  /** Whether the word from start to end, which begins with P, is a duration. */
  boolean isDuration(int start, int end) {
    return designatorsEnd(start) == end;
  }

  /** The end of a duration with designators; -1 if there is none. */
  private int designatorsEnd(int start) {
    int position = start + 1;
    int week = after(position, 'W');
    if (week > 0) {
      return week;
    }
    int last = -1;
    for (char designator : new char[] {'Y', 'M', 'D'}) {
      int next = after(position, designator);
      if (next > 0) {
        position = next;
        last = next;
      }
    }
    if (lexer.at(position) == 'T') {
      int time = position + 1;
      for (char designator : new char[] {'H', 'M', 'S'}) {
        int next = after(time, designator);
        if (next > 0) {
          time = next;
          last = next;
        }
      }
    }
    return last;
  }

  private int after(int start, char designator) {
    int position = digitsEnd(start);
    return position > start && lexer.at(position) == designator ? position + 1 : -1;
  }

  /** The end of the date and time whose P is at start and whose first dash has been scanned. */
  int dateAndTimeEnd(int start) {
    for (int i = 1; i < DATE_AND_TIME.length(); i++) {
      char wanted = DATE_AND_TIME.charAt(i);
      char found = lexer.at(start + i);
      if (wanted == '0') {
        if (!CqlLexer.isDigit(found)) {
          throw lexer.mismatchedSet(start + i);
        }
      } else if (found != wanted) {
        throw lexer.mismatched(start + i, wanted);
      }
    }
    return start + DATE_AND_TIME.length();
  }

  /** Whether the P at start begins a date and time. */
  boolean isDateAndTime(int start) {
    for (int i = 1; i <= 4; i++) {
      if (!CqlLexer.isDigit(lexer.at(start + i))) {
        return false;
      }
    }
    return lexer.at(start + 5) == '-';
  }

  /**
   * The end of the duration that must begin with the P at start, after a dash; fails if there is
   * none.
   */
  int signedDurationEnd(int start) {
    if (isDateAndTime(start)) {
      return dateAndTimeEnd(start);
    }
    int end = designatorsEnd(start);
    if (end > 0 && (lexer.at(end - 1) == 'W' || !CqlLexer.isDigit(lexer.at(end)))) {
      return end;
    }
    int position = Math.max(start + 1, end);
    position = digitsEnd(position);
    if (end > 0 && lexer.at(end - 1) == 'M') {
      throw lexer.mismatched(position, 'D');
    }
    if (lexer.at(position) == 'T' && position == start + 1) {
      position = digitsEnd(position + 1);
    }
    throw lexer.noViable(position);
  }
}
