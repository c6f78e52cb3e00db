package io.helenus.cql.parser;

import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.Term.LiteralKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a statement: its text with a placeholder for the kind of each constant. Two texts
 * with the same shape have the same tokens except for the values of their constants, so that the
 * plan of one is the plan of the other with other values.
 *
 * <p>Strings in single quotes, numbers, durations, UUIDs and blobs are constants; booleans, null
 * and NaN remain part of the shape. A literal in brackets or braces is one constant, whatever its
 * elements. Those of a selection remain part of the shape too: they name the columns of the result
 * and choose its types. A text has no shape if it has bind markers, comments, dollar quoting or a
 * token that {@link CqlLexer} would have to look at closely: a shape is an optimisation, and such
 * texts are parsed.
 *
 * <p>Refilled for each text without allocating. Not thread-safe.
 */
public final class StatementShape {
  /** Longer shapes are not recognised, which also bounds the number of constants. */
  private static final int MAX_LENGTH = 2048;

  /** Together with the limit of the exponent, keeps every number finite as a double. */
  private static final int MAX_FLOAT_LENGTH = 64;

  private static final int NO_SHAPE = ConstantEnds.NONE;
  private static final int UUID_LENGTH = ConstantEnds.UUID_LENGTH;
  private static final int UUID_HEAD = 8;
  private static final String FROM = "from";
  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
  private static final LiteralKind[] KINDS = LiteralKind.values();

  private static final byte PLAIN = 0;
  private static final byte LETTER = 1;
  private static final byte DIGIT = 2;
  private static final byte QUOTE = 3;
  private static final byte DOUBLE_QUOTE = 4;
  private static final byte DASH = 5;
  private static final byte SLASH = 6;
  private static final byte BRACKET = 7;
  private static final byte BRACE = 8;
  private static final byte UNKNOWN = 9;

  /** The kind of a literal in brackets or braces, beside the ordinals of {@link LiteralKind}. */
  private static final int COMPOSITE = KINDS.length;

  private static final byte[] CLASSES = classes();

  private String text = "";
  private long hash;
  private int length;
  private int count;
  private boolean inSelection;
  private int[] starts = new int[16];
  private int[] ends = new int[16];
  private byte[] kinds = new byte[16];
  private boolean[] escaped = new boolean[16];

  /** Creates the shape of an empty text. */
  public StatementShape() {}

  private static byte[] classes() {
    byte[] classes = new byte[128];
    Arrays.fill(classes, 0, ' ', UNKNOWN);
    for (char blank : new char[] {'\t', '\n', '\r'}) {
      classes[blank] = PLAIN;
    }
    Arrays.fill(classes, '0', '9' + 1, DIGIT);
    Arrays.fill(classes, 'a', 'z' + 1, LETTER);
    Arrays.fill(classes, 'A', 'Z' + 1, LETTER);
    classes['\''] = QUOTE;
    classes['"'] = DOUBLE_QUOTE;
    classes['-'] = DASH;
    classes['/'] = SLASH;
    classes['['] = BRACKET;
    classes['{'] = BRACE;
    for (char unknown : new char[] {'?', ':', '$', 127}) {
      classes[unknown] = UNKNOWN;
    }
    return classes;
  }

  /**
   * Finds the shape of a text. Only texts that may be SELECT, INSERT, UPDATE, DELETE or BATCH have
   * one.
   *
   * @return false if the text has no shape
   */
  public boolean scan(String source) {
    text = source;
    hash = 0;
    length = 0;
    count = 0;
    int first = firstLetter(source);
    if (!mayBeDataStatement(source, first)) {
      return false;
    }
    inSelection = source.charAt(first) == 's' || source.charAt(first) == 'S';
    int end = source.length();
    int at = 0;
    while (at < end) {
      char c = source.charAt(at);
      at =
          switch (c < 128 ? CLASSES[c] : PLAIN) {
            case PLAIN -> plain(at, c);
            case LETTER -> word(at);
            case DIGIT -> number(at);
            case QUOTE -> string(at);
            case DOUBLE_QUOTE -> quotedName(at);
            case DASH -> dash(at);
            case SLASH -> slash(at);
            case BRACKET -> isAfterName(at) ? plain(at, c) : composite(at);
            case BRACE -> composite(at);
            default -> NO_SHAPE;
          };
      if (at == NO_SHAPE || length > MAX_LENGTH) {
        return false;
      }
    }
    return true;
  }

  private static int firstLetter(String source) {
    int at = 0;
    while (at < source.length() && source.charAt(at) <= ' ') {
      at++;
    }
    return at;
  }

