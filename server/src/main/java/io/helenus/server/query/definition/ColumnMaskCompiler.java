package io.helenus.server.query.definition;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.SchemaStatement;
import io.helenus.cql.ast.Term;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.Argument;
import io.helenus.server.functions.CqlFunction;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.functions.NativeFunctions;
import io.helenus.server.functions.ScalarFunction;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.statement.PlanningScope;
import io.helenus.server.query.statement.Receiver;
import io.helenus.server.query.value.Expression;
import io.helenus.server.query.value.ExpressionEvaluator;
import io.helenus.server.query.value.Literals;
import io.helenus.server.query.value.TermCompiler;
import io.helenus.server.query.value.ValueSource;
import io.helenus.server.schema.ColumnMask;
import io.helenus.server.schema.MaskCompiler;
import io.helenus.server.schema.Schema;
import io.helenus.server.types.CqlType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Resolves the masks of columns to native masking functions. One thread at a time. */
public final class ColumnMaskCompiler implements MaskCompiler {
  private static final String FUNCTION_PREFIX = "mask_";
  private static final String CLASS_OF_DESCENDING = "org.apache.cassandra.db.marshal.ReversedType";

  private final ExpressionEvaluator evaluator;

  /**
   * Creates a compiler.
   *
   * @param context passed to the functions in the arguments of masks, which are called once
   */
  public ColumnMaskCompiler(FunctionContext context) {
    this.evaluator = new ExpressionEvaluator(context);
  }

  @Override
  public ColumnMask compile(
      Schema schema,
      String keyspace,
      String column,
      CqlType type,
      boolean descending,
      SchemaStatement.ColumnMask mask) {
    String shown = type.shownClassName();
    Argument value =
        new Argument.Typed(descending ? CLASS_OF_DESCENDING + "(" + shown + ")" : shown, type);
    ScalarFunction function = function(column, value, type, mask);
    List<ColumnMask.Argument> arguments = new ArrayList<>();
    for (int i = 0; i < mask.arguments().size(); i++) {
      CqlType wanted = function.argumentTypes().get(i + 1);
      byte[] bytes = value(schema, keyspace, mask.arguments().get(i), wanted);
      arguments.add(
          new ColumnMask.Argument(
              wanted, bytes == null ? null : ByteBuffer.wrap(bytes).asReadOnlyBuffer()));
    }
    return new ColumnMask(function.name(), arguments);
  }

  private static ScalarFunction function(
      String column, Argument value, CqlType type, SchemaStatement.ColumnMask mask) {
    List<Argument> arguments = new ArrayList<>();
    arguments.add(value);
    mask.arguments().forEach(each -> arguments.add(argument(each)));
    CqlFunction function =
        NativeFunctions.resolveMask(
            mask.function().keyspace(), mask.function().name(), arguments, type);
    String text = text(mask);
    if (function == null) {
      throw CqlException.invalid(
          "Unable to find masking function for "
              + column
              + ", no declared function matches the signature "
              + text);
    }
    if (!(function instanceof ScalarFunction scalar)) {
      throw CqlException.invalid(
          "Aggregate function " + text + " cannot be used for masking table columns");
    }
    if (!scalar.name().startsWith(FUNCTION_PREFIX)) {
      throw CqlException.invalid(
          "Not-masking function " + text + " cannot be used for masking table columns");
    }
    if (!scalar.returnType().equals(type)) {
      throw CqlException.invalid(
          "Masking function "
              + text
              + " return type is "
              + scalar.returnType().toCql()
              + ". This is different to the type of the masked column "
              + column
              + " of type "
              + type.toCql()
              + ". Masking functions can only be attached to table columns if they return the same"
              + " data type as the masked column.");
    }
    return scalar;
  }

  private static String text(SchemaStatement.ColumnMask mask) {
    return mask.arguments().stream()
        .map(Term::toString)
        .collect(Collectors.joining(", ", mask.function() + "(", ")"));
  }

  private static Argument argument(Term term) {
    return switch (term) {
      case Term.Literal literal ->
          new Argument.Constant(literal.toString(), Literals.kind(literal.kind()), literal.text());
      case Term.Null ignored -> new Argument.Null("NULL");
      case BindMarker ignored -> throw CqlException.syntax("Invalid bind marker in a mask");
      default -> new Argument.Untyped(term.toString());
    };
  }

  private byte @Nullable [] value(Schema schema, String keyspace, Term term, CqlType type) {
    PlanningScope scope = new PlanningScope(schema, keyspace, List.of());
    Receiver receiver = new Receiver("", "", "(dummy)", type, null);
    return switch (new TermCompiler(scope).compile(term, receiver)) {
      case ValueSource.Constant(byte @Nullable [] value) -> value;
      case ValueSource.Computed(Expression expression) ->
          evaluator.evaluate(expression, new BoundValues());
      case ValueSource.Marker ignored -> throw new IllegalStateException("a marker in a mask");
      case ValueSource.Unset ignored -> throw new IllegalStateException("an unset mask");
      case ValueSource.JsonField ignored -> throw new IllegalStateException("JSON in a mask");
    };
  }
}
