package io.helenus.server.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.BodyWriter;
import io.helenus.server.client.Frame;
import io.helenus.server.client.Response;
import io.helenus.server.error.CqlError;
import io.helenus.storage.memory.NodeMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConversationTest {
  private final EchoHandler handler = new EchoHandler();

  private FakePeer started(int version) {
    return started(new FakePeer(handler), version, Map.of("CQL_VERSION", "3.0.0"));
  }

  private static FakePeer started(FakePeer peer, int version, Map<String, String> options) {
    peer.arrives(Requests.startup(version, options));
    List<Response> answers = Requests.responses(peer.sent());
    assertInstanceOf(Response.Ready.class, answers.getFirst());
    return peer;
  }

  private static FakePeer limited(EchoHandler handler, ConversationSettings settings) {
    return new FakePeer(
        handler,
        settings,
        new Workspace(1 << 20, 16 << 20, NodeMemory.unlimited()),
        new Authenticator.AllowAll());
  }

  private static String text(Response response) {
    return switch (response) {
      case Response.SetKeyspace it -> it.keyspace();
      case Response.Failure it -> Integer.toHexString(it.code()) + " " + it.message();
      default -> response.toString();
    };
  }

  private static List<String> texts(byte[] bytes) {
    return Requests.responses(bytes).stream().map(ConversationTest::text).toList();
  }

  private static Response only(byte[] bytes) {
    List<Response> answers = Requests.responses(bytes);
    assertEquals(1, answers.size(), answers.toString());
    return answers.getFirst();
  }

  @ParameterizedTest
  @ValueSource(ints = {0x42, 0x41, 7, 0})
  void anUnknownVersionIsAnsweredInTheHighestVersionWithoutSegments(int version) {
    FakePeer peer = new FakePeer(handler);
    peer.arrives(Frame.request(version, 0, version == 0 ? 0 : 5, 0x05, new byte[0]).encode());
    Frame answer = Requests.frames(peer.sent()).getFirst();
    assertEquals(5, answer.version());
    assertEquals(version == 0 ? 0 : 5, answer.stream());
    Response.Failure failure =
        assertInstanceOf(
            Response.Failure.class, io.helenus.server.client.ResponseDecoder.decode(answer));
    assertEquals(0x0A, failure.code());
    assertTrue(failure.message().contains("Invalid or unsupported protocol version"));
    assertFalse(peer.isClosing());
  }

  @Test
  void afterAnUnknownVersionTheClientMayTryAnother() {
    FakePeer peer = new FakePeer(handler);
    peer.arrives(Requests.startup(0x42));
    peer.arrives(Requests.startup(5));
    List<Frame> frames = Requests.frames(peer.sent());
    assertEquals(List.of(0x00, 0x02), frames.stream().map(Frame::opcode).toList());
  }

  @Test
  void versionsOneAndTwoAreAnsweredWithTheirOwnShorterHeader() {
    FakePeer peer = new FakePeer(handler);
    peer.arrives(new byte[] {2, 0, 7, 5, 0, 0, 0, 0});
    byte[] answer = peer.sent();
    assertEquals((byte) 0x82, answer[0]);
    assertEquals(7, answer[2]);
    assertEquals(0, answer[3]);
    assertEquals(answer.length - 8, answer[7] & 0xFF);
  }

  @Test
  void theBetaVersionIsRefusedWithTheTextThatDriversExpect() {
    FakePeer peer = new FakePeer(handler);
    peer.arrives(Requests.options(6, 3));
    String text = text(only(peer.sent()));
    assertTrue(text.contains("Beta version of the protocol used"), text);
    assertTrue(text.contains("USE_BETA flag is unset"), text);
    peer.arrives(Frame.request(6, 0x10, 3, 0x05, new byte[0]).encode());
    assertTrue(text(only(peer.sent())).contains("Invalid or unsupported protocol version (6)"));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void optionsWorkBeforeAndAfterStartup(int version) {
    FakePeer peer = new FakePeer(handler);
    peer.arrives(Requests.options(version, 9));
    Response.Supported supported = assertInstanceOf(Response.Supported.class, only(peer.sent()));
    assertEquals(
        Map.of(
            "CQL_VERSION", List.of("3.4.7"),
            "COMPRESSION", List.of("snappy", "lz4"),
            "PROTOCOL_VERSIONS", List.of("3/v3", "4/v4", "5/v5")),
        supported.options());
    started(peer, version, Map.of("CQL_VERSION", "3.0.0"));
    byte[] again = Requests.options(version, 10);
    peer.arrives(version >= 5 ? Requests.segment(again) : again);
    byte[] sent = peer.sent();
    assertInstanceOf(
        Response.Supported.class, only(version >= 5 ? Requests.unsegmented(sent) : sent));
  }

  @Test
  void theFirstRequestMayArriveTogetherWithStartup() {
    FakePeer peer = new FakePeer(handler);
    peer.arrives(
        new BodyWriter()
            .putRaw(Requests.startup(5))
            .putRaw(Requests.segment(Requests.query(5, 1, "a"), Requests.query(5, 2, "b")))
            .toArray());
    byte[] sent = peer.sent();
    assertEquals(2, sent[4]);
    byte[] segments = java.util.Arrays.copyOfRange(sent, 9, sent.length);
    assertEquals(List.of("a", "b"), texts(Requests.unsegmented(segments)));
  }

  @Test
  void theSessionHoldsTheOptionsOfStartup() {
    FakePeer peer =
        started(
            new FakePeer(handler),
            4,
            Map.of("CQL_VERSION", "3.0.0", "DRIVER_NAME", "tester", "DRIVER_VERSION", "1.2"));
    Session session = peer.conversation().session();
    assertEquals("tester", session.driverName());
    assertEquals("1.2", session.driverVersion());
    assertEquals(4, session.protocolVersion());
    assertEquals(Session.Stage.READY, session.stage());
    assertNull(session.keyspace());
    assertEquals(1, session.requestCount());
  }

  @Test
  void requestsMayBeAnsweredInAnyOrder() {
    FakePeer peer = started(4);
    peer.arrives(Requests.query(4, 1, "keep it"));
    peer.arrives(Requests.query(4, 2, "now"));
    assertEquals(2, Requests.frames(peer.sent()).getFirst().stream());
    handler.answerNext();
    Frame late = Requests.frames(peer.sent()).getFirst();
    assertEquals(1, late.stream());
    assertEquals(0, peer.conversation().inFlightRequests());
  }

  @Test
  void anExceptionOfTheHandlerIsSentAsAnError() {
    FakePeer peer = started(4);
    peer.arrives(Requests.query(4, 1, "fail"));
    assertEquals("2200 no", text(only(peer.sent())));
    peer.arrives(Requests.query(4, 1, "bug"));
    assertEquals("0 java.lang.IllegalStateException: a bug", text(only(peer.sent())));
    assertEquals(1, peer.bugs().size());
    peer.arrives(Requests.query(4, 1, "late bug"));
    assertEquals("late bug", text(only(peer.sent())));
    assertEquals(2, peer.bugs().size());
    assertEquals(0, peer.conversation().inFlightRequests());
  }

  @Test
  void anErrorFailsOnlyItsRequest() {
    Error[] thrown = new Error[1];
    EchoHandler echo = new EchoHandler();
    FakePeer peer =
        new FakePeer(
            (session, request, exchange) -> {
              if (thrown[0] != null) {
                throw thrown[0];
              }
              echo.handle(session, request, exchange);
            });
    started(peer, 4, Map.of("CQL_VERSION", "3.0.0"));
    for (Error error :
        List.of(
            new StackOverflowError(),
            new AssertionError("wrong"),
            new NoClassDefFoundError("Gone"),
            new OutOfMemoryError("Cannot reserve 8 bytes of direct buffer memory"))) {
      thrown[0] = error;
      peer.arrives(Requests.query(4, 1, "x"));
      assertEquals("0 " + error, text(only(peer.sent())));
      assertSame(error, peer.bugs().removeFirst());
      thrown[0] = null;
      peer.arrives(Requests.query(4, 1, "next"));
      assertEquals("next", text(only(peer.sent())));
    }
    assertEquals(0, peer.conversation().inFlightRequests());
    assertEquals(List.of(), peer.bugs());
  }

  @Test
  void aResponseThatDoesNotFitInMemoryBecomesAnError() {
    for (int version = 3; version <= 4; version++) {
      FakePeer peer = started(version);
      peer.failOutputs(1);
      peer.arrives(Requests.query(version, 1, "keep me"));
      assertEquals(0, peer.bugs().size());
      peer.arrives(Requests.query(version, 1, "x"));
      Response answer = only(peer.sent());
      assertEquals("0 java.lang.OutOfMemoryError: no direct memory", text(answer));
      assertEquals(1, peer.bugs().size());
      peer.arrives(Requests.query(version, 1, "y"));
      assertEquals("y", text(only(peer.sent())));
      assertEquals(1, peer.conversation().inFlightRequests());
    }
  }

  @Test
  void aConnectionClosesIfEvenTheErrorCannotBeSent() {
    FakePeer peer = started(4);
    peer.failOutputs(2);
    peer.arrives(Requests.query(4, 1, "x"));
    assertTrue(peer.isClosedNow());
    assertEquals(0, peer.conversation().inFlightRequests());
  }

  @Test
  void answeringTwiceIsAnError() {
    Exchange[] seen = new Exchange[1];
    FakePeer peer =
        new FakePeer(
            (session, request, exchange) -> {
              seen[0] = exchange;
              exchange.respond(Opcodes.RESULT, exchange.body().putInt(1));
            });
    started(peer, 4, Map.of("CQL_VERSION", "3.0.0"));
    peer.arrives(Requests.query(4, 1, "x"));
    Exchange exchange = seen[0];
    assertThrows(
        IllegalStateException.class,
        () -> exchange.respond(Opcodes.RESULT, exchange.body().putInt(1)));
  }

  @Test
  void warningsAndTheTracingIdPrecedeTheMessage() {
    FakePeer peer = started(4);
    peer.arrives(Requests.query(4, 1, "warn me"));
    Response answer = only(peer.sent());
    assertEquals(List.of("warn me"), answer.warnings());
    assertEquals(new UUID(1, 2), answer.extras().tracingId());
    assertEquals("warn me", text(answer));
    peer.arrives(Requests.query(4, 1, "plain"));
    assertEquals(Response.Extras.class, only(peer.sent()).extras().getClass());
  }

  @Test
  void versionThreeHasNoWarnings() {
    FakePeer peer = started(3);
    peer.arrives(Requests.query(3, 1, "warn me"));
    assertEquals(List.of(), only(peer.sent()).warnings());
  }

  @Test
  void aCustomPayloadIsSkipped() {
    FakePeer peer = started(4);
    byte[] body =
        new BodyWriter()
            .putShort(2)
            .putString("k")
            .putBytes(new byte[] {1, 2})
            .putString("n")
            .putBytes(null)
            .putRaw(Requests.queryBody(4, "hello"))
            .toArray();
    peer.arrives(Frame.request(4, 0x04, 1, 0x07, body).encode());
    assertEquals("hello", text(only(peer.sent())));
  }

  @Test
  void requestsBeyondTheLimitWait() {
    FakePeer peer = limited(handler, new ConversationSettings(1 << 16, 2, 1 << 20, 4));
    started(peer, 4, Map.of("CQL_VERSION", "3.0.0"));
    for (int i = 0; i < 4; i++) {
      peer.arrives(Requests.query(4, i, "keep " + i));
    }
    assertEquals(2, handler.keptCount());
    assertTrue(peer.conversation().isStalled());
    assertFalse(peer.conversation().hasRoom());
    handler.answerNext();
    assertTrue(peer.conversation().hasRoom());
    peer.arrives(new byte[0]);
    assertEquals(2, handler.keptCount());
    handler.answerNext();
    peer.arrives(new byte[0]);
    assertEquals(0, peer.unreadBytes());
    handler.answerNext();
    handler.answerNext();
    assertEquals(List.of("keep 0", "keep 1", "keep 2", "keep 3"), texts(peer.sent()));
  }

  @Test
  void aClientWithThrowOnOverloadGetsAnError() {
    FakePeer peer = limited(handler, new ConversationSettings(1 << 16, 1, 1 << 20, 4));
    started(peer, 4, Map.of("CQL_VERSION", "3.0.0", "THROW_ON_OVERLOAD", "1"));
    peer.arrives(Requests.query(4, 1, "keep"));
    peer.arrives(Requests.query(4, 2, "more"));
    assertTrue(text(only(peer.sent())).startsWith("1001 "));
    handler.answerNext();
    assertEquals("keep", text(only(peer.sent())));
  }

  @Test
  void requestsWaitWhileTheClientDoesNotReadItsResponses() {
    FakePeer peer = started(4);
    peer.takesOutput(false);
    peer.arrives(Requests.query(4, 1, "a"));
    assertTrue(peer.conversation().isStalled());
    peer.takesOutput(true);
    peer.arrives(new byte[0]);
    assertEquals("a", text(only(peer.sent())));
  }

  @Test
  void anOversizedMessageIsSkippedAndTheConnectionStaysUsable() {
    FakePeer peer = limited(handler, new ConversationSettings(100, 2, 1 << 20, 4));
    started(peer, 4, Map.of("CQL_VERSION", "3.0.0"));
    peer.arrives(Requests.query(4, 1, "x".repeat(200)));
    peer.arrives(Requests.query(4, 2, "y"));
    assertEquals(
        List.of("2200 Request is too big: length 216 exceeds maximum allowed length 100.", "y"),
        texts(peer.sent()));
  }

  @Test
  void anInvalidLengthClosesTheConnection() {
    FakePeer peer = started(4);
    peer.arrives(new byte[] {4, 0, 0, 1, 7, 0x10, 0, 0, 1});
    assertTrue(text(only(peer.sent())).startsWith("a Invalid value for envelope header"));
    assertTrue(peer.isClosing());
  }

  @Test
  void partiallyReceivedLargeMessagesShareALimit() {
    Workspace workspace = new Workspace(300_000, 16 << 20, NodeMemory.unlimited());
    ConversationSettings settings = ConversationSettings.DEFAULT;
    Authenticator anybody = new Authenticator.AllowAll();
    FakePeer first = new FakePeer(handler, settings, workspace, anybody);
    FakePeer second = new FakePeer(handler, settings, workspace, anybody);
    started(first, 4, Map.of("CQL_VERSION", "3.0.0"));
    started(second, 4, Map.of("CQL_VERSION", "3.0.0"));
    byte[] large = Requests.query(4, 1, "z".repeat(200_000));
    first.arrives(java.util.Arrays.copyOf(large, 1000));
    second.arrives(java.util.Arrays.copyOf(large, 1000));
    assertTrue(text(only(second.sent())).startsWith("1001 "));
    first.conversation().close();
    assertEquals(0, workspace.arrivingBytes());
  }

  @Test
  void theResponsePrecedesTheEvent() {
    FakePeer peer = started(4);
    peer.arrives(
        Frame.request(
                4, 0, 1, 0x0B, new BodyWriter().putStringList(List.of("SCHEMA_CHANGE")).toArray())
            .encode());
    peer.arrives(Requests.query(4, 2, "change"));
    peer.sent();
    Event event = Event.SchemaChange.ofKeyspace(Event.SchemaChange.Change.CREATED, "ks");
    peer.conversation().deliver(event);
    peer.conversation()
        .deliver(
            new Event.StatusChange(Event.StatusChange.Change.UP, new byte[] {127, 0, 0, 1}, 9042));
    assertEquals(0, peer.sent().length);
    handler.answerNext();
    List<Frame> frames = Requests.frames(peer.sent());
    assertEquals(List.of(2, -1), frames.stream().map(Frame::stream).toList());
  }

  @Test
  void aClientThatDoesNotReadItsEventsIsDisconnected() {
    FakePeer peer = limited(handler, new ConversationSettings(1 << 16, 2, 1 << 20, 4));
    started(peer, 4, Map.of("CQL_VERSION", "3.0.0"));
    peer.arrives(
        Frame.request(
                4, 0, 1, 0x0B, new BodyWriter().putStringList(List.of("STATUS_CHANGE")).toArray())
            .encode());
    peer.takesOutput(false);
    Event event =
        new Event.StatusChange(Event.StatusChange.Change.DOWN, new byte[] {127, 0, 0, 1}, 9042);
    for (int i = 0; i < 5; i++) {
      assertFalse(peer.isClosing());
      peer.conversation().deliver(event);
    }
    assertTrue(peer.isClosing());
  }

  @Test
  void aResponseToAClosedConnectionIsDropped() {
    Workspace workspace = new Workspace(1 << 20, 16 << 20, NodeMemory.unlimited());
    FakePeer peer =
        new FakePeer(
            handler, ConversationSettings.DEFAULT, workspace, new Authenticator.AllowAll());
    started(peer, 4, Map.of("CQL_VERSION", "3.0.0"));
    peer.arrives(Requests.query(4, 1, "keep"));
    assertTrue(workspace.inFlightBytes() > 0);
    peer.conversation().close();
    handler.answerNext();
    assertEquals(0, workspace.inFlightBytes());
    assertEquals(0, peer.sent().length);
  }

  @Test
  void prepareWithAKeyspaceNeedsVersionFive() {
    FakePeer peer = started(5);
    byte[] body = new BodyWriter().putLongString("select").putInt(1).putString("ks").toArray();
    peer.arrives(Requests.segment(Frame.request(5, 0, 1, 0x09, body).encode()));
    assertEquals("select@ks", text(only(Requests.unsegmented(peer.sent()))));
  }

  @Test
  void closingCancelsRequestsInFlightOnce() {
    List<String> cancelled = new ArrayList<>();
    List<Exchange> waiting = new ArrayList<>();
    RequestHandler handler =
        (session, request, exchange) -> {
          String text = ((Request.Query) request).text();
          if (text.equals("write")) {
            waiting.add(exchange);
            return;
          }
          exchange.onDisconnect(
              () -> {
                cancelled.add(text);
                exchange.respondError(new CqlError.ServerError("cancelled"));
              });
          if (text.equals("done")) {
            exchange.respondError(new CqlError.ServerError("done"));
          }
        };
    Workspace workspace = new Workspace(1 << 20, 16 << 20, NodeMemory.unlimited());
    FakePeer peer =
        new FakePeer(
            handler, ConversationSettings.DEFAULT, workspace, new Authenticator.AllowAll());
    peer.arrives(Requests.startup(4));
    for (String text : List.of("done", "first", "write", "last")) {
      peer.arrives(Requests.query(4, 1, text));
    }
    assertEquals(3, peer.conversation().inFlightRequests());
    peer.conversation().close();
    assertEquals(List.of("last", "first"), cancelled);
    assertEquals(1, peer.conversation().inFlightRequests());
    waiting.getFirst().respondError(new CqlError.ServerError("late"));
    assertEquals(0, peer.conversation().inFlightRequests());
    assertEquals(0, workspace.inFlightBytes());
    assertEquals(List.of("last", "first"), cancelled);
  }
}
