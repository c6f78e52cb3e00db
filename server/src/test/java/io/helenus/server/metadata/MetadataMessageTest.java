package io.helenus.server.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.consensus.AcceptedValue;
import io.helenus.server.consensus.Ballot;
import io.helenus.server.consensus.RegisterState.Reply;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The bytes of messages between nodes, which other releases read. */
class MetadataMessageTest {
  private static final Ballot BALLOT = new Ballot(0x11, new UUID(0x22, 0x33), 0x44);
  private static final Ballot LATER = new Ballot(0x55, new UUID(0x66, 0x77), 0x88);
  private static final String BALLOT_HEX =
      "0000000000000011" + "0000000000000022" + "0000000000000033" + "0000000000000044";
  private static final String LATER_HEX =
      "0000000000000055" + "0000000000000066" + "0000000000000077" + "0000000000000088";
  private static final String SLOT_HEX = "0000000000000009";
  private static final byte[] VALUE = {7, 8};

  private static void check(String hex, MetadataMessage message) {
    byte[] bytes = message.encoded();
    assertEquals(hex, HexFormat.of().formatHex(bytes));
    assertArrayEquals(bytes, MetadataMessage.decode(bytes).encoded());
    for (int length = 0; length < bytes.length; length++) {
      byte[] shorter = Arrays.copyOf(bytes, length);
      if (!(message instanceof MetadataMessage.Snapshot) || length < 2) {
        assertThrows(IllegalArgumentException.class, () -> MetadataMessage.decode(shorter));
      }
    }
  }

  @Test
  void everyMessageHasItsBytes() {
    check("0101" + SLOT_HEX + BALLOT_HEX, new MetadataMessage.Request(9, BALLOT, null));
    check("0102" + SLOT_HEX + BALLOT_HEX + "020708", new MetadataMessage.Request(9, BALLOT, VALUE));
    check(
        "0103" + SLOT_HEX + BALLOT_HEX + "00",
        new MetadataMessage.Voted(9, new Reply.Promised(BALLOT, null)));
    check(
        "0103" + SLOT_HEX + LATER_HEX + "01" + BALLOT_HEX + "020708",
        new MetadataMessage.Voted(9, new Reply.Promised(LATER, new AcceptedValue(BALLOT, VALUE))));
    check("0104" + SLOT_HEX + BALLOT_HEX, new MetadataMessage.Voted(9, new Reply.Accepted(BALLOT)));
    check(
        "0105" + SLOT_HEX + BALLOT_HEX + LATER_HEX,
        new MetadataMessage.Voted(9, new Reply.Rejected(BALLOT, LATER)));
    check(
        "0106" + SLOT_HEX + "000000000000000a" + "02" + "020708" + "00",
        new MetadataMessage.Entries(9, 10, List.of(VALUE, new byte[0])));
    check("0107" + SLOT_HEX, new MetadataMessage.Fetch(9));
    check("01080708", new MetadataMessage.Snapshot(VALUE));
    check("0109" + SLOT_HEX + "0000000000000008" + "01", new MetadataMessage.Progress(9, 8, true));
  }

  @Test
  void unknownVersionsAndKindsAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> MetadataMessage.decode(new byte[] {2, 7, 0}));
    assertThrows(
        IllegalArgumentException.class, () -> MetadataMessage.decode(new byte[] {1, 99, 0}));
  }
}
