package io.helenus.server.node;

import io.helenus.storage.bytes.ByteWriter;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a node tells the other members about itself, again and again ({@code docs/internode.md},
 * Reports). Immutable.
 *
 * @param generation when it started, in seconds since 1970
 * @param number the number of this report, from 1
 * @param isServing whether it serves clients
 * @param loadBytes the size of its SSTables
 * @param schemaVersion the version of the schema that it has applied
 */
record NodeReport(
    int generation, long number, boolean isServing, long loadBytes, UUID schemaVersion) {
  private static final int LENGTH = 4 + 8 + 1 + 8 + 16;

  byte[] toBytes() {
    return new ByteWriter(LENGTH)
        .putInt(generation)
        .putLong(number)
        .putByte(isServing ? 1 : 0)
        .putLong(loadBytes)
        .putLong(schemaVersion.getMostSignificantBits())
        .putLong(schemaVersion.getLeastSignificantBits())
        .toArray();
  }

  /** The report in bytes, which may be followed by what later releases add; null if it is none. */
  static @Nullable NodeReport of(byte[] bytes) {
    if (bytes.length < LENGTH) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new NodeReport(
        in.getInt(),
        in.getLong(),
        in.get() == 1,
        in.getLong(),
        new UUID(in.getLong(), in.getLong()));
  }
}
