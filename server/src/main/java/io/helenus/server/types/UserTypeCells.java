package io.helenus.server.types;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.RowView;

/**
 * Maps a user type that is not frozen to cells with paths (storage/docs/rows.md), one for each
 * field that is not null. The path is the index of the field, two bytes: added and renamed fields
 * leave it as it is. The value is that of the field. Stateless; any thread.
 */
public final class UserTypeCells {
  /** The length of a path, in bytes. */
  public static final int PATH_BYTES = 2;

  private UserTypeCells() {}

  /** Appends the path of a field. */
  public static void putPath(int field, ByteWriter out) {
    out.putShort(field);
  }

  /** The field whose value is in the view's current cell. */
  public static int field(RowView cell) {
    return Bytes.getShort(cell.segment(), cell.pathOffset()) & 0xFFFF;
  }
}
