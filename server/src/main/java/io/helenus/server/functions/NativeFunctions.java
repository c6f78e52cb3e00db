package io.helenus.server.functions;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.PartitionKeyTypes;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Resolves function calls as Cassandra chooses among overloads: an exact match first, else the only
 * one that accepts the arguments. Stateless: overloads are created on demand.
 */
public final class NativeFunctions {
  private static final String KEYSPACE = "system";

  private NativeFunctions() {}

  /**
   * Resolves a call in a SELECT list.
   *
   * @param keyspace the qualifying keyspace; null for an unqualified name
   * @param name in lower case
   * @param partitionKeyTypes the partition key types of the statement's table, for {@code token};
   *     empty without a table
   * @param receiver the expected result type; null for any
   * @throws CqlException INVALID, with Cassandra's texts
   */
  public static CqlFunction resolve(
      @Nullable String keyspace,
      String name,
      List<Argument> arguments,
      PartitionKeyTypes partitionKeyTypes,
      @Nullable CqlType receiver) {
    String written = keyspace == null ? name : keyspace + "." + name;
    CqlFunction found = find(keyspace, name, written, arguments, partitionKeyTypes, receiver);
    if (found == null) {
      throw CqlException.invalid("Unknown function '" + written + "'");
    }
    return found;
  }

  /**
   * Resolves a call in a term; its result is assigned to a column or passed as an argument.
   *
   * @param receiver the type of that column or argument
   * @param receiverName its name, for error texts
   * @throws CqlException INVALID, with Cassandra's texts
   */
  public static ScalarFunction resolveTerm(
      @Nullable String keyspace,
      String name,
      List<Argument> arguments,
      PartitionKeyTypes partitionKeyTypes,
      CqlType receiver,
      String receiverName) {
    String written = keyspace == null ? name : keyspace + "." + name;
    CqlFunction found = find(keyspace, name, written, arguments, partitionKeyTypes, receiver);
    if (found == null) {
      throw CqlException.invalid("Unknown function " + written + " called");
    }
    if (!(found instanceof ScalarFunction function)) {
      throw CqlException.invalid("Aggregation function are not supported in the where clause");
    }
    if (!receiver.isValueCompatibleWith(function.returnType())) {
      throw CqlException.invalid(
          "Type error: cannot assign result of function "
              + function.qualifiedName()
              + " (type "
              + function.returnType().toCql()
              + ") to "
              + receiverName
              + " (type "
              + receiver.toCql()
              + ")");
    }
    return function;
  }

  /**
   * Resolves the function of a column mask; the column's value is its first argument.
   *
   * @param type the type of the column
   * @return null if there is no function of this name
   * @throws CqlException INVALID, with Cassandra's texts
   */
  public static @Nullable CqlFunction resolveMask(
      @Nullable String keyspace, String name, List<Argument> arguments, CqlType type) {
    String written = keyspace == null ? name : keyspace + "." + name;
    return find(keyspace, name, written, arguments, PartitionKeyTypes.NONE, type);
  }

  private static @Nullable CqlFunction find(
      @Nullable String keyspace,
      String name,
      String written,
      List<Argument> arguments,
      PartitionKeyTypes partitionKeyTypes,
      @Nullable CqlType receiver) {
    if (keyspace != null && !keyspace.equals(KEYSPACE)) {
      return null;
    }
    CqlFunction generic = JsonFunctions.find(name, arguments, receiver);
    if (generic == null) {
      generic = MaskFunctions.find(name, arguments, receiver);
    }
    if (generic == null) {
      generic = AggregateFunctions.ofAnyType(name, arguments);
    }
    if (generic != null) {
      return generic;
    }
    CqlFunction ofCollection = CollectionFunctions.ofAnyType(name, arguments);
    if (ofCollection != null) {
      return ofCollection;
    }
    CqlFunction similarity = VectorFunctions.resolve(name, arguments, receiver);
    if (similarity != null) {
      checkArguments(similarity, arguments);
      return similarity;
    }
    List<CqlFunction> candidates = overloads(name, partitionKeyTypes);
    if (candidates.isEmpty()) {
      return null;
    }
    if (candidates.size() == 1) {
      checkArguments(candidates.get(0), arguments);
      return candidates.get(0);
    }
    return pick(written, candidates, arguments, receiver);
  }

  /**
   * The function that casts a value to a type in a SELECT list; null if it already has that type.
   * In a term, a cast is a call of {@code system.cast_as_TYPE} by {@link #resolveTerm}.
   *
   * @param argument the value to cast, of a known type
   * @throws CqlException INVALID, with Cassandra's texts
   */
  public static @Nullable CqlFunction resolveCast(Argument argument, ScalarType to) {
    if (to.equals(argument.type())) {
      return null;
    }
    String name = CastFunctions.PREFIX + to.toCql();
    List<CqlFunction> candidates = CastFunctions.overloads(name);
    if (candidates.isEmpty()) {
      throw CqlException.invalid(argument.text() + " cannot be cast to " + to.toCql());
    }
    return pick(KEYSPACE + "." + name, candidates, List.of(argument), null);
  }

  /** Whether values of any other type can be cast to this type. */
  public static boolean isCastTarget(ScalarType to) {
    return !CastFunctions.overloads(CastFunctions.PREFIX + to.toCql()).isEmpty();
  }

