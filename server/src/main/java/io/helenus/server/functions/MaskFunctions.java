package io.helenus.server.functions;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.helenus.server.error.CqlException;
import io.helenus.server.types.CompositeValues;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.VectorType;
import io.helenus.storage.bytes.ByteWriter;
import java.nio.charset.Charset;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code mask_null}, {@code mask_default}, {@code mask_replace}, {@code mask_hash}, {@code
 * mask_inner} and {@code mask_outer}, whose types follow from their arguments. Stateless.
 */
final class MaskFunctions {
  private static final String DEFAULT_ALGORITHM = "SHA-256";
  private static final char DEFAULT_PADDING = '*';

  private MaskFunctions() {}

  /** Returns the named function for these arguments; null for any other name. */
  static @Nullable ScalarFunction find(
      String name, List<Argument> arguments, @Nullable CqlType receiver) {
    return switch (name) {
      case "mask_null" -> ofValue(name, arguments, (values, context, out) -> false);
      case "mask_default" -> maskDefault(arguments);
      case "mask_replace" -> maskReplace(arguments, receiver);
      case "mask_hash" -> maskHash(arguments);
      case "mask_inner", "mask_outer" -> maskPart(name, arguments);
      default -> null;
    };
  }

  private static void requireCount(
      List<Argument> arguments, int fewest, int most, String signature) {
    if (arguments.size() < fewest || arguments.size() > most) {
      throw CqlException.invalid("Invalid number of arguments for function system." + signature);
    }
  }

  private static CqlType typeOf(Argument argument, @Nullable CqlType otherwise, String signature) {
    CqlType type = argument.type();
    if (type == null) {
      type = otherwise;
    }
    if (type == null) {
      throw CqlException.invalid(
          "Cannot infer type of argument "
              + argument.text()
              + " in call to function system."
              + signature
              + ": use type casts to disambiguate");
    }
    return type;
  }

  /** The type of an argument for which several types are possible; the first is the default. */
  private static CqlType typeOf(
      String name, List<Argument> arguments, int index, ScalarType... possible) {
    Argument argument = arguments.get(index);
    CqlType type = argument.type();
    if (type == null) {
      requireMatch(arguments, index, name, possible[0]);
      return possible[0];
    }
    for (ScalarType each : possible) {
      if (each.isValueCompatibleWith(type)) {
        return possible.length == 1 ? each : type;
      }
    }
    throw CqlException.invalid(
        "Function system."
            + name
            + " requires an argument of type "
            + (possible.length == 1 ? possible[0].toCql() : "[text|varchar|ascii]")
            + ", but found argument "
            + argument.text()
            + " of type "
            + type.toCql());
  }

  private static ScalarFunction ofValue(
      String name, List<Argument> arguments, ScalarFunction.Body body) {
    String signature = name + "(any)";
    requireCount(arguments, 1, 1, signature);
    CqlType type = typeOf(arguments.getFirst(), null, signature);
    return new ScalarFunction(name, List.of(type), type, true, body);
  }

  private static ScalarFunction maskDefault(List<Argument> arguments) {
    CqlType type = arguments.size() == 1 ? arguments.getFirst().type() : null;
    byte @Nullable [] mask = type == null ? null : DefaultMasks.of(type);
    return ofValue(
        "mask_default",
        arguments,
        (values, context, out) -> {
          if (mask != null) {
            out.putBytes(mask);
          }
          return mask != null;
        });
  }

  private static ScalarFunction maskReplace(List<Argument> arguments, @Nullable CqlType receiver) {
    String name = "mask_replace";
    String signature = name + "(any, any)";
    requireCount(arguments, 2, 2, signature);
    CqlType type = typeOf(arguments.getFirst(), receiver, signature);
    requireMatch(arguments, 0, name, type);
    requireMatch(arguments, 1, name, type);
    return new ScalarFunction(
        name,
        List.of(type, type),
        type,
        true,
        (values, context, out) -> {
          if (values.isNull(1)) {
            return false;
          }
          out.putBytes(values.segment(1), values.offset(1), values.length(1));
          return true;
        });
  }

  private static void requireMatch(
      List<Argument> arguments, int index, String function, CqlType type) {
    if (arguments.get(index).match(type) == Argument.Match.NONE) {
      throw CqlException.invalid(
          "Type error: "
              + arguments.get(index).text()
              + " cannot be passed as argument "
              + index
              + " of function system."
              + function
              + " of type "
              + type.toCql());
    }
  }

