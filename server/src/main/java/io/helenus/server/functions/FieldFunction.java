package io.helenus.server.functions;

import io.helenus.server.types.UserType;
import io.helenus.storage.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The selection of a field of a user type, as a function of the whole value. Stateless. */
public final class FieldFunction {
  private FieldFunction() {}

  /** Selects the field at an index; null if the value is null or ends before the field. */
  public static ScalarFunction of(UserType type, int index) {
    return new ScalarFunction(
        "." + type.fieldNames().get(index),
        List.of(type),
        type.fieldTypes().get(index),
        true,
        (arguments, context, out) -> {
          if (arguments.anyNull()) {
            return false;
          }
          MemorySegment value = arguments.segment(0);
          long at = arguments.offset(0);
          long end = at + arguments.length(0);
          for (int i = 0; at < end; i++) {
            int length = Bytes.getInt(value, at);
            if (i == index) {
              if (length >= 0) {
                out.putBytes(value, at + 4, length);
              }
              return length >= 0;
            }
            at += 4 + Math.max(length, 0);
          }
          return false;
        });
  }
}
