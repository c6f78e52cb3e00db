package io.helenus.server.query.modification;

import io.helenus.server.error.CqlException;
import io.helenus.server.schema.ColumnConstraint;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.types.JsonTree;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.ScalarType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tests values against the constraints of one column. Immutable; any thread. */
final class ConstraintTest {
  /** Bounds the work of matching a regular expression, which can be exponential. */
  private static final int MATCH_STEPS_LIMIT = 1_000_000;

  private record Compiled(
      ColumnConstraint constraint, byte @Nullable [] encodedTerm, @Nullable Pattern pattern) {}

  private final ColumnSchema column;
  private final List<Compiled> constraints;

  ConstraintTest(ColumnSchema column) {
    this.column = column;
    this.constraints = column.constraints().stream().map(this::compile).toList();
  }

  private Compiled compile(ColumnConstraint constraint) {
    return switch (constraint.kind()) {
      case SCALAR -> {
        byte[] term = ((ScalarType) column.type()).fromString(constraint.unquotedTerm());
        ByteWriter bytes = new ByteWriter(term.length).putBytes(term);
        yield new Compiled(constraint, encoded(bytes.segment(), 0, term.length), null);
      }
      case REGEXP -> new Compiled(constraint, null, Pattern.compile(constraint.unquotedTerm()));
      case NOT_NULL, JSON, LENGTH, OCTET_LENGTH -> new Compiled(constraint, null, null);
    };
  }

  /** The bytes of a value in the order of its type. */
  private byte[] encoded(MemorySegment segment, long offset, int length) {
    KeyEncoding encoding = column.type().keyEncoding();
    if (encoding == null) {
      throw new IllegalStateException("a type without order: " + column.type().toCql());
    }
    ByteWriter ordered = new ByteWriter(32);
    encoding.write(segment, offset, length, false, ordered);
    return ordered.toArray();
  }

  /** Rejects an unset value of a column that must not be null. */
  void unset() {
    if (column.isNotNull()) {
      throw isNull();
    }
  }

  /** The error for a null. */
  CqlException isNull() {
    return CqlException.invalid(start() + " as it is null.");
  }

  private String start() {
    return "Column value does not satisfy value constraint for column '" + column.name() + "'";
  }

  /**
   * Tests a valid value that is not null.
   *
   * @throws CqlException if it does not meet a constraint
   */
  void check(MemorySegment segment, long offset, int length) {
    for (Compiled each : constraints) {
      ColumnConstraint constraint = each.constraint;
      switch (constraint.kind()) {
        case NOT_NULL -> {
          // it is not null
        }
        case SCALAR -> checkScalar(each, segment, offset, length);
        case LENGTH ->
            checkLength(constraint, characters(segment, offset, length), "and it should be ");
        // Cassandra's text has the words twice
        case OCTET_LENGTH -> checkLength(constraint, length, "and it should be should be ");
        case JSON -> checkJson(text(segment, offset, length));
        case REGEXP -> checkMatch(each, text(segment, offset, length));
      }
    }
  }

  private void checkScalar(Compiled compiled, MemorySegment segment, long offset, int length) {
    if (length == 0) {
      throw isNull();
    }
    ColumnConstraint constraint = compiled.constraint;
    byte[] term = compiled.encodedTerm;
    int order =
        term == null ? 0 : java.util.Arrays.compareUnsigned(encoded(segment, offset, length), term);
    if (!constraint.isMetBy(order)) {
      throw CqlException.invalid(
          start()
              + ". It should be "
              + column.name()
              + " "
              + constraint.operator()
              + " "
              + constraint.term());
    }
  }

  private int characters(MemorySegment segment, long offset, int length) {
    return column.type() == ScalarType.BLOB ? length : text(segment, offset, length).length();
  }

  private void checkLength(ColumnConstraint constraint, int actual, String between) {
    if (!constraint.isMetBy(Integer.compare(actual, Integer.parseInt(constraint.term())))) {
      throw CqlException.invalid(
          start()
              + ". It has a length of "
              + actual
              + " "
              + between
              + constraint.operator()
              + " "
              + constraint.term());
    }
  }

  private void checkJson(String text) {
    try {
      JsonTree.check(text);
    } catch (JsonTree.MalformedException e) {
      throw CqlException.invalid(
          "Value for column '"
              + column.name()
              + "' violated JSON constraint as it is not a valid JSON.");
    }
  }

  private void checkMatch(Compiled compiled, String text) {
    boolean matches = matches(compiled.pattern, text);
    boolean wanted = compiled.constraint.isMetBy(0);
    if (matches != wanted) {
      throw CqlException.invalid(
          "Value does "
              + (wanted ? "not " : "")
              + "match regular expression "
              + compiled.constraint.term());
    }
  }

  private boolean matches(@Nullable Pattern pattern, String text) {
    try {
      return pattern != null && pattern.matcher(new BoundedText(text)).matches();
    } catch (StackOverflowError e) {
      // the depth of the match grows with the length of the text
      throw tooLong();
    }
  }

  private CqlException tooLong() {
    return CqlException.invalid(
        "Matching the regular expression of the constraint on column '"
            + column.name()
            + "' takes too long");
  }

  private static String text(MemorySegment segment, long offset, int length) {
    return new String(Bytes.toArray(segment, offset, length), StandardCharsets.UTF_8);
  }

  /** Counts how often a match looks at it. */
  private final class BoundedText implements CharSequence {
    private final String text;
    private int steps;

    BoundedText(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      if (++steps > MATCH_STEPS_LIMIT) {
        throw tooLong();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