  private static boolean mayBeDataStatement(String source, int first) {
    return first < source.length()
        && switch (source.charAt(first)) {
          case 's', 'S', 'i', 'I', 'u', 'U', 'd', 'D', 'b', 'B' -> true;
          default -> false;
        };
  }

  // ---- the result

  /** The hash code of the shape. */
  public long hash() {
    long mixed = hash * HASH_FACTOR;
    return mixed ^ (mixed >>> 32);
  }

  /** The number of constants. */
  public int count() {
    return count;
  }

  /** The text that was scanned. */
  public String text() {
    return text;
  }

  /** Whether a constant is a literal of a collection, a vector or a user type. */
  public boolean isComposite(int index) {
    return kinds[index] == COMPOSITE;
  }

  /** The kind of a constant that is not composite. */
  public LiteralKind kind(int index) {
    return KINDS[kinds[index]];
  }

  /** The offset in the text at which a constant begins; that of a string without its quote. */
  public int start(int index) {
    return starts[index];
  }

  /** The offset in the text after a constant; that of a string without its quote. */
  public int end(int index) {
    return ends[index];
  }

  /** Whether a string contains doubled quotes. */
  public boolean isEscaped(int index) {
    return escaped[index];
  }

  /** A constant as the grammar would return it; null if only parsing the statement can tell. */
  public @Nullable Term term(int index) {
    return isComposite(index)
        ? CompositeLiteral.parse(constant(index))
        : new Term.Literal(kind(index), constant(index));
  }

  /** The text of a constant, as {@link Term.Literal} has it. */
  public String constant(int index) {
    String written = text.substring(starts[index], ends[index]);
    return escaped[index] ? written.replace("''", "'") : written;
  }

  /** The shape as a string, for {@link #matches}. */
  public String placeholders() {
    return replaced(false);
  }

  /** The text with a bind marker in place of each constant. */
  public String markers() {
    return replaced(true);
  }

  private String replaced(boolean markers) {
    StringBuilder replaced = new StringBuilder(length);
    int at = 0;
    for (int i = 0; i < count; i++) {
      replaced.append(text, at, outerStart(i));
      replaced.append(markers ? '?' : placeholder(kinds[i]));
      at = outerEnd(i);
    }
    return replaced.append(text, at, text.length()).toString();
  }

  /** Whether this is the shape that {@link #placeholders} returned for another text. */
  public boolean matches(String other) {
    if (other.length() != length) {
      return false;
    }
    int at = 0;
    int otherAt = 0;
    for (int i = 0; i < count; i++) {
      int part = outerStart(i) - at;
      if (!other.regionMatches(otherAt, text, at, part)
          || other.charAt(otherAt + part) != placeholder(kinds[i])) {
        return false;
      }
      at = outerEnd(i);
      otherAt += part + 1;
    }
    return other.regionMatches(otherAt, text, at, text.length() - at);
  }

  private int outerStart(int index) {
    return isString(index) ? starts[index] - 1 : starts[index];
  }

  private int outerEnd(int index) {
    return isString(index) ? ends[index] + 1 : ends[index];
  }

  private boolean isString(int index) {
    return kinds[index] == LiteralKind.STRING.ordinal();
  }

  /** A character that no text with a shape contains outside of strings. */
  private static char placeholder(int kind) {
    return (char) (kind + 1);
  }

  // ---- scanning: each method returns the offset after what it scanned, or NO_SHAPE

  private void put(char c) {
    hash = mixed(hash, c);
    length++;
  }

  private void putAll(int start, int end) {
    for (int i = start; i < end && length <= MAX_LENGTH; i++) {
      put(text.charAt(i));
    }
  }

  private static long mixed(long hash, char c) {
    long product = (hash ^ c) * HASH_FACTOR;
    return product ^ (product >>> 29);
  }

  private int plain(int at, char c) {
    put(c);
    return at + 1;
  }

  private int constant(LiteralKind kind, int start, int end, boolean hasEscapes) {
    return constant(kind.ordinal(), start, end, hasEscapes);
  }

  private int constant(int kind, int start, int end, boolean hasEscapes) {
    if (inSelection) {
      int quote = kind == LiteralKind.STRING.ordinal() ? 1 : 0;
      putAll(start - quote, end + quote);
      return end;
    }
    if (count == starts.length) {
      int larger = 2 * count;
      starts = Arrays.copyOf(starts, larger);
      ends = Arrays.copyOf(ends, larger);
      kinds = Arrays.copyOf(kinds, larger);
      escaped = Arrays.copyOf(escaped, larger);
    }
    starts[count] = start;
    ends[count] = end;
    kinds[count] = (byte) kind;
    escaped[count] = hasEscapes;
    count++;
    put(placeholder(kind));
    return end;
  }

