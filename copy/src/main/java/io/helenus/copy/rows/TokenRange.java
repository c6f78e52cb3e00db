package io.helenus.copy.rows;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of a ring: the tokens greater than {@code after} up to and including {@code last}. The
 * parts do not depend on the nodes of the cluster, so that a copy can be resumed after they have
 * changed.
 *
 * @param index its position among the parts, from 0
 */
public record TokenRange(int index, BigInteger after, BigInteger last) {
  /** The order of partitions in a cluster, named by its class. */
  public enum Ring {
    /** Tokens are 64-bit numbers. */
    MURMUR3,
    /** Tokens are numbers up to 2^127. */
    RANDOM,
    /** Tokens cannot be calculated with: there is one part. */
    OTHER;

    /** The ring of a partitioner in {@code system.local}. */
    public static Ring of(String partitioner) {
      return switch (partitioner.substring(partitioner.lastIndexOf('.') + 1)) {
        case "Murmur3Partitioner" -> MURMUR3;
        case "RandomPartitioner" -> RANDOM;
        default -> OTHER;
      };
    }
  }

  private static final int BIGINT_BYTES = 8;

  /** Divides a ring into parts of about the same size. */
  public static List<TokenRange> divide(Ring ring, int parts) {
    BigInteger first;
    BigInteger last;
    switch (ring) {
      case MURMUR3 -> {
        first = BigInteger.valueOf(Long.MIN_VALUE);
        last = BigInteger.valueOf(Long.MAX_VALUE);
      }
      case RANDOM -> {
        first = BigInteger.ONE.negate();
        last = BigInteger.TWO.pow(127);
      }
      default -> {
        return List.of(new TokenRange(0, BigInteger.ZERO, BigInteger.ZERO));
      }
    }
    List<TokenRange> ranges = new ArrayList<>(parts);
    BigInteger after = first;
    for (int i = 0; i < parts; i++) {
      BigInteger end =
          first.add(
              last.subtract(first)
                  .multiply(BigInteger.valueOf(i + 1L))
                  .divide(BigInteger.valueOf(parts)));
      ranges.add(new TokenRange(i, after, end));
      after = end;
    }
    return ranges;
  }

  static ByteBuffer encode(Ring ring, BigInteger token) {
    return ring == Ring.MURMUR3
        ? ByteBuffer.allocate(BIGINT_BYTES).putLong(0, token.longValueExact())
        : ByteBuffer.wrap(token.toByteArray());
  }

  /** Orders tokens as the ring does. */
  static int compare(Ring ring, ByteBuffer a, ByteBuffer b) {
    return switch (ring) {
      case MURMUR3 -> Long.compare(a.getLong(a.position()), b.getLong(b.position()));
      case RANDOM -> number(a).compareTo(number(b));
      case OTHER -> Elements.compareUnsigned(a, b);
    };
  }

  private static BigInteger number(ByteBuffer token) {
    byte[] bytes = new byte[token.remaining()];
    token.get(token.position(), bytes);
    return new BigInteger(bytes);
  }
}
