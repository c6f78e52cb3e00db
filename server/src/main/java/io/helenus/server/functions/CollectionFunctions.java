package io.helenus.server.functions;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.CollectionType;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.KeyEncoding;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarKeyEncoding;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code map_keys}, {@code map_values}, {@code collection_count}, {@code collection_min}, {@code
 * collection_max}, {@code collection_sum} and {@code collection_avg}, and the selection of elements
 * from assembled collections. Stateless.
 */
public final class CollectionFunctions {
  private CollectionFunctions() {}

  /** Returns the named function for an argument of this type; null for any other name. */
  static @Nullable CqlFunction ofAnyType(String name, List<Argument> arguments) {
    String parameter = parameter(name);
    if (parameter == null) {
      return null;
    }
    if (arguments.size() != 1) {
      throw CqlException.invalid(
          "Invalid number of arguments for function system." + name + "(" + parameter + ")");
    }
    Argument argument = arguments.getFirst();
    CqlType type = argument.type();
    if (type == null) {
      throw CqlException.invalid(
          "Cannot infer type of argument "
              + argument.text()
              + " in call to function system."
              + name
              + "("
              + parameter
              + "): use type casts to disambiguate");
    }
    ScalarFunction function = ofType(name, type);
    if (function == null) {
      throw CqlException.invalid(
          "Function system."
              + name
              + " requires a "
              + required(name)
              + " argument, but found argument "
              + argument.text()
              + " of type "
              + type.toCql());
    }
    return function;
  }

  private static @Nullable String parameter(String name) {
    return switch (name) {
      case "map_keys", "map_values" -> "map";
      case "collection_count" -> "collection";
      case "collection_min", "collection_max", "collection_sum", "collection_avg" ->
          "numeric_set_or_list";
      default -> null;
    };
  }

  private static String required(String name) {
    return switch (name) {
      case "map_keys", "map_values" -> "map";
      case "collection_count" -> "collection";
      case "collection_min", "collection_max" -> "set or list";
      default -> "numeric set/list";
    };
  }

  private static @Nullable ScalarFunction ofType(String name, CqlType type) {
    return switch (type) {
      case MapType map ->
          switch (name) {
            case "map_keys" -> parts(name, map, new SetType(map.key(), true), true);
            case "map_values" -> parts(name, map, new ListType(map.value(), true), false);
            case "collection_count" -> count(name, type);
            default -> null;
          };
      case SetType set -> ofElements(name, type, set.element());
      case ListType list -> ofElements(name, type, list.element());
      default -> null;
    };
  }

  private static @Nullable ScalarFunction ofElements(String name, CqlType type, CqlType element) {
    return switch (name) {
      case "collection_count" -> count(name, type);
      case "collection_min", "collection_max" ->
          aggregate(name, type, element, () -> AggregateFunctions.extreme(element, name), true);
      case "collection_sum" ->
          AggregateFunctions.isNumeric(element)
              ? aggregate(name, type, element, () -> new Sum((ScalarType) element), false)
              : null;
      case "collection_avg" ->
          AggregateFunctions.isNumeric(element)
              ? aggregate(name, type, element, () -> new Average((ScalarType) element), false)
              : null;
      default -> null;
    };
  }

  private static ScalarFunction count(String name, CqlType type) {
    return ScalarFunction.ofValues(
        name,
        type,
        ScalarType.INT,
        (arguments, context, out) -> {
          out.putInt(arguments.length(0) < 4 ? 0 : arguments.getInt(0));
          return true;
        });
  }

  private static ScalarFunction parts(String name, MapType map, CqlType result, boolean keys) {
    return ScalarFunction.ofValues(
        name,
        map,
        result,
        (arguments, context, out) -> {
          MemorySegment segment = arguments.segment(0);
          int count = arguments.getInt(0);
          long at = arguments.offset(0) + 4;
          out.putInt(count);
          for (int i = 0; i < count; i++) {
            long value = next(segment, at);
            long end = next(segment, value);
            out.putBytes(segment, keys ? at : value, keys ? value - at : end - value);
            at = end;
          }
          return true;
        });
  }

  /** The offset after the element, perhaps null, whose length is at this offset. */
  private static long next(MemorySegment segment, long at) {
    return at + 4 + Math.max(Bytes.getInt(segment, at), 0);
  }

