package io.helenus.server.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class TranscriptTest {
  private static final RequestHandler NOBODY =
      (session, request, exchange) -> fail("a request reached the handler: " + request);

  @TestFactory
  Stream<DynamicTest> theHandshakeIsCassandrasToTheByte() throws IOException {
    return Transcript.load("handshake.txt").stream()
        .map(it -> DynamicTest.dynamicTest(it.name(), () -> replay(it)));
  }

  @TestFactory
  Stream<DynamicTest> soItIsWhenBytesDribble() throws IOException {
    return Transcript.load("handshake.txt").stream()
        .map(it -> DynamicTest.dynamicTest(it.name(), () -> dribble(it)));
  }

  private static void replay(Transcript transcript) {
    FakePeer peer = new FakePeer(NOBODY);
    for (Transcript.Step step : transcript.steps()) {
      peer.arrives(step.sent());
      assertSame(step.received(), peer.sent());
    }
    assertEquals(transcript.closed(), peer.isClosing());
  }

  private static void dribble(Transcript transcript) {
    FakePeer peer = new FakePeer(NOBODY);
    for (Transcript.Step step : transcript.steps()) {
      for (byte one : step.sent()) {
        peer.arrives(new byte[] {one});
      }
      assertSame(step.received(), peer.sent());
    }
    assertEquals(transcript.closed(), peer.isClosing());
  }

  private static void assertSame(byte[] expected, byte[] actual) {
    assertEquals(HexFormat.of().formatHex(expected), HexFormat.of().formatHex(actual));
  }
}
