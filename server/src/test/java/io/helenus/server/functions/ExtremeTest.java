package io.helenus.server.functions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.helenus.server.types.ScalarKeyEncoding;
import io.helenus.storage.bytes.ByteWriter;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The smallest and the greatest integer are those in the order of keys. */
class ExtremeTest {
  private static final ScalarKeyEncoding[] ENCODINGS = {
    ScalarKeyEncoding.SIGNED_8,
    ScalarKeyEncoding.SIGNED_16,
    ScalarKeyEncoding.SIGNED_32,
    ScalarKeyEncoding.SIGNED_64
  };

  /** A value of some bytes, or an empty or null one. */
  private static void put(Random random, int bytes, ByteWriter out) {
    switch (random.nextInt(8)) {
      case 0 -> out.putInt(-1);
      case 1 -> out.putInt(0);
      default -> {
        out.putInt(bytes);
        long value = random.nextBoolean() ? random.nextLong() : random.nextInt(5) - 2;
        for (int shift = 8 * bytes - 8; shift >= 0; shift -= 8) {
          out.putByte((int) (value >>> shift));
        }
      }
    }
  }

  @Test
  void integersAreOrderedAsTheirKeys() {
    Random random = new Random(1);
    for (int round = 0; round < 2000; round++) {
      ScalarKeyEncoding encoding = ENCODINGS[round % ENCODINGS.length];
      int bytes = 1 << round % ENCODINGS.length;
      int sign = random.nextBoolean() ? 1 : -1;
      Extreme keys = new Extreme(encoding, sign);
      ExtremeInteger integers = new ExtremeInteger(sign);
      for (int i = random.nextInt(6); i > 0; i--) {
        ByteWriter value = new ByteWriter(16);
        put(random, bytes, value);
        FunctionArguments arguments = new FunctionArguments(1);
        arguments.set(value);
        keys.add(arguments);
        integers.add(arguments);
      }
      ByteWriter expected = new ByteWriter(16);
      ByteWriter actual = new ByteWriter(16);
      assertEquals(keys.result(expected), integers.result(actual));
      assertArrayEquals(expected.toArray(), actual.toArray());
      integers.reset();
      assertFalse(integers.result(actual));
    }
  }
}