  private static ScalarFunction aggregate(
      String name,
      CqlType type,
      CqlType element,
      Supplier<AggregateFunction.State> states,
      boolean nullIfEmpty) {
    return ScalarFunction.ofValues(
        name,
        type,
        element,
        (arguments, context, out) -> {
          AggregateFunction.State state = states.get();
          FunctionArguments one = new FunctionArguments(1);
          MemorySegment segment = arguments.segment(0);
          int count = arguments.getInt(0);
          long at = arguments.offset(0) + 4;
          for (int i = 0; i < count; i++) {
            one.set(0, segment, at + 4, Bytes.getInt(segment, at));
            state.add(one);
            at = next(segment, at);
          }
          return !(nullIfEmpty && count == 0) && state.result(out);
        });
  }

  /** Returns the element of a set, or the value of a map, with a key; null if there is none. */
  public static ScalarFunction element(CollectionType type, CqlType key, CqlType result) {
    boolean ofMap = type instanceof MapType;
    return new ScalarFunction(
        "_element",
        List.of(type, key),
        result,
        true,
        (arguments, context, out) -> {
          if (arguments.anyNull()) {
            return false;
          }
          ElementOrder order = new ElementOrder(key);
          MemorySegment segment = arguments.segment(0);
          long at = arguments.offset(0) + 4;
          for (int left = arguments.getInt(0); left > 0; left--) {
            long end = next(segment, at);
            if (order.compare(arguments, 1, segment, at) == 0) {
              long value = ofMap ? end : at;
              int length = Bytes.getInt(segment, value);
              if (length >= 0) {
                out.putBytes(segment, value + 4, length);
              }
              return length >= 0;
            }
            at = ofMap ? next(segment, end) : end;
          }
          return false;
        });
  }

  /** Returns the elements between two keys; a missing end is null. */
  public static ScalarFunction slice(CollectionType type, CqlType key) {
    boolean ofMap = type instanceof MapType;
    return new ScalarFunction(
        "_slice",
        List.of(type, key, key),
        type,
        true,
        (arguments, context, out) -> {
          if (arguments.isNull(0)) {
            return false;
          }
          ElementOrder order = new ElementOrder(key);
          MemorySegment segment = arguments.segment(0);
          int countAt = out.reserve(4);
          int count = 0;
          long at = arguments.offset(0) + 4;
          for (int left = arguments.getInt(0); left > 0; left--) {
            long end = ofMap ? next(segment, next(segment, at)) : next(segment, at);
            if ((arguments.isNull(1) || order.compare(arguments, 1, segment, at) <= 0)
                && (arguments.isNull(2) || order.compare(arguments, 2, segment, at) >= 0)) {
              out.putBytes(segment, at, end - at);
              count++;
            }
            at = end;
          }
          out.setInt(countAt, count);
          return count > 0 || !type.isMultiCell();
        });
  }

  /**
   * Returns its second argument, or null if the first is null.
   *
   * @param ofSlice whether the first is a slice, which is null if it has no elements
   */
  public static ScalarFunction ifPresent(CqlType tested, CqlType result, boolean ofSlice) {
    return new ScalarFunction(
        "_if_present",
        List.of(tested, result),
        result,
        true,
        (arguments, context, out) -> {
          boolean absent = arguments.isNull(0) || (ofSlice && arguments.getInt(0) == 0);
          if (absent || arguments.isNull(1)) {
            return false;
          }
          out.putBytes(arguments.segment(1), arguments.offset(1), arguments.length(1));
          return true;
        });
  }

  /** Compares values in the order of their type. */
  private static final class ElementOrder {
    private final KeyEncoding encoding;
    private final ByteWriter left = new ByteWriter(32);
    private final ByteWriter right = new ByteWriter(32);

    ElementOrder(CqlType type) {
      KeyEncoding found = type.keyEncoding();
      this.encoding = found == null ? ScalarKeyEncoding.BYTES : found;
    }

    /** Compares an argument with the element whose length is at this offset. */
    int compare(FunctionArguments arguments, int index, MemorySegment segment, long at) {
      encoding.write(
          arguments.segment(index),
          arguments.offset(index),
          arguments.length(index),
          false,
          left.clear());
      encoding.write(segment, at + 4, Bytes.getInt(segment, at), false, right.clear());
      return Bytes.compare(left.segment(), 0, left.size(), right.segment(), 0, right.size());
    }
  }
}