  private static ScalarFunction maskHash(List<Argument> arguments) {
    String name = "mask_hash";
    String signature = name + "(any, [text])";
    requireCount(arguments, 1, 2, signature);
    List<CqlType> types = new ArrayList<>();
    types.add(typeOf(arguments.getFirst(), null, signature));
    if (arguments.size() == 2) {
      types.add(typeOf(name, arguments, 1, ScalarType.TEXT));
    }
    return new ScalarFunction(
        name,
        types,
        ScalarType.BLOB,
        true,
        (values, context, out) -> {
          MessageDigest digest = digest(text(values, 1, DEFAULT_ALGORITHM));
          if (values.isNull(0)) {
            return false;
          }
          out.putBytes(digest.digest(values.getBytes(0)));
          return true;
        });
  }

  private static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw CqlException.invalid("Hash algorithm not found: " + algorithm);
    }
  }

  private static String text(FunctionArguments values, int index, String otherwise) {
    return index >= values.count() || values.isNull(index)
        ? otherwise
        : new String(values.getBytes(index), UTF_8);
  }

  private static ScalarFunction maskPart(String name, List<Argument> arguments) {
    requireCount(arguments, 3, 4, name + "([text|varchar|ascii], int, int, [text])");
    List<CqlType> types = new ArrayList<>();
    types.add(typeOf(name, arguments, 0, ScalarType.TEXT, ScalarType.ASCII));
    types.add(typeOf(name, arguments, 1, ScalarType.INT));
    types.add(typeOf(name, arguments, 2, ScalarType.INT));
    if (arguments.size() == 4) {
      types.add(typeOf(name, arguments, 3, ScalarType.TEXT));
    }
    boolean inner = name.equals("mask_inner");
    Charset charset = types.getFirst() == ScalarType.ASCII ? US_ASCII : UTF_8;
    return new ScalarFunction(
        name,
        types,
        types.getFirst(),
        true,
        (values, context, out) -> maskPart(name, inner, charset, values, out));
  }

  /** Masks the characters between, or outside of, the first and last ones; counted in UTF-16. */
  private static boolean maskPart(
      String name, boolean inner, Charset charset, FunctionArguments values, ByteWriter out) {
    char padding = padding(name, values);
    if (values.isNull(0)) {
      return false;
    }
    char[] text = text(values, 0, "").toCharArray();
    int begin = number(values, 1);
    long last = (long) text.length - 1 - number(values, 2);
    for (int i = 0; i < text.length; i++) {
      if (inner == (i >= begin && i <= last)) {
        text[i] = padding;
      }
    }
    out.putBytes(new String(text).getBytes(charset));
    return true;
  }

  private static int number(FunctionArguments values, int index) {
    return values.length(index) <= 0 ? 0 : values.getInt(index);
  }

  private static char padding(String name, FunctionArguments values) {
    String padding = text(values, 3, String.valueOf(DEFAULT_PADDING));
    if (padding.length() != 1) {
      throw CqlException.invalid(
          "The padding argument for function system."
              + name
              + " should be single-character, but '"
              + padding
              + "' has "
              + padding.length()
              + " characters.");
    }
    return padding.charAt(0);
  }

  /** The values that {@code mask_default} shows. */
  private static final class DefaultMasks {
    private static final long MIN_TIMEUUID_HIGH = 0x1381_4000_1DD2_11B2L;
    private static final long MIN_TIMEUUID_LOW = 0x8080_8080_8080_8080L;

    private DefaultMasks() {}

    static byte[] of(CqlType type) {
      ByteWriter out = new ByteWriter(32);
      put(type, out);
      return out.toArray();
    }

    private static void put(CqlType type, ByteWriter out) {
      if (type instanceof ScalarType scalar) {
        putScalar(scalar, out);
      } else if (type.isCollection()) {
        out.putInt(0);
      } else if (type instanceof VectorType vector) {
        List<byte @Nullable []> masks =
            Collections.nCopies(vector.dimension(), of(vector.element()));
        out.putBytes(CompositeValues.assemble(vector, masks));
      } else {
        for (CqlType part : type.parts()) {
          byte[] mask = of(part);
          out.putInt(mask.length).putBytes(mask);
        }
      }
    }

    private static void putScalar(ScalarType type, ByteWriter out) {
      switch (type) {
        case ASCII, TEXT -> out.putBytes("****".getBytes(UTF_8));
        case BLOB, EMPTY -> {}
        case BOOLEAN, TINYINT, VARINT -> out.putByte(0);
        case SMALLINT -> out.putShort(0);
        case INT, FLOAT, INET -> out.putInt(0);
        case DATE -> out.putInt(Integer.MIN_VALUE);
        case BIGINT, COUNTER, DOUBLE, TIME, TIMESTAMP -> out.putLong(0);
        case DECIMAL -> out.putInt(0).putByte(0);
        case DURATION -> out.putBytes(new byte[3]);
        case UUID -> out.putLong(0).putLong(0);
        case TIMEUUID -> out.putLong(MIN_TIMEUUID_HIGH).putLong(MIN_TIMEUUID_LOW);
      }
    }
  }
}
