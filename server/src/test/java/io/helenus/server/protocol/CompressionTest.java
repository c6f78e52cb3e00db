package io.helenus.server.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.error.CqlException;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.testing.Seeds;
import java.util.Random;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {
  @RegisterExtension final Seeds seeds = Seeds.from(4);

  private static final int LIMIT = 1 << 20;

  private static Compression of(String name) {
    return name.equals("lz4") ? Compression.Lz4.create() : new Compression.SnappyBlocks();
  }

  private static byte[] decompress(Compression compression, byte[] bytes, int limit) {
    ByteWriter source = new ByteWriter(16).putBytes(bytes);
    ByteWriter plain = new ByteWriter(16);
    compression.decompress(source.segment(), 0, source.size(), plain, limit);
    return plain.toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lz4", "snappy"})
  void decompressionRestoresTheInput(String name) {
    Compression compression = of(name);
    Random random = seeds.random();
    for (int size : new int[] {0, 1, 15, 100, 4096, 100_000}) {
      byte[] bytes = new byte[size];
      for (int i = 0; i < size; i++) {
        bytes[i] = (byte) (i % 7 == 0 ? random.nextInt() : i / 64);
      }
      ByteWriter plain = new ByteWriter(16).putInt(77).putBytes(bytes);
      ByteWriter compressed = new ByteWriter(16);
      compression.compress(plain.segment(), 4, size, compressed);
      assertArrayEquals(bytes, decompress(compression, compressed.toArray(), LIMIT));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lz4", "snappy"})
  void aLengthOverTheLimitIsRefusedBeforeAllocating(String name) {
    byte[] bomb =
        name.equals("lz4")
            ? new byte[] {0x7F, -1, -1, -1, 0x10}
            : new byte[] {-1, -1, -1, -1, 0x07, 0};
    assertThrows(CqlException.class, () -> decompress(of(name), bomb, LIMIT));
    byte[] negative =
        name.equals("lz4") ? new byte[] {-1, 0, 0, 0, 1} : new byte[] {-1, -1, -1, -1, -1, -1};
    assertThrows(CqlException.class, () -> decompress(of(name), negative, LIMIT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lz4", "snappy"})
  void corruptBytesAreAProtocolErrorOrDecompressToTheDeclaredLength(String name) {
    Compression compression = of(name);
    ByteWriter plain = new ByteWriter(16).putBytes(new byte[1000]).putLong(0x123456789L);
    ByteWriter compressed = new ByteWriter(16);
    compression.compress(plain.segment(), 0, plain.size(), compressed);
    Random random = seeds.random();
    for (int i = 0; i < 3_000; i++) {
      byte[] damaged = compressed.toArray();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        byte[] back = decompress(compression, damaged, LIMIT);
        assertEquals(true, back.length <= LIMIT);
      } catch (CqlException expected) {
        assertEquals(0x0A, expected.error().code());
      }
    }
  }
}
