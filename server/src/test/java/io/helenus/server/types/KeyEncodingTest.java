package io.helenus.server.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.testing.Seeds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Checks random values of every scalar type against comparators independent of the encoder, and
 * whole keys of several columns with bounds, nulls and empty values in every mix of directions.
 */
class KeyEncodingTest {
  @RegisterExtension final Seeds seeds = Seeds.from(20261121);

  private record Kind(ScalarType type, Comparator<byte[]> order) {
    KeyEncoding encoding() {
      KeyEncoding encoding = type.keyEncoding();
      if (encoding == null) {
        throw new IllegalStateException(type + " has no key encoding");
      }
      return encoding;
    }
  }

  private static final List<Kind> KINDS =
      List.of(
          new Kind(ScalarType.TINYINT, Comparator.comparing(BigInteger::new)),
          new Kind(ScalarType.SMALLINT, Comparator.comparing(BigInteger::new)),
          new Kind(ScalarType.INT, emptyFirst(Comparator.comparing(BigInteger::new))),
          new Kind(ScalarType.BIGINT, emptyFirst(Comparator.comparing(BigInteger::new))),
          new Kind(ScalarType.TIMESTAMP, emptyFirst(Comparator.comparing(BigInteger::new))),
          new Kind(ScalarType.VARINT, emptyFirst(Comparator.comparing(BigInteger::new))),
          new Kind(ScalarType.DECIMAL, emptyFirst(Comparator.comparing(KeyEncodingTest::decimal))),
          new Kind(ScalarType.FLOAT, emptyFirst(Comparator.comparing(b -> buffer(b).getFloat()))),
          new Kind(ScalarType.DOUBLE, emptyFirst(Comparator.comparing(b -> buffer(b).getDouble()))),
          new Kind(ScalarType.BOOLEAN, emptyFirst(Comparator.comparing(b -> b[0] != 0))),
          new Kind(ScalarType.DATE, Arrays::compareUnsigned),
          new Kind(ScalarType.TIME, Arrays::compareUnsigned),
          new Kind(ScalarType.TEXT, Arrays::compareUnsigned),
          new Kind(ScalarType.ASCII, Arrays::compareUnsigned),
          new Kind(ScalarType.BLOB, Arrays::compareUnsigned),
          new Kind(ScalarType.INET, Arrays::compareUnsigned),
          new Kind(ScalarType.UUID, emptyFirst(KeyEncodingTest::compareUuids)),
          new Kind(ScalarType.TIMEUUID, emptyFirst(KeyEncodingTest::compareTimeUuids)));

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes);
  }

  private static BigDecimal decimal(byte[] bytes) {
    return new BigDecimal(new BigInteger(bytes, 4, bytes.length - 4), buffer(bytes).getInt());
  }

  private static Comparator<byte[]> emptyFirst(Comparator<byte[]> order) {
    return (a, b) ->
        a.length == 0 || b.length == 0 ? Integer.compare(a.length, b.length) : order.compare(a, b);
  }

  private static long timestamp(byte[] uuid) {
    ByteBuffer in = buffer(uuid);
    long low = in.getInt() & 0xFFFF_FFFFL;
    long mid = in.getShort() & 0xFFFF;
    long high = in.getShort() & 0x0FFF;
    return high << 48 | mid << 32 | low;
  }

  private static int compareUuids(byte[] a, byte[] b) {
    int versionA = (a[6] >> 4) & 0xF;
    int versionB = (b[6] >> 4) & 0xF;
    if (versionA != versionB) {
      return versionA - versionB;
    }
    if (versionA == 1 && timestamp(a) != timestamp(b)) {
      return Long.compare(timestamp(a), timestamp(b));
    }
    return Arrays.compareUnsigned(a, b);
  }

  private static int compareTimeUuids(byte[] a, byte[] b) {
    int byTime = Long.compare(timestamp(a), timestamp(b));
    return byTime != 0 ? byTime : Arrays.compare(a, 8, 16, b, 8, 16);
  }

  private static byte[] random(ScalarType type, Random random) {
    return switch (type) {
      case TINYINT -> spiky(random, 1);
      case SMALLINT -> spiky(random, 2);
      case INT, FLOAT -> random.nextInt(20) == 0 ? new byte[0] : spiky(random, 4);
      case DATE -> spiky(random, 4);
      case BIGINT, TIMESTAMP, DOUBLE -> random.nextInt(20) == 0 ? new byte[0] : spiky(random, 8);
      case TIME -> buffer(new byte[8]).putLong(random.nextLong(86_400_000_000_000L)).array();
      case BOOLEAN -> spiky(random, random.nextInt(2));
      case INET -> spiky(random, random.nextBoolean() ? 4 : 16);
      case ASCII, TEXT, BLOB -> spiky(random, random.nextInt(20));
      case VARINT ->
          random.nextInt(200) == 0
              ? spiky(random, 120 + random.nextInt(20))
              : spiky(random, random.nextInt(12));
      case DECIMAL -> randomDecimal(random);
      case UUID, TIMEUUID -> randomUuid(type, random);
      case COUNTER, DURATION, EMPTY -> throw new IllegalArgumentException(type + " in a key");
    };
  }

  /** Random bytes, with special ones being frequent. */
  private static byte[] spiky(Random random, int length) {
    byte[] spikes = {0, 1, -1, 0x7F, -128, 0x20, 0x38, 0x60, -2};
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      boolean spike = random.nextInt(3) > 0;
      bytes[i] = spike ? spikes[random.nextInt(spikes.length)] : (byte) random.nextInt();
    }
    return bytes;
  }

  private static byte[] randomDecimal(Random random) {
    if (random.nextInt(20) == 0) {
      return new byte[0];
    }
    BigInteger unscaled =
        BigInteger.valueOf(random.nextInt(2000) - 1000L)
            .multiply(BigInteger.TEN.pow(random.nextInt(6)));
    byte[] digits =
        random.nextInt(10) == 0 ? spiky(random, 1 + random.nextInt(30)) : unscaled.toByteArray();
    return buffer(new byte[4 + digits.length]).putInt(random.nextInt(14) - 7).put(digits).array();
  }

  private static byte[] randomUuid(ScalarType type, Random random) {
    if (random.nextInt(20) == 0) {
      return new byte[0];
    }
    byte[] bytes = spiky(random, 16);
    int version = type == ScalarType.TIMEUUID || random.nextInt(3) == 0 ? 1 : random.nextInt(16);
    bytes[6] = (byte) ((bytes[6] & 0x0F) | version << 4);
    return bytes;
  }

  private final ByteWriter in = new ByteWriter(64);
  private final ByteWriter out = new ByteWriter(64);

  private byte[] component(KeyEncoding encoding, byte[] value, boolean descending) {
    in.clear().putBytes(value);
    out.clear();
    encoding.write(in.segment(), 0, value.length, descending, out);
    return out.toArray();
  }

  @Test
  void keysCompareLikeTheirValuesInBothDirections() {
    Random random = seeds.random();
    for (Kind kind : KINDS) {
      for (int i = 0; i < 1000; i++) {
        byte[] a = random(kind.type(), random);
        byte[] b = random.nextInt(50) == 0 ? a : random(kind.type(), random);
        int expected = Integer.signum(kind.order().compare(a, b));
        for (boolean descending : new boolean[] {false, true}) {
          int actual =
              Integer.signum(
                  Arrays.compareUnsigned(
                      component(kind.encoding(), a, descending),
                      component(kind.encoding(), b, descending)));
          assertEquals(
              descending ? -expected : expected,
              actual,
              () -> kind.type() + " " + hex(a) + " " + hex(b));
        }
      }
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void valuesInTheMiddleOfAKeyAreDecoded() {
    Random random = seeds.random();
    for (Kind kind : KINDS) {
      for (int i = 0; i < 500; i++) {
        byte[] value = random(kind.type(), random);
        boolean descending = random.nextBoolean();
        byte[] before = spiky(random, random.nextInt(5));
        ByteWriter key = new ByteWriter(16).putBytes(before);
        ByteWriter in = new ByteWriter(16).putBytes(value);
        kind.encoding().write(in.segment(), 0, value.length, descending, key);
        int end = key.size();
        key.putBytes(spiky(random, random.nextInt(12)));
        String what = kind.type() + " " + hex(value);
        assertEquals(
            value.length == 0,
            kind.encoding().isEmpty(key.segment(), before.length, descending),
            what);
        ByteWriter out = new ByteWriter(16);
        assertEquals(end, kind.encoding().read(key.segment(), before.length, descending, out));
        assertEquals(end, kind.encoding().skip(key.segment(), before.length, descending));
        boolean canonical = kind.encoding().isCanonical(in.segment(), 0, value.length);
        assertEquals(canonical, Arrays.equals(value, out.toArray()), what);
        assertTrue(canonical || kind.encoding().keepsWireValue(), what);
        assertEquals(0, kind.order().compare(value, out.toArray()), what);
        ByteWriter sized = new ByteWriter(16);
        assertEquals(
            end, kind.encoding().readWithLength(key.segment(), before.length, descending, sized));
        assertEquals(out.size(), Bytes.getInt(sized.segment(), 0), what);
        assertEquals(out.size() + 4, sized.size(), what);
      }
    }
  }

  @Test
  void nullSortsFirstAndReadsAsNullInBothDirections() {
    for (Kind kind : KINDS) {
      for (boolean descending : new boolean[] {false, true}) {
        ByteWriter out = new ByteWriter(16);
        kind.encoding().write(out.segment(), 0, -1, descending, out);
        assertTrue(KeyEncoding.isNull(out.segment(), 0));
        assertFalse(kind.encoding().isEmpty(out.segment(), 0, descending));
        assertTrue(KeyEncoding.isComponent(out.segment(), 0));
        assertEquals(1, kind.encoding().skip(out.segment(), 0, descending));
        byte[] empty = component(kind.encoding(), new byte[0], descending);
        assertTrue(Arrays.compareUnsigned(out.toArray(), empty) < 0);
        ByteWriter sized = new ByteWriter(16);
        assertEquals(1, kind.encoding().readWithLength(out.segment(), 0, descending, sized));
        assertEquals(-1, Bytes.getInt(sized.segment(), 0));
      }
    }
  }

  /**
   * A clustering or a bound: its values, and its position relative to the rows with this prefix.
   */
  private record Position(List<byte[]> values, int closing) {}

  @Test
  void boundsEncloseTheirRowsInEveryMixOfDirections() {
    Random random = seeds.random();
    for (int round = 0; round < 60; round++) {
      List<Kind> columns = new ArrayList<>();
      boolean[] descending = new boolean[1 + random.nextInt(3)];
      for (int i = 0; i < descending.length; i++) {
        columns.add(KINDS.get(random.nextInt(KINDS.size())));
        descending[i] = random.nextBoolean();
      }
      List<List<byte[]>> pool = new ArrayList<>();
      for (Kind column : columns) {
        List<byte[]> values = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          values.add(random(column.type(), random));
        }
        pool.add(values);
      }
      List<Position> positions = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        positions.add(position(pool, random));
      }
      List<byte[]> keys = positions.stream().map(p -> key(columns, descending, p)).toList();
      for (int i = 0; i < positions.size(); i++) {
        for (int j = 0; j < positions.size(); j++) {
          int expected = comparePositions(columns, descending, positions.get(i), positions.get(j));
          int actual = Arrays.compareUnsigned(keys.get(i), keys.get(j));
          assertEquals(expected, Integer.signum(actual), "round " + round);
        }
      }
    }
  }

  private static Position position(List<List<byte[]>> pool, Random random) {
    int closing = random.nextInt(3) - 1;
    int size = closing == 0 ? pool.size() : random.nextInt(pool.size() + 1);
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      values.add(pool.get(i).get(random.nextInt(4)));
    }
    return new Position(values, closing);
  }

  private static int comparePositions(
      List<Kind> columns, boolean[] descending, Position a, Position b) {
    int common = Math.min(a.values().size(), b.values().size());
    for (int i = 0; i < common; i++) {
      int order = columns.get(i).order().compare(a.values().get(i), b.values().get(i));
      if (order != 0) {
        return descending[i] ? -Integer.signum(order) : Integer.signum(order);
      }
    }
    if (a.values().size() == b.values().size()) {
      return Integer.compare(a.closing(), b.closing());
    }
    return a.values().size() < b.values().size() ? a.closing() : -b.closing();
  }

  private byte[] key(List<Kind> columns, boolean[] descending, Position position) {
    ByteWriter key = new ByteWriter(64);
    for (int i = 0; i < position.values().size(); i++) {
      byte[] value = position.values().get(i);
      key.putBytes(component(columns.get(i).encoding(), value, descending[i]));
    }
    int tag =
        position.closing() < 0
            ? KeyFormat.TAG_BOUND_BEFORE
            : position.closing() > 0 ? KeyFormat.TAG_BOUND_AFTER : KeyFormat.TAG_END;
    return key.putByte(tag).toArray();
  }

  @Test
  void partitionKeysSortByTokenThenBytesAndRoundTrip() {
    Random random = seeds.random();
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      keys.add(spiky(random, random.nextInt(12)));
    }
    for (byte[] a : keys) {
      for (byte[] b : keys) {
        int expected = Integer.signum(Arrays.compareUnsigned(a, b));
        int actual = Arrays.compareUnsigned(partition(7, a), partition(7, b));
        assertEquals(expected, Integer.signum(actual), hex(a) + " " + hex(b));
        assertTrue(Arrays.compareUnsigned(partition(-1, a), partition(0, b)) < 0);
      }
      ByteWriter key = new ByteWriter(16).putByte(9).putBytes(partition(-5, a)).putByte(2);
      assertEquals(-5, KeyFormat.token(key.segment(), 1));
      assertEquals(key.size() - 1, KeyFormat.sectionOffset(key.segment(), 1));
      ByteWriter out = new ByteWriter(16);
      assertEquals(key.size() - 1, KeyFormat.readPartitionKey(key.segment(), 1, out));
      assertArrayEquals(a, out.toArray());
    }
  }

  private byte[] partition(long token, byte[] key) {
    in.clear().putBytes(key);
    out.clear();
    KeyFormat.putPartition(token, in.segment(), 0, key.length, out);
    return out.toArray();
  }
}