  /**
   * Whether the overloads of a function are the same for every statement; those of other functions
   * follow from the arguments, the receiver or the table.
   */
  public static boolean hasFixedOverloads(String name) {
    return !name.equals("token") && !overloads(name, PartitionKeyTypes.NONE).isEmpty();
  }

  private static List<CqlFunction> overloads(String name, PartitionKeyTypes partitionKeyTypes) {
    if (name.equals("token")) {
      return List.of(TokenFunction.of(partitionKeyTypes));
    }
    List<CqlFunction> found = TimeFunctions.overloads(name);
    if (found.isEmpty()) {
      found = FloorFunction.overloads(name);
    }
    if (found.isEmpty()) {
      found = BlobFunctions.overloads(name);
    }
    if (found.isEmpty()) {
      found = MathFunctions.overloads(name);
    }
    if (found.isEmpty()) {
      found = CastFunctions.overloads(name);
    }
    if (found.isEmpty()) {
      found = OperationFunctions.overloads(name);
    }
    return found.isEmpty() ? AggregateFunctions.overloads(name) : found;
  }

  private static void checkArguments(CqlFunction function, List<Argument> arguments) {
    List<CqlType> types = function.argumentTypes();
    if (types.size() != arguments.size()) {
      throw CqlException.invalid(
          "Invalid number of arguments in call to function "
              + function.qualifiedName()
              + ": "
              + types.size()
              + " required but "
              + arguments.size()
              + " provided");
    }
    for (int i = 0; i < types.size(); i++) {
      if (arguments.get(i).match(types.get(i)) == Argument.Match.NONE) {
        throw CqlException.invalid(
            "Type error: "
                + arguments.get(i).text()
                + " cannot be passed as argument "
                + i
                + " of function "
                + function.qualifiedName()
                + " of type "
                + types.get(i).toCql());
      }
    }
  }

  private static CqlFunction pick(
      String written,
      List<CqlFunction> candidates,
      List<Argument> arguments,
      @Nullable CqlType receiver) {
    List<CqlFunction> compatible = new ArrayList<>();
    for (CqlFunction candidate : candidates) {
      if (receiver != null && !receiver.isValueCompatibleWith(candidate.returnType())) {
        continue;
      }
      Argument.Match match = match(candidate, arguments);
      if (match == Argument.Match.EXACT) {
        return candidate;
      }
      if (match == Argument.Match.WEAK) {
        compatible.add(candidate);
      }
    }
    if (OperationFunctions.operatorOf(candidates.get(0).name()) != null) {
      return pickOperation(candidates.get(0).name(), compatible, arguments, receiver);
    }
    if (compatible.isEmpty()) {
      throw CqlException.invalid(
          "Invalid call to function "
              + written
              + ", none of its type signatures match (known type signatures: "
              + signatures(candidates)
              + ")");
    }
    if (compatible.size() > 1 && candidates.get(0).name().equals(OperationFunctions.NEGATE)) {
      throw CqlException.invalid("Ambiguous negation: use type casts to disambiguate");
    }
    if (compatible.size() > 1) {
      throw CqlException.invalid(
          "Ambiguous call to function "
              + written
              + " (can be matched by following signatures: "
              + signatures(compatible)
              + "): use type casts to disambiguate");
    }
    return compatible.get(0);
  }

  private static CqlFunction pickOperation(
      String name,
      List<CqlFunction> compatible,
      List<Argument> arguments,
      @Nullable CqlType receiver) {
    OperationFunctions.Operator operator =
        Objects.requireNonNull(OperationFunctions.operatorOf(name));
    String left = arguments.get(0).text();
    String right = arguments.get(1).text();
    if (compatible.isEmpty()) {
      throw CqlException.invalid(
          "the '"
              + operator.symbol
              + "' operation is not supported between "
              + left
              + " and "
              + right);
    }
    if (compatible.size() == 1) {
      return compatible.get(0);
    }
    boolean markers = arguments.stream().anyMatch(Argument.Untyped.class::isInstance);
    for (CqlFunction candidate : compatible) {
      if (!markers && candidate.argumentTypes().stream().allMatch(t -> t.equals(receiver))) {
        return candidate;
      }
    }
    throw CqlException.invalid(
        "Ambiguous '"
            + operator.symbol
            + "' operation with args "
            + left
            + " and "
            + right
            + ": use type hint to disambiguate, example '(int) ?'");
  }

  private static Argument.Match match(CqlFunction candidate, List<Argument> arguments) {
    if (candidate.argumentTypes().size() != arguments.size()) {
      return Argument.Match.NONE;
    }
    Argument.Match worst = Argument.Match.EXACT;
    for (int i = 0; i < arguments.size(); i++) {
      Argument.Match match = arguments.get(i).match(candidate.argumentTypes().get(i));
      if (match == Argument.Match.NONE) {
        // as in Cassandra, a mistake in an argument after it is not found
        return match;
      }
      if (match.ordinal() > worst.ordinal()) {
        worst = match;
      }
    }
    return worst;
  }

  private static String signatures(List<CqlFunction> functions) {
    StringJoiner out = new StringJoiner(", ");
    for (CqlFunction function : functions) {
      out.add(function.signature());
    }
    return out.toString();
  }
}
