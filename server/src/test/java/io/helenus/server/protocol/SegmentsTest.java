package io.helenus.server.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.Compression;
import io.helenus.server.client.FrameSocket;
import io.helenus.server.client.Response;
import io.helenus.storage.memory.NodeMemory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SegmentsTest {
  private static final int LARGEST = (1 << 17) - 1;

  private final FakePeer peer = new FakePeer(new EchoHandler());

  SegmentsTest() {
    peer.arrives(Requests.startup(5));
    peer.sent();
  }

  private static byte[] part(byte[] frame, int from, int to) {
    return FrameSocket.segment(Arrays.copyOfRange(frame, from, to), false, Compression.NONE);
  }

  private List<Response> answers() {
    return Requests.responses(Requests.unsegmented(peer.sent()));
  }

  private String failure() {
    return answers().getFirst() instanceof Response.Failure it ? it.message() : "";
  }

  @Test
  void severalResponsesShareASegment() {
    peer.arrives(Requests.segment(Requests.options(5, 1), Requests.options(5, 2)));
    byte[] sent = peer.sent();
    int payload = sent[0] & 0xFF | (sent[1] & 0xFF) << 8 | (sent[2] & 1) << 16;
    assertEquals(sent.length, payload + 10);
    assertEquals(2, Requests.frames(Requests.unsegmented(sent)).size());
  }

  @Test
  void otherMessagesMayArriveBetweenThePartsOfALargeOne() {
    byte[] large = Requests.query(5, 3, "y".repeat(60_000));
    peer.arrives(part(large, 0, 9));
    peer.arrives(part(large, 9, 50_000));
    peer.arrives(Requests.segment(Requests.options(5, 1)));
    peer.arrives(part(large, 50_000, large.length));
    assertEquals(
        List.of(1, 3),
        Requests.frames(Requests.unsegmented(peer.sent())).stream()
            .map(it -> it.stream())
            .toList());
  }

  @Test
  void aLargeResponseIsSplit() {
    RequestHandler bytes =
        (session, request, exchange) -> {
          int at = exchange.body().putInt(2).putInt(4).putInt(1).putInt(1).putInt(300_000).size();
          var body = exchange.body();
          body.putInt(2).putInt(4).putInt(1).putInt(1).putInt(300_000);
          assertEquals(20, at);
          body.reserve(300_000);
          exchange.respond(Opcodes.RESULT, body);
        };
    FakePeer other = new FakePeer(bytes);
    other.arrives(Requests.startup(5));
    other.sent();
    other.arrives(Requests.segment(Requests.query(5, 1, "x"), Requests.query(5, 2, "x")));
    byte[] sent = other.sent();
    assertEquals(LARGEST, sent[0] & 0xFF | (sent[1] & 0xFF) << 8 | (sent[2] & 1) << 16);
    assertEquals(0, sent[2] & 2, "not self-contained");
    assertEquals(2, Requests.responses(Requests.unsegmented(sent)).size());
  }

  @Test
  void anOversizedMessageIsSkipped() {
    FakePeer other =
        new FakePeer(
            new EchoHandler(),
            new ConversationSettings(1000, 10, 1000, 10),
            new Workspace(1 << 20, 16 << 20, NodeMemory.unlimited()),
            new Authenticator.AllowAll());
    other.arrives(Requests.startup(5));
    other.sent();
    byte[] large = Requests.query(5, 3, "y".repeat(60_000));
    other.arrives(part(large, 0, 30_000));
    other.arrives(part(large, 30_000, large.length));
    other.arrives(Requests.segment(Requests.query(5, 4, "z".repeat(5000))));
    other.arrives(Requests.segment(Requests.query(5, 5, "fine")));
    List<Response> answers = Requests.responses(Requests.unsegmented(other.sent()));
    assertEquals(3, answers.size());
    assertEquals(
        "CQL Message of size 60010 bytes exceeds allowed maximum of 1000 bytes",
        answers.getFirst() instanceof Response.Failure it ? it.message() : "");
    assertEquals("fine", answers.get(2) instanceof Response.SetKeyspace it ? it.keyspace() : "");
  }

  @Test
  void aCorruptHeaderClosesTheConnection() {
    byte[] header = Requests.segment(Requests.options(5, 1));
    header[0] ^= 1;
    peer.arrives(header);
    assertTrue(
        failure().startsWith("invalid, unrecoverable CRC mismatch detected in frame header"));
    assertTrue(peer.isClosing());
  }

  @Test
  void aCorruptPayloadClosesTheConnection() {
    byte[] payload = Requests.segment(Requests.options(5, 1));
    payload[10] ^= 1;
    peer.arrives(payload);
    assertTrue(failure().startsWith("invalid, unrecoverable CRC mismatch detected in frame body"));
    assertTrue(peer.isClosing());
  }

  @Test
  void anIncompleteMessageInASelfContainedSegmentClosesTheConnection() {
    byte[] whole = Requests.options(5, 1);
    peer.arrives(Requests.segment(whole, Arrays.copyOf(whole, 5)));
    assertEquals(2, answers().size());
    assertTrue(peer.isClosing());
  }

  @Test
  void partsBeyondTheEndOfTheirMessageCloseTheConnection() {
    byte[] large = Requests.query(5, 3, "y".repeat(1000));
    peer.arrives(part(large, 0, 100));
    peer.arrives(part(Arrays.copyOf(large, large.length + 1), 100, large.length + 1));
    assertTrue(peer.isClosing());
  }

  @Test
  void segmentsAreCompressedInBothDirections() {
    FakePeer other = new FakePeer(new EchoHandler());
    other.arrives(Requests.startup(5, Map.of("CQL_VERSION", "3.0.0", "COMPRESSION", "lz4")));
    other.sent();
    String text = "abc".repeat(10_000);
    other.arrives(Requests.segment(Compression.LZ4, Requests.query(5, 1, text)));
    byte[] sent = other.sent();
    assertTrue(sent.length < 2000, "compressed");
    other.arrives(Requests.segment(Compression.LZ4, Requests.options(5, 2)));
    assertTrue(other.sent().length > 0);
  }
}
