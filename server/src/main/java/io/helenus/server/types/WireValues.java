package io.helenus.server.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helenus.storage.bytes.ByteWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts Java values to wire bytes and back, for system tables, functions and other cold paths.
 * Stateless.
 */
public final class WireValues {
  private WireValues() {}

  /** text, ascii. */
  public static byte[] ofText(String value) {
    return value.getBytes(UTF_8);
  }

  /** boolean. */
  public static byte[] ofBoolean(boolean value) {
    return new byte[] {(byte) (value ? 1 : 0)};
  }

  /** tinyint. */
  public static byte[] ofByte(byte value) {
    return new byte[] {value};
  }

  /** smallint. */
  public static byte[] ofShort(short value) {
    return ByteBuffer.allocate(2).putShort(value).array();
  }

  /** int. */
  public static byte[] ofInt(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  /** bigint, counter, timestamp (milliseconds), time (nanoseconds). */
  public static byte[] ofLong(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  /** float. */
  public static byte[] ofFloat(float value) {
    return ofInt(Float.floatToRawIntBits(value));
  }

  /** double. */
  public static byte[] ofDouble(double value) {
    return ofLong(Double.doubleToRawLongBits(value));
  }

  /** varint. */
  public static byte[] ofVarint(BigInteger value) {
    return value.toByteArray();
  }

  /** decimal. */
  public static byte[] ofDecimal(BigDecimal value) {
    return Constants.decimalBytes(value);
  }

  /** uuid, timeuuid. */
  public static byte[] ofUuid(UUID value) {
    return ByteBuffer.allocate(16)
        .putLong(value.getMostSignificantBits())
        .putLong(value.getLeastSignificantBits())
        .array();
  }

  /** inet. */
  public static byte[] ofInet(InetAddress value) {
    return value.getAddress();
  }

  /** list and set: elements as wire bytes, in order; the caller sorts the elements of a set. */
  public static byte[] ofElements(Collection<byte[]> elements) {
    ByteWriter out = new ByteWriter(64).putInt(elements.size());
    for (byte[] element : elements) {
      put(element, out);
    }
    return out.toArray();
  }

  /** {@code set<text>}, sorted as Cassandra does. */
  public static byte[] ofTextSet(Collection<String> texts) {
    return ofElements(texts.stream().map(WireValues::ofText).sorted(WireValues::compare).toList());
  }

  /** {@code map<text, text>}, sorted by key as Cassandra does. */
  public static byte[] ofTextMap(Map<String, String> texts) {
    List<Map.Entry<String, String>> entries =
        texts.entrySet().stream()
            .sorted((a, b) -> compare(ofText(a.getKey()), ofText(b.getKey())))
            .toList();
    ByteWriter out = new ByteWriter(64).putInt(entries.size());
    for (Map.Entry<String, String> entry : entries) {
      put(ofText(entry.getKey()), out);
      put(ofText(entry.getValue()), out);
    }
    return out.toArray();
  }

  /** map: alternating keys and values as wire bytes; the caller sorts them by key. */
  public static byte[] ofEntries(List<byte[]> keysAndValues) {
    ByteWriter out = new ByteWriter(64).putInt(keysAndValues.size() / 2);
    for (byte[] bytes : keysAndValues) {
      put(bytes, out);
    }
    return out.toArray();
  }

  /** tuple and user type: components as wire bytes, null for null. */
  public static byte[] ofComponents(List<byte @Nullable []> components) {
    ByteWriter out = new ByteWriter(64);
    for (byte[] component : components) {
      put(component, out);
    }
    return out.toArray();
  }

  private static void put(byte @Nullable [] bytes, ByteWriter out) {
    if (bytes == null) {
      out.putInt(-1);
    } else {
      out.putInt(bytes.length).putBytes(bytes);
    }
  }

  /** Compares bytes as unsigned. */
  public static int compare(byte[] a, byte[] b) {
    return java.util.Arrays.compareUnsigned(a, b);
  }

  /** text, ascii. */
  public static String toText(byte[] wire) {
    return new String(wire, UTF_8);
  }

  /** boolean. */
  public static boolean toBoolean(byte[] wire) {
    return wire[0] != 0;
  }

  /** int. */
  public static int toInt(byte[] wire) {
    return ByteBuffer.wrap(wire).getInt();
  }

  /** bigint, counter, timestamp, time. */
  public static long toLong(byte[] wire) {
    return ByteBuffer.wrap(wire).getLong();
  }

  /** uuid, timeuuid. */
  public static UUID toUuid(byte[] wire) {
    ByteBuffer buffer = ByteBuffer.wrap(wire);
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  /** decimal. */
  public static BigDecimal toDecimal(byte[] wire) {
    return DecimalKey.decimal(wire);
  }

  /** varint. */
  public static BigInteger toVarint(byte[] wire) {
    return new BigInteger(wire);
  }
}