  /** A constant that must be followed by something that cannot belong to it. */
  private int delimited(LiteralKind kind, int start, int end) {
    return switch (at(end)) {
      case 0, ' ', '\t', '\n', '\r', ',', ')', ']', '}', ';', '=', '<', '>', '!', '+', '*', '%' ->
          constant(kind, start, end, false);
      default -> NO_SHAPE;
    };
  }

  private int word(int start) {
    long longer = hash;
    int end = start;
    char c = text.charAt(start);
    do {
      longer = mixed(longer, c);
      c = at(++end);
    } while (isWordPart(c));
    if (c == '-' && end - start == UUID_HEAD && ConstantEnds.isUuid(text, start)) {
      return delimited(LiteralKind.UUID, start, start + UUID_LENGTH);
    }
    hash = longer;
    length += end - start;
    inSelection &= end - start != FROM.length() || !text.regionMatches(true, start, FROM, 0, 4);
    return end;
  }

  private int string(int start) {
    boolean hasEscapes = false;
    int close = text.indexOf('\'', start + 1);
    while (close >= 0 && at(close + 1) == '\'') {
      hasEscapes = true;
      close = text.indexOf('\'', close + 2);
    }
    return close < 0 ? NO_SHAPE : constant(LiteralKind.STRING, start + 1, close, hasEscapes) + 1;
  }

  /** Whether a bracket follows a name, so that it encloses a key or an index. */
  private boolean isAfterName(int bracket) {
    int before = bracket - 1;
    while (text.charAt(before) <= ' ') {
      before--;
    }
    return text.charAt(before) == '"' || isWordPart(text.charAt(before));
  }

  private int composite(int start) {
    int end = ConstantEnds.compositeEnd(text, start);
    return end == NO_SHAPE ? NO_SHAPE : constant(COMPOSITE, start, end, false);
  }

  /** A doubled quote ends one name and begins another; the shape is the same. */
  private int quotedName(int start) {
    int close = text.indexOf('"', start + 1);
    for (int i = start; i <= close && length <= MAX_LENGTH; i++) {
      if (at(i) < ' ') {
        return NO_SHAPE;
      }
      put(text.charAt(i));
    }
    return close < 0 ? NO_SHAPE : close + 1;
  }

  private int slash(int start) {
    char next = at(start + 1);
    return next == '/' || next == '*' ? NO_SHAPE : plain(start, '/');
  }

  private int dash(int start) {
    char next = at(start + 1);
    if (next == '-') {
      return NO_SHAPE;
    }
    if (!CqlLexer.isDigit(next)) {
      return plain(start, '-');
    }
    // directly after a word or a number, the lexer may see a duration or a UUID
    return switch (start == 0 ? 0 : text.charAt(start - 1)) {
      case ' ', '\t', '\n', '\r', ',', '(', '[', '{', '=', '<', '>', '+' ->
          decimal(start, ConstantEnds.digitsEnd(text, start + 1));
      default -> NO_SHAPE;
    };
  }

  private int number(int start) {
    int digits = ConstantEnds.digitsEnd(text, start);
    char next = at(digits);
    if (next == 'x' || next == 'X') {
      boolean isHex = digits == start + 1 && text.charAt(start) == '0';
      return isHex
          ? delimited(LiteralKind.HEX, start, ConstantEnds.hexEnd(text, digits + 1))
          : NO_SHAPE;
    }
    if ((next == '-' || CqlLexer.isHexadecimal(next)) && ConstantEnds.isUuid(text, start)) {
      return delimited(LiteralKind.UUID, start, start + UUID_LENGTH);
    }
    return decimal(start, digits);
  }

  /** An integer, a float or a duration, with digits up to an offset. */
  private int decimal(int start, int digits) {
    char next = at(digits);
    if (next == '.') {
      int fraction = ConstantEnds.digitsEnd(text, digits + 1);
      int end = ConstantEnds.exponentEnd(text, fraction);
      return fraction > digits + 1 && end - start <= MAX_FLOAT_LENGTH
          ? delimited(LiteralKind.FLOAT, start, end)
          : NO_SHAPE;
    }
    if (isLetter(next)) {
      int end = ConstantEnds.unitsEnd(text, digits);
      return end == NO_SHAPE ? NO_SHAPE : delimited(LiteralKind.DURATION, start, end);
    }
    return delimited(LiteralKind.INTEGER, start, digits);
  }

  // ---- characters

  private char at(int offset) {
    return ConstantEnds.at(text, offset);
  }

  private static boolean isLetter(char c) {
    return c < 128 && CLASSES[c] == LETTER;
  }

  private static boolean isWordPart(char c) {
    return c == '_' || (c < 128 && (CLASSES[c] == LETTER || CLASSES[c] == DIGIT));
  }
}
