package io.helenus.server.schema;

import io.helenus.server.types.CqlType;
import io.helenus.server.types.UserType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The mask of a column: a masking function that is applied to its values for users who may not see
 * them. Immutable.
 *
 * @param function the name of a native function, without keyspace
 * @param arguments its arguments after the value of the column
 */
public record ColumnMask(String function, List<Argument> arguments) {
  /**
   * An argument.
   *
   * @param value in wire format, read-only; null for NULL
   */
  public record Argument(CqlType type, @Nullable ByteBuffer value) {
    /** The wire bytes; null for NULL. */
    public byte @Nullable [] bytes() {
      ByteBuffer in = value;
      if (in == null) {
        return null;
      }
      byte[] bytes = new byte[in.remaining()];
      in.duplicate().get(bytes);
      return bytes;
    }
  }

  /** Copies the list. */
  public ColumnMask {
    arguments = List.copyOf(arguments);
  }

  /** The mask as in DESCRIBE: {@code system.mask_inner(1, null)}. */
  public String toCql() {
    return arguments.stream()
        .map(each -> each.type.toLiteral(each.bytes()))
        .collect(Collectors.joining(", ", "system." + function + "(", ")"));
  }

  /** The same mask after a user type was altered. */
  ColumnMask withAltered(UserType altered) {
    return new ColumnMask(
        function,
        arguments.stream()
            .map(each -> new Argument(each.type.withAltered(altered), each.value))
            .toList());
  }
}
