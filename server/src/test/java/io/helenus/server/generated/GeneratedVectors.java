package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.conformance.Literal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Random types {@code vector<element, dimension>} and their values. Stateless. */
final class GeneratedVectors {
  private static final int MAX_DIMENSION = 3;

  private GeneratedVectors() {}

  /** A vector of scalars; often one of floats, which the similarity functions accept. */
  static DataType.VectorOf type(Choices choices) {
    return of(
        choices.chance(50) ? DataType.Scalar.FLOAT : choices.oneOf(GeneratedTypes.SCALARS),
        choices);
  }

  /** A vector of elements of this type. */
  static DataType.VectorOf of(DataType element, Choices choices) {
    int dimension = choices.chance(60) ? 2 : 1 + choices.below(MAX_DIMENSION);
    return new DataType.VectorOf(element, dimension);
  }

  /** A value; rarely of another dimension. */
  static GeneratedValue of(DataType.VectorOf vector, Choices choices) {
    int dimension = vector.dimension() + (choices.chance(2) ? 1 : 0);
    List<String> terms = new ArrayList<>();
    StringBuilder bytes = new StringBuilder("0x");
    for (int i = 0; i < dimension; i++) {
      GeneratedValue value = GeneratedValue.of(vector.element(), choices);
      terms.add(value.term());
      byte[] bound = Literal.parseAll(value.bound(), List.of(vector.element())).getFirst().bytes();
      if (!hasFixedLength(vector.element())) {
        bytes.append(varint(bound.length));
      }
      bytes.append(HexFormat.of().formatHex(bound));
    }
    return new GeneratedValue("[" + String.join(", ", terms) + "]", bytes.toString());
  }

  /** An unsigned varint: the leading one bits give the number of bytes that follow the first. */
  private static String varint(int value) {
    HexFormat hex = HexFormat.of();
    if (value < 1 << 7) {
      return hex.toHexDigits((byte) value);
    }
    return value < 1 << 14
        ? hex.toHexDigits((short) (0x8000 | value))
        : hex.toHexDigits(0xC0_0000 | value, 6);
  }

  /** Whether elements have no length before them; not so for all types of a fixed length. */
  private static boolean hasFixedLength(DataType type) {
    return switch (type) {
      case DataType.Scalar scalar -> hasFixedLength(scalar);
      case DataType.VectorOf vector -> hasFixedLength(vector.element());
      default -> false;
    };
  }

  private static boolean hasFixedLength(DataType.Scalar type) {
    return switch (type) {
      case BOOLEAN, FLOAT, INT, BIGINT, COUNTER, DOUBLE, TIMESTAMP, TIMEUUID, UUID -> true;
      case ASCII, BLOB, DATE, DECIMAL, DURATION, INET, SMALLINT, TEXT, TIME, TINYINT, VARINT ->
          false;
    };
  }
}
