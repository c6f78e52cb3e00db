package io.helenus.copy.rows;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One statement of those that write a row.
 *
 * @param column the list to assign or to append to, or -1
 * @param timestamp in microseconds since 1970
 * @param ttl in seconds, 0 for none
 * @param values of the slots of the section, null where none is written; of a list the only one
 */
record Write(Kind kind, int column, long timestamp, int ttl, @Nullable ByteBuffer[] values) {
  enum Kind {
    INSERT,
    UPDATE,
    ASSIGN,
    APPEND
  }

  static final int NO_COLUMN = -1;
}
