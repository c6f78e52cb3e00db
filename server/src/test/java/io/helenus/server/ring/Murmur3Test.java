package io.helenus.server.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.types.PartitionKeys;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Murmur3;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class Murmur3Test {
  private static List<String[]> recorded() throws IOException {
    try (InputStream in = Murmur3Test.class.getResourceAsStream("/ring/tokens.tsv")) {
      String all = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
      return all.lines().map(line -> line.split("\t", -1)).toList();
    }
  }

  private static byte[] bytes(String hex) {
    return hex.equals("-") ? new byte[0] : HexFormat.of().parseHex(hex);
  }

  @Test
  void tokensMatchTheTestVectorsOfTheDrivers() {
    assertEquals(5699955792253506986L, Murmur3.token("alice".getBytes(UTF_8)));
    assertEquals(-5396685590450884643L, Murmur3.token("bob".getBytes(UTF_8)));
    assertEquals(-3169904368870211108L, Murmur3.token("carol".getBytes(UTF_8)));
    assertEquals(-4493667438046306776L, Murmur3.token("dave".getBytes(UTF_8)));
  }

  @Test
  void tokensMatchTheOracleForEveryTailLength() throws IOException {
    int checked = 0;
    for (String[] line : recorded()) {
      if (!line[0].equals("composite")) {
        assertEquals(Long.parseLong(line[1]), Murmur3.token(bytes(line[0])), line[0]);
        checked++;
      }
    }
    assertTrue(checked > 300, "keys: " + checked);
  }

  @Test
  void tokensOfSeveralColumnsMatchTheOracle() throws IOException {
    int checked = 0;
    for (String[] line : recorded()) {
      if (line[0].equals("composite")) {
        byte[] key = PartitionKeys.of(List.of(bytes(line[1]), bytes(line[2]), bytes(line[3])));
        assertEquals(Long.parseLong(line[4]), Murmur3.token(key), String.join(" ", line));
        checked++;
      }
    }
    assertTrue(checked > 30, "keys: " + checked);
  }

  @Test
  void theTokenDoesNotDependOnTheOffsetInTheSegment() {
    byte[] key = "a key of some length é".getBytes(UTF_8);
    for (int shift = 0; shift < 9; shift++) {
      ByteWriter out = new ByteWriter(64);
      out.putBytes(new byte[shift]).putBytes(key).putByte(7);
      assertEquals(Murmur3.token(key), Murmur3.token(out.segment(), shift, key.length));
    }
  }

  @Test
  void theEmptyKeyHasTheTokenBeforeAllOthers() {
    assertEquals(Long.MIN_VALUE, Murmur3.token(new byte[0]));
  }
}
