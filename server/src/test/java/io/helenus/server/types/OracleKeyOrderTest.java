package io.helenus.server.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.KeyFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Key bytes sort like the rows of the oracle and decode to the bytes that it returned. */
class OracleKeyOrderTest {
  private static byte[] component(KeyEncoding encoding, byte[] value, boolean descending) {
    ByteWriter in = new ByteWriter(value.length).putBytes(value);
    ByteWriter out = new ByteWriter(64);
    encoding.write(in.segment(), 0, value.length, descending, out);
    return out.toArray();
  }

  private static KeyEncoding encoding(String type) {
    return Objects.requireNonNull(TypeText.parse(type).keyEncoding());
  }

  /** The lines with a type, a direction and values in order. */
  private static List<String[]> recordedOrders() {
    List<String[]> lines = new ArrayList<>(Recording.lines("/types/key-order.tsv"));
    lines.addAll(Recording.lines("/types/key-order-composite.tsv"));
    lines.removeIf(line -> !line[1].equals("asc") && !line[1].equals("desc"));
    return lines;
  }

  @Test
  void everyTypeSortsLikeTheOracleInBothDirections() {
    int checked = 0;
    for (String[] line : recordedOrders()) {
      boolean descending = line[1].equals("desc");
      KeyEncoding encoding = encoding(line[0]);
      for (int i = 3; i < line.length; i++) {
        byte[] before = component(encoding, Recording.bytes(line[i - 1]), descending);
        byte[] after = component(encoding, Recording.bytes(line[i]), descending);
        String what = line[0] + " " + line[1] + ": " + line[i - 1] + " before " + line[i];
        assertTrue(Arrays.compareUnsigned(before, after) < 0, what);
        checked++;
      }
    }
    assertTrue(checked > 3_000, "pairs checked: " + checked);
  }

  @Test
  void everyCanonicalValueRoundTrips() {
    for (String[] line : recordedOrders()) {
      boolean descending = line[1].equals("desc");
      KeyEncoding encoding = encoding(line[0]);
      for (int i = 2; i < line.length; i++) {
        byte[] value = Recording.bytes(line[i]);
        ByteWriter in = new ByteWriter(value.length).putBytes(value);
        byte[] key = component(encoding, value, descending);
        ByteWriter copy = new ByteWriter(key.length).putBytes(key).putByte(KeyFormat.TAG_END);
        ByteWriter out = new ByteWriter(16);
        long end = encoding.read(copy.segment(), 0, descending, out);
        String what = line[0] + " " + line[i];
        assertEquals(key.length, end, what);
        assertEquals(key.length, encoding.skip(copy.segment(), 0, descending), what);
        boolean same = Arrays.equals(value, out.toArray());
        assertEquals(same, encoding.isCanonical(in.segment(), 0, value.length), what);
        assertTrue(same || encoding.keepsWireValue(), what);
      }
    }
  }

  @Test
  void valuesThatAreEqualInTheOracleHaveTheSameKey() {
    for (String[] line : Recording.lines("/types/key-order.tsv")) {
      if (!line[0].equals("equal")) {
        continue;
      }
      KeyEncoding encoding = encoding(line[1]);
      assertTrue(encoding.keepsWireValue(), line[1]);
      byte[] expected = component(encoding, Recording.bytes(line[2]), false);
      for (int i = 3; !line[i].equals("=>"); i++) {
        byte[] key = component(encoding, Recording.bytes(line[i]), false);
        assertArrayEquals(expected, key, line[1] + " " + line[i]);
      }
    }
  }

  @Test
  void severalColumnsOfMixedDirectionsSortLikeTheOracle() {
    List<byte[]> keys = new ArrayList<>();
    for (String[] line : Recording.lines("/types/key-order.tsv")) {
      if (line[0].equals("mixed")) {
        ByteWriter key = new ByteWriter(64);
        key.putBytes(component(ScalarKeyEncoding.BYTES, Recording.bytes(line[1]), true));
        key.putBytes(component(ScalarKeyEncoding.SIGNED_32, Recording.bytes(line[2]), false));
        key.putBytes(component(ScalarKeyEncoding.BYTES, Recording.bytes(line[3]), true));
        keys.add(key.putByte(KeyFormat.TAG_END).toArray());
      }
    }
    assertTrue(keys.size() > 100, "rows: " + keys.size());
    for (int i = 1; i < keys.size(); i++) {
      assertTrue(Arrays.compareUnsigned(keys.get(i - 1), keys.get(i)) < 0, "row " + i);
    }
  }
}
