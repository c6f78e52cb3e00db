package io.helenus.server.functions;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.VectorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The similarity of two vectors of floats with the same dimension, normalized so that more similar
 * vectors have a greater value. Stateless.
 */
final class VectorFunctions {
  private VectorFunctions() {}

  /**
   * Resolves a similarity function for its arguments; null for any other name.
   *
   * @param receiver the expected result type; null for any
   */
  static @Nullable CqlFunction resolve(
      String name, List<Argument> arguments, @Nullable CqlType receiver) {
    VectorSimilarity similarity =
        switch (name) {
          case "similarity_cosine" -> VectorSimilarity.COSINE;
          case "similarity_euclidean" -> VectorSimilarity.EUCLIDEAN;
          case "similarity_dot_product" -> VectorSimilarity.DOT_PRODUCT;
          default -> null;
        };
    if (similarity == null) {
      return null;
    }
    if (arguments.size() != 2) {
      throw CqlException.invalid("Invalid number of arguments for function " + signature(name));
    }
    List<CqlType> types = types(name, arguments, receiver);
    for (boolean last : new boolean[] {false, true}) { // Cassandra overlooks lists of other types
      for (int i = 0; i < 2; i++) {
        boolean overlooked =
            types.get(i) instanceof ListType list && list.element() != ScalarType.FLOAT;
        if (overlooked == last) {
          requireFloats(name, arguments.get(i), types.get(i));
        }
      }
    }
    if (!types.get(0).equals(types.get(1))) {
      throw CqlException.invalid("All arguments must have the same vector dimensions");
    }
    int dimension = ((VectorType) types.get(0)).dimension();
    return new ScalarFunction(
        name,
        types,
        ScalarType.FLOAT,
        true,
        (vectors, context, out) -> {
          if (vectors.anyNull()) {
            return false;
          }
          float value =
              similarity.of(
                  vectors.segment(0),
                  vectors.offset(0),
                  vectors.segment(1),
                  vectors.offset(1),
                  dimension);
          if (!Float.isFinite(value)) {
            requireDirections(similarity, vectors, dimension);
          }
          out.putInt(Float.floatToRawIntBits(value));
          return true;
        });
  }

  private static void requireDirections(
      VectorSimilarity similarity, FunctionArguments vectors, int dimension) {
    if (similarity != VectorSimilarity.COSINE) {
      return;
    }
    for (int i = 0; i < 2; i++) {
      if (VectorSimilarity.square(vectors.segment(i), vectors.offset(i), dimension) == 0) {
        throw CqlException.invalid(
            "Function system.similarity_cosine doesn't support all-zero vectors.");
      }
    }
  }

  private static CqlType ofFloats(Argument.ArrayLiteral array) {
    if (array.size() == 0) {
      throw CqlException.invalid("vectors may only have positive dimensions; given 0");
    }
    return new VectorType(ScalarType.FLOAT, array.size());
  }

  private static void requireFloats(String name, Argument argument, CqlType type) {
    if (!(type instanceof VectorType vector && vector.element() == ScalarType.FLOAT)) {
      throw CqlException.invalid(
          "Function system."
              + name
              + " requires a float vector argument, but found argument "
              + argument.text()
              + " of type "
              + type.toCql());
    }
  }

  private static String signature(String name) {
    return "system." + name + "(vector<float, n>, vector<float, n>)";
  }

  /**
   * The types of the arguments. One without a type has that of the result or else of the other; so
   * has, as in Cassandra, a literal in a term.
   */
  private static List<CqlType> types(
      String name, List<Argument> arguments, @Nullable CqlType receiver) {
    List<@Nullable CqlType> known = new ArrayList<>();
    for (Argument argument : arguments) {
      CqlType type =
          argument instanceof Argument.ArrayLiteral array ? ofFloats(array) : argument.type();
      boolean isLiteral = argument instanceof Argument.Dependent && type instanceof ListType;
      known.add(type == null || (isLiteral && receiver != null) ? receiver : type);
    }
    CqlType either = known.get(0) == null ? known.get(1) : known.get(0);
    if (either == null) {
      throw CqlException.invalid(
          "Cannot infer type of argument "
              + arguments.getFirst().text()
              + " in call to function "
              + signature(name)
              + ": use type casts to disambiguate");
    }
    return List.of(
        Objects.requireNonNullElse(known.get(0), either),
        Objects.requireNonNullElse(known.get(1), either));
  }
}
