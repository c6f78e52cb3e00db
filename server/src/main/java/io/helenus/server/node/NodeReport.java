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
 * @param servesReplicas whether it carries out the requests of other coordinators
 * @param loadBytes the size of its SSTables
 * @param schemaVersion the version of the schema that it has applied
 */
record NodeReport(
    int generation,
    long number,
    boolean isServing,
    boolean servesReplicas,
    long loadBytes,
    UUID schemaVersion) {
  private static final int CLIENTS = 1;
  private static final int REPLICAS = 2;

  private static final int LENGTH = 4 + 8 + 1 + 8 + 16;

  byte[] toBytes() {
    return new ByteWriter(LENGTH)
        .putInt(generation)
        .putLong(number)
        .putByte((isServing ? CLIENTS : 0) | (servesReplicas ? REPLICAS : 0))
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
    int generation = in.getInt();
    long number = in.getLong();
    byte serves = in.get();
    return new NodeReport(
        generation,
        number,
        (serves & CLIENTS) != 0,
        (serves & REPLICAS) != 0,
        in.getLong(),
        new UUID(in.getLong(), in.getLong()));
  }
}
