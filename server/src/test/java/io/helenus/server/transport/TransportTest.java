package io.helenus.server.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.BodyWriter;
import io.helenus.server.client.Compression;
import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Frame;
import io.helenus.server.client.FrameSocket;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.protocol.ConversationSettings;
import io.helenus.server.protocol.Event;
import io.helenus.server.protocol.Session;
import io.helenus.storage.memory.MemoryShare;
import io.helenus.storage.memory.NodeMemory.Use;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(600)
class TransportTest {
  private static final int TIMEOUT_MILLIS = 300_000;

  static Stream<Arguments> waysToTalk() {
    return Stream.of(
        Arguments.of(3, Compression.NONE),
        Arguments.of(3, Compression.LZ4),
        Arguments.of(3, Compression.SNAPPY),
        Arguments.of(4, Compression.NONE),
        Arguments.of(4, Compression.LZ4),
        Arguments.of(4, Compression.SNAPPY),
        Arguments.of(5, Compression.NONE),
        Arguments.of(5, Compression.LZ4));
  }

  private static CqlClient.Settings settings(EchoServer server) {
    return CqlClient.Settings.of(server.host(), server.port()).withTimeoutMillis(TIMEOUT_MILLIS);
  }

  private static TransportSettings limits(
      int maxInFlightRequests, int maxConnections, int maxPerAddress, long startupTimeoutMillis) {
    return new TransportSettings(
        new ConversationSettings(16 << 20, maxInFlightRequests, 16 << 20, 64),
        maxConnections,
        maxPerAddress,
        64 << 20,
        16 << 20,
        startupTimeoutMillis,
        60_000,
        128);
  }

