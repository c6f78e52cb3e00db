package io.helenus.server.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScalarFormTest {
  private static final int VALUES = 10_000;
  private static final byte[] LIKELY = {0, 0, 0, -1, -1, 1, 127, -128};

  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private static byte[] value(ScalarType type, Random random) {
    int length =
        switch (type) {
          case BOOLEAN -> 1;
          case DECIMAL -> 5 + random.nextInt(3);
          case INET -> random.nextBoolean() ? 4 : 16;
          default -> 1 + random.nextInt(4);
        };
    byte[] value = new byte[random.nextInt(10) == 0 ? 0 : length];
    boolean mapped = random.nextBoolean();
    for (int i = 0; i < value.length; i++) {
      value[i] =
          mapped && type == ScalarType.INET && i < 12
              ? (byte) (i < 10 ? 0 : -1)
              : LIKELY[random.nextInt(LIKELY.length)];
    }
    return value;
  }

  private static boolean isUsual(CqlType type, byte[] value) {
    ByteWriter bytes = new ByteWriter(1 + value.length).putByte(7).putBytes(value);
    return CompositeValues.isUsualInside(type, bytes.segment(), 1, value.length);
  }

  @ParameterizedTest
  @EnumSource(
      value = ScalarType.class,
      names = {"BOOLEAN", "DECIMAL", "INET", "VARINT"})
  void aUsualFormIsRecognizedWithoutCopyingIt(ScalarType type) {
    Random random = seeds.random();
    int unusual = 0;
    for (int i = 0; i < VALUES; i++) {
      byte[] value = value(type, random);
      byte[] usual = ScalarForm.usual(type, value);
      assertEquals(Arrays.equals(usual, value), isUsual(type, value), Arrays.toString(value));
      assertTrue(isUsual(type, usual), Arrays.toString(usual));
      unusual += Arrays.equals(usual, value) ? 0 : 1;
    }
    assertTrue(unusual > VALUES / 20, unusual + " unusual ones");
  }

  @Test
  void aListIsUsualIfItsElementsAre() {
    Random random = seeds.random();
    CqlType type = new ListType(ScalarType.VARINT, false);
    for (int i = 0; i < VALUES; i++) {
      List<byte[]> elements = new ArrayList<>();
      for (int j = random.nextInt(4); j > 0; j--) {
        elements.add(value(ScalarType.VARINT, random));
      }
      byte[] list = WireValues.ofElements(elements);
      byte[] usual = CompositeValues.reencoded(type, list);
      assertEquals(Arrays.equals(usual, list), isUsual(type, list), Arrays.toString(list));
      assertArrayEquals(usual, CompositeValues.reencoded(type, usual));
    }
    assertFalse(isUsual(new SetType(ScalarType.VARINT, false), WireValues.ofElements(List.of())));
  }
}
