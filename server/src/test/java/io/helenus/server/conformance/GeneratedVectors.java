package io.helenus.server.conformance;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Random types {@code vector<element, dimension>} of scalars, and their values. Stateless. */
final class GeneratedVectors {
  private static final int MAX_DIMENSION = 3;

  private GeneratedVectors() {}

  /** A type; often one of floats, which the similarity functions accept. */
  static DataType.Custom type(Choices choices) {
    DataType.Scalar element =
        choices.chance(50) ? DataType.Scalar.FLOAT : choices.oneOf(GeneratedTypes.SCALARS);
    int dimension = choices.chance(60) ? 2 : 1 + choices.below(MAX_DIMENSION);
    return new DataType.Custom("vector<" + element + ", " + dimension + ">");
  }

  static DataType.Scalar element(DataType.Custom vector) {
    String name = vector.className();
    return DataType.Scalar.named(name.substring(name.indexOf('<') + 1, name.indexOf(',')));
  }

  static int dimension(DataType.Custom vector) {
    String name = vector.className();
    return Integer.parseInt(name.substring(name.indexOf(',') + 2, name.length() - 1));
  }

  /** A value; rarely of another dimension. */
  static GeneratedValue of(DataType.Custom vector, Choices choices) {
    DataType.Scalar element = element(vector);
    int dimension = dimension(vector) + (choices.chance(2) ? 1 : 0);
    List<String> terms = new ArrayList<>();
    StringBuilder bytes = new StringBuilder("0x");
    for (int i = 0; i < dimension; i++) {
      GeneratedValue value = GeneratedValue.of(element, choices);
      terms.add(value.term());
      byte[] bound = Literal.parseAll(value.bound(), List.of(element)).getFirst().bytes();
      if (!hasFixedLength(element)) {
        bytes.append(HexFormat.of().toHexDigits((byte) bound.length)); // a varint below 128
      }
      bytes.append(HexFormat.of().formatHex(bound));
    }
    return new GeneratedValue("[" + String.join(", ", terms) + "]", bytes.toString());
  }

  /** Whether elements have no length before them; not so for all types of a fixed length. */
  private static boolean hasFixedLength(DataType.Scalar type) {
    return switch (type) {
      case BOOLEAN, FLOAT, INT, BIGINT, COUNTER, DOUBLE, TIMESTAMP, TIMEUUID, UUID -> true;
      case ASCII, BLOB, DATE, DECIMAL, DURATION, INET, SMALLINT, TEXT, TIME, TINYINT, VARINT ->
          false;
    };
  }
}
