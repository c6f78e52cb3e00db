package io.helenus.copy.compare;

import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.registry.CodecRegistry;
import io.helenus.copy.rows.RowData;
import io.helenus.copy.rows.Table;
import java.nio.ByteBuffer;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Rows and values for people, as CQL. Stateless. */
final class RowText {
  private static final int LONGEST = 100;

  private RowText() {}

  /** {@code a = 1 AND b = 'x'} of the primary key. */
  static String key(Table table, RowData row) {
    StringJoiner parts = new StringJoiner(" AND ");
    for (int i = 0; i < row.key().length; i++) {
      if (row.key()[i] != null) {
        parts.add(table.keys().get(i) + " = " + value(table.keyTypes().get(i), row.key()[i]));
      }
    }
    return parts.toString();
  }

  /** A value as a literal; long ones are cut. */
  static String value(DataType type, @Nullable ByteBuffer value) {
    if (value == null) {
      return "null";
    }
    TypeCodec<Object> codec = CodecRegistry.DEFAULT.codecFor(type);
    String text = codec.format(codec.decode(value.duplicate(), ProtocolVersion.V4));
    return text.length() <= LONGEST
        ? text
        : text.substring(0, LONGEST) + "… (" + value.remaining() + " bytes)";
  }
}