  private static String text(Response response) {
    return assertInstanceOf(Response.SetKeyspace.class, response, response.toString()).keyspace();
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      assertFalse(Thread.interrupted(), "timed out");
      Thread.yield();
    }
  }

  @ParameterizedTest
  @MethodSource("waysToTalk")
  void everyVersionWorksWithEveryCompression(int version, Compression compression)
      throws IOException {
    try (EchoServer server = new EchoServer(2, TransportSettings.DEFAULT);
        CqlClient client =
            CqlClient.connect(settings(server).withVersion(version).withCompression(compression))) {
      assertInstanceOf(Response.Supported.class, client.options());
      assertEquals("hello", text(client.query("hello")));
      assertEquals("late hello", text(client.query("late hello")));
      assertEquals("requested failure", ((Response.Failure) client.query("fail")).message());
      assertEquals(
          "java.lang.IllegalStateException: a bug",
          ((Response.Failure) client.query("bug")).message());
      Response warned = client.query("warn");
      assertEquals(version >= 4 ? List.of("one", "two") : List.of(), warned.warnings());
      for (int bytes : new int[] {0, 1000, 131_042, 131_043, 200_000, 3_000_000}) {
        Response.Rows rows = assertInstanceOf(Response.Rows.class, client.query("big " + bytes));
        byte[] value = rows.rows().getFirst().getFirst();
        byte[] expected = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
          expected[i] = (byte) (i % 251);
        }
        assertArrayEquals(expected, value);
      }
      String large = "x".repeat(60_000);
      List<CqlClient.BatchEntry> entries = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        entries.add(new CqlClient.BatchEntry(large, null, List.of()));
      }
      assertEquals("batch of 20", text(client.batch(0, entries, QueryOptions.NONE)));
    }
  }

  private static void requireValue(int bytes, Response response) {
    Response.Rows rows = assertInstanceOf(Response.Rows.class, response);
    byte[] expected = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      expected[i] = (byte) (i % 251);
    }
    assertArrayEquals(expected, rows.rows().getFirst().getFirst());
  }

  @ParameterizedTest
  @MethodSource("waysToTalk")
  void largeMessagesAreSentInPieces(int version, Compression compression) throws IOException {
    try (EchoServer server = new EchoServer(1, TransportSettings.DEFAULT);
        CqlClient client =
            CqlClient.connect(settings(server).withVersion(version).withCompression(compression))) {
      for (int bytes : new int[] {1, 131_042, 262_120, 700_000, 3_000_000, 20_000_000}) {
        requireValue(bytes, client.query("huge " + bytes));
        assertEquals("after it", text(client.query("after it")));
      }
      await(() -> server.memory().share(Use.ANSWERS).usedBytes() == 0);
    }
  }

  @ParameterizedTest
  @MethodSource("waysToTalk")
  void responsesKeepTheirOrderAroundLargeMessages(int version, Compression compression)
      throws IOException {
    try (EchoServer server = new EchoServer(1, TransportSettings.DEFAULT);
        CqlClient client =
            CqlClient.connect(settings(server).withVersion(version).withCompression(compression))) {
      int kept = client.send(0x07, 0, queryBody(version, "keep before"));
      int other = client.send(0x07, 0, queryBody(version, "keep later"));
      await(() -> server.keptCount() == 2);
      List<Integer> large = new ArrayList<>();
      List<Integer> small = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        large.add(client.send(0x07, 0, queryBody(version, "huge 9000000")));
        small.add(client.send(0x07, 0, queryBody(version, "now " + i)));
      }
      await(() -> server.memory().share(Use.ANSWERS).usedBytes() > 0);
      server.answerKept();
      assertEquals("keep later", text(client.receive(other)));
      for (int i = 0; i < 4; i++) {
        requireValue(9_000_000, client.receive(large.get(i)));
        assertEquals("now " + i, text(client.receive(small.get(i))));
      }
      assertEquals("keep before", text(client.receive(kept)));
      await(() -> server.memory().share(Use.ANSWERS).usedBytes() == 0);
    }
  }

  @ParameterizedTest
  @MethodSource("waysToTalk")
  void aClientThatReadsNothingHoldsOneLargeMessageUntilItDisconnects(
      int version, Compression compression) throws IOException {
    try (EchoServer server = new EchoServer(1, TransportSettings.DEFAULT)) {
      MemoryShare share = server.memory().share(Use.ANSWERS);
      CqlClient.Settings settings =
          settings(server).withVersion(version).withCompression(compression);
      try (CqlClient slow = CqlClient.connect(settings)) {
        for (int i = 0; i < 5; i++) {
          slow.send(0x07, 0, queryBody(version, "huge 30000000"));
        }
        await(() -> share.usedBytes() > 10_000_000);
        try (CqlClient other = CqlClient.connect(settings)) {
          for (int i = 0; i < 20; i++) {
            assertEquals("fine", text(other.query("fine")));
          }
        }
        assertTrue(share.highWaterBytes() < 45_000_000, "used at most " + share.highWaterBytes());
      }
      await(() -> share.usedBytes() == 0);
    }
  }

  @Test
  void stoppingSendsLargeMessagesCompletely() throws Exception {
    try (EchoServer server = new EchoServer(1, TransportSettings.DEFAULT);
        CqlClient client = CqlClient.connect(settings(server).withVersion(5))) {
      int large = client.send(0x07, 0, queryBody(5, "huge 30000000"));
      await(() -> server.memory().share(Use.ANSWERS).usedBytes() > 10_000_000);
      CompletableFuture<Void> stopped = server.transport().stop(TIMEOUT_MILLIS);
      requireValue(30_000_000, client.receive(large));
      stopped.get();
    }
  }

  @Test
  void manyRequestsInFlightAreAllAnswered() throws IOException {
    try (EchoServer server = new EchoServer(1, TransportSettings.DEFAULT);
        CqlClient client = CqlClient.connect(settings(server).withVersion(4))) {
      List<Integer> streams = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        byte[] body = queryBody((i % 3 == 0 ? "late " : "now ") + i);
        streams.add(client.send(0x07, 0, body));
      }
      for (int i = 0; i < streams.size(); i++) {
        assertEquals((i % 3 == 0 ? "late " : "now ") + i, text(client.receive(streams.get(i))));
      }
    }
  }

  private static byte[] queryBody(int version, String text) {
    BodyWriter body = new BodyWriter().putLongString(text).putShort(1);
    return (version < 5 ? body.putByte(0) : body.putInt(0)).toArray();
  }

  private static byte[] queryBody(String text) {
    return new BodyWriter().putLongString(text).putShort(1).putByte(0).toArray();
  }

  @Test
  void readingPausesWhileTooManyRequestsAreInFlight() throws IOException {
    try (EchoServer server = new EchoServer(1, limits(10, 10, 10, 10_000));
        CqlClient client = CqlClient.connect(settings(server).withVersion(4))) {
      List<Integer> streams = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        streams.add(client.send(0x07, 0, queryBody("keep " + i)));
      }
      await(() -> server.keptCount() == 10);
      for (int answered = 0; answered < streams.size(); ) {
        await(() -> server.keptCount() > 0);
        assertTrue(server.keptCount() <= 10);
        answered += server.answerKept();
      }
      for (int i = 0; i < streams.size(); i++) {
        assertEquals("keep " + i, text(client.receive(streams.get(i))));
      }
    }
  }

  @Test
  void readingPausesWhileTheClientDoesNotReadItsResponses() throws IOException {
    try (EchoServer server = new EchoServer(1, TransportSettings.DEFAULT);
        CqlClient slow = CqlClient.connect(settings(server).withVersion(4));
        CqlClient other = CqlClient.connect(settings(server).withVersion(4))) {
      List<Integer> streams = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        streams.add(slow.send(0x07, 0, queryBody("big 100000")));
      }
      assertEquals("fine", text(other.query("fine")));
      for (int stream : streams) {
        assertInstanceOf(Response.Rows.class, slow.receive(stream));
      }
    }
  }

  @Test
  void connectionsBeyondTheLimitAreClosedAtOnce() throws IOException {
    try (EchoServer server = new EchoServer(2, limits(10, 10, 2, 10_000))) {
      CqlClient first = CqlClient.connect(settings(server));
      try (CqlClient second = CqlClient.connect(settings(server))) {
        assertThrows(UncheckedIOException.class, () -> CqlClient.connect(settings(server)));
        assertEquals("still here", text(second.query("still here")));
        assertEquals(2, server.transport().sessions().size());
        first.close();
        await(() -> server.transport().sessions().size() == 1);
        CqlClient.connect(settings(server)).close();
      }
    }
  }

  @Test
  void aConnectionWithoutStartupIsClosed() throws IOException {
    try (EchoServer server = new EchoServer(1, limits(10, 10, 10, 100));
        FrameSocket silent = new FrameSocket(server.host(), server.port(), TIMEOUT_MILLIS)) {
      assertThrows(EOFException.class, silent::receive);
    }
  }

  @Test
  void aReadyConnectionMayBeIdle() throws IOException {
    try (EchoServer server = new EchoServer(1, limits(10, 10, 10, 50));
        CqlClient client = CqlClient.connect(settings(server));
        FrameSocket silent = new FrameSocket(server.host(), server.port(), TIMEOUT_MILLIS)) {
      assertThrows(EOFException.class, silent::receive);
      assertEquals("here", text(client.query("here")));
    }
  }

  /** Unfinished messages. */
  static Stream<Arguments> unfinishedMessages() {
    byte[] frame = Frame.request(4, 0, 1, 0x07, queryBody("x".repeat(500))).encode();
    byte[] tooLarge = Frame.request(4, 0, 1, 0x07, new byte[17 << 20]).encode();
    byte[] large = Frame.request(5, 0, 1, 0x07, v5QueryBody("x".repeat(200_000))).encode();
    byte[] firstPart = FrameSocket.segment(Arrays.copyOf(large, 100_000), false, Compression.NONE);
    return Stream.of(
        Arguments.of(4, Arrays.copyOf(frame, 1)),
        Arguments.of(4, Arrays.copyOf(frame, 300)),
        Arguments.of(4, Arrays.copyOf(tooLarge, 100_000)),
        Arguments.of(5, firstPart),
        Arguments.of(5, Arrays.copyOf(firstPart, 3)),
        Arguments.of(5, Arrays.copyOf(firstPart, 50_000)));
  }

  @ParameterizedTest
  @MethodSource("unfinishedMessages")
  void anUnfinishedMessageClosesTheConnection(int version, byte[] begun) throws IOException {
    try (EchoServer server = new EchoServer(1, impatient(100));
        CqlClient quiet = CqlClient.connect(settings(server));
        CqlClient client = CqlClient.connect(settings(server).withVersion(version))) {
      client.socket().sendRaw(begun);
      assertThrows(IOException.class, () -> readToTheEnd(client.socket()));
      assertEquals("still here", text(quiet.query("still here")));
      assertEquals(1, server.transport().sessions().size());
    }
  }

  private static void readToTheEnd(FrameSocket socket) throws IOException {
    while (true) {
      Frame answer = socket.receive();
      assertEquals(0x00, answer.opcode());
    }
  }

  @Test
  void aMessageThatArrivesSlowlyIsAccepted() throws IOException {
    // each byte resets the timeout; the whole message takes longer than it
    try (EchoServer server = new EchoServer(1, impatient(5_000));
        CqlClient slow = CqlClient.connect(settings(server).withVersion(4));
        CqlClient other = CqlClient.connect(settings(server).withVersion(4))) {
      byte[] frame = Frame.request(4, 0, 77, 0x07, queryBody("slowly")).encode();
      for (byte each : frame) {
        slow.socket().sendRaw(new byte[] {each});
        long next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
        while (System.nanoTime() < next) {
          assertEquals("meanwhile", text(other.query("meanwhile")));
        }
      }
      assertEquals("slowly", text(slow.receive(77)));
    }
  }

  private static TransportSettings impatient(long unfinishedMessageTimeoutMillis) {
    return new TransportSettings(
        ConversationSettings.DEFAULT,
        10,
        10,
        64 << 20,
        16 << 20,
        10_000,
        unfinishedMessageTimeoutMillis,
        128);
  }

  @Test
  void theClientReceivesTheErrorThatClosesItsConnection() throws IOException {
    try (EchoServer server = new EchoServer(1, TransportSettings.DEFAULT);
        FrameSocket socket = new FrameSocket(server.host(), server.port(), TIMEOUT_MILLIS)) {
      BodyWriter flood = new BodyWriter();
      for (int i = 0; i < 5000; i++) {
        flood.putRaw(Frame.request(4, 0, i, 0x07, queryBody("too early")).encode());
      }
      socket.sendRaw(flood.toArray());
      assertEquals(0x00, socket.receive().opcode());
      assertThrows(IOException.class, socket::receive);
    }
  }

  @Test
  void eventsAreSentToClientsThatRegistered() throws IOException {
    try (EchoServer server = new EchoServer(2, TransportSettings.DEFAULT);
        CqlClient schema = CqlClient.connect(settings(server));
        CqlClient status = CqlClient.connect(settings(server).withVersion(4));
        CqlClient none = CqlClient.connect(settings(server).withVersion(3))) {
      assertInstanceOf(Response.Ready.class, schema.register("SCHEMA_CHANGE"));
      assertInstanceOf(Response.Ready.class, status.register("STATUS_CHANGE", "TOPOLOGY_CHANGE"));
      byte[] address = {127, 0, 0, 2};
      server
          .transport()
          .publish(Event.SchemaChange.ofKeyspace(Event.SchemaChange.Change.DROPPED, "ks"));
      server
          .transport()
          .publish(new Event.TopologyChange(Event.TopologyChange.Change.NEW_NODE, address, 9042));
      server
          .transport()
          .publish(new Event.StatusChange(Event.StatusChange.Change.UP, address, 9042));
      assertEquals(List.of("KEYSPACE", "ks"), schema.nextEvent().details());
      assertEquals("NEW_NODE", status.nextEvent().change());
      Response.Event up = status.nextEvent();
      assertEquals(List.of("127.0.0.2:9042"), up.details());
      assertEquals("nothing", text(none.query("nothing")));
      assertEquals(List.of(), none.eventsSoFar());
    }
  }

  @Test
  void theResponseOfAChangePrecedesItsEvent() throws IOException {
    try (EchoServer server = new EchoServer(2, TransportSettings.DEFAULT);
        CqlClient other = CqlClient.connect(settings(server));
        CqlClient client = CqlClient.connect(settings(server))) {
      other.register("SCHEMA_CHANGE");
      client.register("SCHEMA_CHANGE");
      int stream = client.send(0x07, 0, v5QueryBody("change"));
      assertEquals("SCHEMA_CHANGE", other.nextEvent().type());
      await(() -> server.keptCount() == 1);
      server.answerKept();
      assertInstanceOf(Response.SchemaChange.class, client.receive(stream));
      assertEquals(List.of(), client.eventsSoFar());
      assertEquals("CREATED", client.nextEvent().change());
    }
  }

  private static byte[] v5QueryBody(String text) {
    return new BodyWriter().putLongString(text).putShort(1).putInt(0).toArray();
  }

  @Test
  void sessionsListTheConnections() throws IOException {
    try (EchoServer server = new EchoServer(1, TransportSettings.DEFAULT);
        CqlClient client =
            CqlClient.connect(
                settings(server).withStartupOptions(Map.of("DRIVER_NAME", "tester")))) {
      text(client.query("x"));
      Session session = server.transport().sessions().getFirst();
      assertEquals("tester", session.driverName());
      assertEquals(5, session.protocolVersion());
      assertEquals(2, session.requestCount());
      assertEquals(client.socket().socket().getLocalPort(), session.remoteAddress().getPort());
    }
  }

  @Test
  void stoppingWaitsForRequestsInFlight() throws Exception {
    try (EchoServer server = new EchoServer(2, TransportSettings.DEFAULT);
        CqlClient busy = CqlClient.connect(settings(server).withVersion(4));
        CqlClient idle = CqlClient.connect(settings(server).withVersion(4))) {
      int stream = busy.send(0x07, 0, queryBody("keep me"));
      await(() -> server.keptCount() == 1);
      CompletableFuture<Void> stopped = server.transport().stop(60_000);
      // requests that arrive before the stop reaches the loop are still answered
      await(() -> isRefused(idle));
      assertThrows(UncheckedIOException.class, () -> CqlClient.connect(settings(server)));
      assertTrue(!stopped.isDone());
      server.answerKept();
      assertEquals("keep me", text(busy.receive(stream)));
      stopped.get(300, TimeUnit.SECONDS);
      assertEquals(0, server.transport().sessions().size());
    }
  }

  private static boolean isRefused(CqlClient client) {
    try {
      client.query("too late");
      return false;
    } catch (UncheckedIOException e) {
      return true;
    }
  }

  @Test
  void afterTheGracePeriodAllConnectionsAreClosed() throws Exception {
    try (EchoServer server = new EchoServer(1, TransportSettings.DEFAULT);
        CqlClient busy = CqlClient.connect(settings(server).withVersion(4))) {
      int stream = busy.send(0x07, 0, queryBody("keep me"));
      await(() -> server.keptCount() == 1);
      server.transport().stop(50).get(300, TimeUnit.SECONDS);
      assertThrows(UncheckedIOException.class, () -> busy.receive(stream));
      server.answerKept();
    }
  }

  @Test
  void anAddressInUseIsAnError() throws IOException {
    try (EchoServer server = new EchoServer(1, TransportSettings.DEFAULT)) {
      IOException refused =
          assertThrows(
              IOException.class,
              () ->
                  new EchoServer(
                      1,
                      TransportSettings.DEFAULT,
                      new io.helenus.server.protocol.Authenticator.AllowAll(),
                      server.port()));
      assertTrue(refused.toString().contains("cannot listen on"));
    }
  }
}
