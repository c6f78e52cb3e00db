package io.helenus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.testing.Seeds;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HelloFormatTest {
  @RegisterExtension final Seeds seeds = Seeds.from(7);

  private static final MemberAddress ADDRESS =
      new MemberAddress(new Endpoint("10.0.0.2", 7000), new Endpoint("::1", 9042), 77);

  private static final Hello MEMBER =
      new Hello(
          "Test Cluster",
          new UUID(1, 2),
          new UUID(3, 4),
          5,
          Hello.Status.MEMBER,
          "näher:7000",
          "dc1",
          new Endpoint("10.0.0.1", 7000),
          new Endpoint("10.0.0.1", 0xFFFF),
          Map.of(new UUID(8, 9), ADDRESS));

  private static Hello read(ByteWriter bytes) {
    return HelloFormat.read(bytes.segment(), 0, bytes.size());
  }

  private static ByteWriter written(Hello hello) {
    ByteWriter bytes = new ByteWriter(64);
    HelloFormat.write(hello, bytes);
    return bytes;
  }

  @Test
  void whatIsWrittenIsRead() {
    assertEquals(MEMBER, read(written(MEMBER)));
    Hello empty =
        new Hello(
            "",
            null,
            new UUID(3, 4),
            -1,
            Hello.Status.FIRST_SEED,
            "",
            "",
            MEMBER.node(),
            MEMBER.client(),
            Map.of());
    assertEquals(empty, read(written(empty)));
  }

  /** The bytes that docs/internode.md describes. */
  @Test
  void theBytesStayTheSame() {
    assertEquals(
        "03"
            + "00000000000000010000000000000002"
            + "00000000000000030000000000000004"
            + "0000000000000005"
            + "000c5465737420436c7573746572"
            + "000b6ec3a4686572"
            + "3a37303030"
            + "0003646331"
            + "000831302e302e302e31"
            + "1b58"
            + "000831302e302e302e31"
            + "ffff"
            + "00000001"
            + "00000000000000080000000000000009"
            + "000000000000004d"
            + "000831302e302e302e321b58"
            + "00033a3a312352",
        HexFormat.of().formatHex(written(MEMBER).toArray()));
  }

  @Test
  void fieldsOfLaterReleasesAreSkipped() {
    assertEquals(MEMBER, read(written(MEMBER).putLong(-1)));
  }

  @Test
  void whatIsCutOffOrDamagedIsRefusedAndNeverMore() {
    ByteWriter bytes = written(MEMBER);
    for (int length = 0; length < bytes.size(); length++) {
      int shorter = length;
      assertThrows(
          IllegalArgumentException.class, () -> HelloFormat.read(bytes.segment(), 0, shorter));
    }
    Random random = seeds.random();
    for (int i = 0; i < 20_000; i++) {
      ByteWriter damaged = new ByteWriter(64).putBytes(bytes.toArray());
      for (int j = 0; j <= random.nextInt(4); j++) {
        damaged.setByte(random.nextInt(damaged.size()), random.nextInt());
      }
      try {
        read(damaged);
      } catch (IllegalArgumentException e) {
        // that is what is promised
      }
    }
  }

  @Test
  void tooManyMembersAreRefusedBeforeMemoryIsTaken() {
    ByteWriter bytes = written(MEMBER);
    int count = bytes.size() - 4 - 16 - 8 - 12 - 7;
    assertEquals(MEMBER, read(bytes.setInt(count, 1)));
    for (int wrong : new int[] {-1, HelloFormat.MEMBER_LIMIT + 1, Integer.MAX_VALUE, 2}) {
      bytes.setInt(count, wrong);
      assertThrows(IllegalArgumentException.class, () -> read(bytes));
    }
  }

  @Test
  void refusalsAreReadAsWritten() {
    for (Refusal.Kind kind : Refusal.Kind.values()) {
      ByteWriter bytes = new ByteWriter(8);
      Refusal refusal = new Refusal(kind, "say why: " + kind);
      HelloFormat.write(refusal, bytes);
      assertEquals(refusal, HelloFormat.readRefusal(bytes.segment(), 0, bytes.size()));
      assertEquals(kind, Refusal.Kind.ofCode(kind.code()));
    }
    ByteWriter none = new ByteWriter(8).putByte(0).putShort(0);
    assertThrows(
        IllegalArgumentException.class, () -> HelloFormat.readRefusal(none.segment(), 0, 3));
    none.setByte(0, 6);
    assertThrows(
        IllegalArgumentException.class, () -> HelloFormat.readRefusal(none.segment(), 0, 3));
  }
}
