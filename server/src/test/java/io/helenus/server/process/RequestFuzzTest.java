package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.BodyWriter;
import io.helenus.server.client.Compression;
import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Frame;
import io.helenus.server.client.FrameSocket;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.client.ResponseDecoder;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.config.TestSettings;
import io.helenus.server.protocol.FrameMutations;
import io.helenus.storage.testing.Seeds;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends nearly valid requests to a whole node: prepared ids, metadata ids and paging states issued
 * by the node, batches of them, and the right number of values with wrong lengths, mutated inside
 * envelopes with valid checksums. Each gets a response or closes its connection; there are no
 * unexpected exceptions and no memory leaks. {@code -Dhelenus.fuzz.seeds} sets the number of
 * connections, {@code -Dseed=N} runs a single seed.
 */
class RequestFuzzTest {
  @RegisterExtension final Seeds seeds = Seeds.from(1);

  /** After this many responses on another connection, the node has processed everything sent. */
  private static final int PROBES = 5;

  private static final int LAST_STREAM = 12_345;
  private static final int OPTIONS = 0x05;
  private static final int QUERY = 0x07;
  private static final int PREPARE = 0x09;
  private static final int EXECUTE = 0x0A;
  private static final int BATCH = 0x0D;
  private static final String SELECT = "SELECT p, c, v, b FROM z.t WHERE p = ?";
  private static final String INSERT = "INSERT INTO z.t (p, c, v, b) VALUES (?, ?, ?, ?)";
  private static final String SCAN = "SELECT * FROM z.t";

  private final long count = Long.getLong("helenus.fuzz.seeds", 150);
  private final Map<Integer, IssuedIds> knownByVersion = new LinkedHashMap<>();
  private long answers;
  private long successes;
  @TempDir private Path folder;

  /** The ids and paging states that the node issued to clients of one version. */
  private record IssuedIds(
      Response.Prepared select,
      Response.Prepared insert,
      Response.Prepared scan,
      byte[] selectState,
      byte[] scanState) {}

  @Test
  void nearlyValidRequestsGetAResponseOrCloseTheConnection() throws Exception {
    ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    long connections;
    try (Server server = Server.start(settings())) {
      prepare(server);
      long directBefore = UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
      try (CqlClient probe = connect(server, 5)) {
        connections = seeds.each(count, seed -> converse(server, probe, seed));
      }
      try (CqlClient client = connect(server, 5)) {
        assertInstanceOf(Response.Rows.class, client.query(SCAN));
      }
      while (!server.sessions().isEmpty()) {
        Thread.yield();
      }
      assertEquals(directBefore, UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory());
    } finally {
      ResourceLeakDetector.setLevel(before);
    }
    assertTrue(answers > connections, answers + " answers");
    assertTrue(successes > connections / 2, successes + " successes");
  }

  private Settings settings() {
    return TestSettings.in(folder)
        // one loop for all connections, so that a probe is answered after everything sent before it
        .with(Setting.SHARDS, "1")
        .with(Setting.MEMTABLE_OFFHEAP_SPACE, "8MiB")
        .with(Setting.NATIVE_TRANSPORT_MAX_FRAME_SIZE, "1MiB")
        .build();
  }

  private static CqlClient connect(Server server, int version) {
    return CqlClient.connect(
        CqlClient.Settings.of(InetAddress.getLoopbackAddress(), server.port())
            .withVersion(version));
  }

  private void prepare(Server server) {
    try (CqlClient client = connect(server, 5)) {
      client.query(
          "CREATE KEYSPACE z WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      client.query("CREATE TABLE z.t (p int, c int, v text, b blob, PRIMARY KEY (p, c))");
      for (int n = 0; n < 100; n++) {
        Response stored =
            client.query("INSERT INTO z.t (p, c, v) VALUES (" + n % 5 + ", " + n + ", 'some')");
        assertInstanceOf(Response.Done.class, stored);
      }
    }
    for (int version = 3; version <= 5; version++) {
      try (CqlClient client = connect(server, version)) {
        QueryOptions page = QueryOptions.NONE.withPage(7, null);
        Response.Prepared select = (Response.Prepared) client.prepare(SELECT);
        Response.Rows slice =
            (Response.Rows) client.execute(select, page.withValues(List.of(number(1))));
        Response.Rows scan = (Response.Rows) client.query(SCAN, page);
        knownByVersion.put(
            version,
            new IssuedIds(
                select,
                (Response.Prepared) client.prepare(INSERT),
                (Response.Prepared) client.prepare(SCAN),
                slice.pagingState(),
                scan.pagingState()));
      }
    }
  }

  private static byte[] number(int value) {
    return new BodyWriter().putInt(value).toArray();
  }

  private void converse(Server server, CqlClient probe, long seed) throws IOException {
    FrameMutations mutations = new FrameMutations(seed);
    Random random = new Random(~seed);
    try (FrameSocket socket =
        new FrameSocket(InetAddress.getLoopbackAddress(), server.port(), 20_000)) {
      startUp(socket, mutations);
      List<Frame> requests = new ArrayList<>();
      for (int stream = 1 + random.nextInt(8); stream > 0; stream--) {
        requests.add(request(mutations.version(), stream, random));
      }
      for (byte[] piece : mutations.afterStartup(requests)) {
        socket.sendRaw(piece);
      }
      socket.send(Frame.request(mutations.version(), 0, LAST_STREAM, OPTIONS, new byte[0]));
      judgeAnswers(socket, probe, requests.size());
    } catch (EOFException | SocketException hungUp) {
      assertTrue(hungUp.getMessage() != null, "the server hung up");
    }
  }

  /**
   * Whether another response has arrived. The server sends none while it waits for the rest of a
   * message with a wrong length.
   */
  private static boolean isAnswered(FrameSocket socket, CqlClient probe) throws IOException {
    for (int i = 0; i < PROBES && !socket.hasUnread(); i++) {
      assertInstanceOf(Response.Supported.class, probe.options());
    }
    return socket.hasUnread();
  }

  private static void startUp(FrameSocket socket, FrameMutations mutations) throws IOException {
    Map<String, String> options = new LinkedHashMap<>(Map.of("CQL_VERSION", "3.0.0"));
    if (mutations.compression() != Compression.NONE) {
      options.put("COMPRESSION", mutations.compression().optionValue());
    }
    byte[] body = new BodyWriter().putStringMap(options).toArray();
    socket.send(Frame.request(mutations.version(), 0, 0, 0x01, body));
    assertEquals(0x02, socket.receive().opcode());
    socket.compress(mutations.compression());
    if (mutations.version() >= 5) {
      socket.beginSegments();
    }
  }

  /** Reads until all requests have responses or no more arrive. */
  private void judgeAnswers(FrameSocket socket, CqlClient probe, int requests) throws IOException {
    Set<Integer> unanswered = new HashSet<>(Set.of(LAST_STREAM));
    for (int stream = 1; stream <= requests; stream++) {
      unanswered.add(stream);
    }
    // the others may have no response when the last one does, if their stream ids were mutated
    while (!unanswered.isEmpty() && isAnswered(socket, probe)) {
      Frame frame = socket.receive();
      Response response = ResponseDecoder.decode(frame);
      answers++;
      if (response instanceof Response.Failure failure) {
        assertTrue(failure.code() != 0, failure::message);
      } else if (frame.stream() != LAST_STREAM) {
        successes++;
      }
      unanswered.remove(frame.stream());
    }
  }

  private Frame request(int version, int stream, Random random) {
    IssuedIds known = knownByVersion.getOrDefault(version, knownByVersion.get(5));
    int kind = random.nextInt(10);
    return switch (kind) {
      case 0 -> frame(version, stream, QUERY, query(version, SCAN, known.scanState(), random));
      case 1 -> frame(version, stream, PREPARE, prepareBody(version, random));
      case 2, 3 -> frame(version, stream, BATCH, batch(version, known, random));
      case 4, 5 ->
          frame(
              version,
              stream,
              EXECUTE,
              execute(version, known.insert(), row(random), null, random));
      case 6 ->
          frame(
              version,
              stream,
              EXECUTE,
              execute(version, known.scan(), List.of(), known.scanState(), random));
      default ->
          frame(
              version,
              stream,
              EXECUTE,
              execute(version, known.select(), List.of(number(1)), known.selectState(), random));
    };
  }

  private static Frame frame(int version, int stream, int opcode, byte[] body) {
    return Frame.request(version, 0, stream, opcode, body);
  }

  private static List<byte[]> row(Random random) {
    byte[] text = new byte[random.nextInt(20)];
    random.nextBytes(text);
    for (int i = 0; i < text.length && random.nextInt(100) > 0; i++) {
      text[i] = (byte) (text[i] & 0x3F | 0x40);
    }
    byte[] blob = new byte[random.nextInt(random.nextInt(50) == 0 ? 100_000 : 40)];
    return List.of(number(random.nextInt(5)), number(random.nextInt(200)), text, blob);
  }

  private static byte[] prepareBody(int version, Random random) {
    String text = random.nextBoolean() ? SELECT : "SELECT * FROM t WHERE p = " + random.nextInt();
    BodyWriter body = new BodyWriter().putLongString(text);
    if (version >= 5) {
      boolean named = random.nextBoolean();
      body.putInt(named ? 1 : 0);
      if (named) {
        body.putString("z");
      }
    }
    return body.toArray();
  }

  private static byte[] query(int version, String text, byte[] state, Random random) {
    BodyWriter body = new BodyWriter().putLongString(text);
    parameters(body, version, List.of(), state, random);
    return body.toArray();
  }

  private static byte[] execute(
      int version,
      Response.Prepared prepared,
      List<byte[]> values,
      byte @Nullable [] state,
      Random random) {
    BodyWriter body = new BodyWriter().putShortBytes(prepared.id());
    if (version >= 5) {
      body.putShortBytes(prepared.resultMetadataId());
    }
    parameters(body, version, values, state, random);
    return body.toArray();
  }

  /** Consistency, flags and the fields indicated by the flags. */
  private static void parameters(
      BodyWriter body, int version, List<byte[]> values, byte @Nullable [] state, Random random) {
    boolean paged = state != null && random.nextBoolean();
    int flags = values.isEmpty() ? 0 : 0x01;
    flags |= random.nextBoolean() ? 0x02 : 0;
    flags |= 0x04;
    flags |= paged ? 0x08 : 0;
    flags |= random.nextInt(4) == 0 ? 0x10 : 0;
    flags |= random.nextInt(4) == 0 ? 0x20 : 0;
    flags |= version >= 5 && random.nextInt(4) == 0 ? 0x80 : 0;
    flags |= version >= 5 && random.nextInt(4) == 0 ? 0x100 : 0;
    body.putShort(random.nextInt(8) == 0 ? random.nextInt(12) : 1);
    body = version >= 5 ? body.putInt(flags) : body.putByte(flags);
    if (!values.isEmpty()) {
      body.putShort(values.size());
      for (byte[] value : values) {
        body = random.nextInt(12) == 0 ? body.putInt(-1 - random.nextInt(2)) : body.putBytes(value);
      }
    }
    body.putInt(1 + random.nextInt(20));
    if (paged) {
      body.putBytes(state);
    }
    if ((flags & 0x10) != 0) {
      body.putShort(8 + random.nextInt(2));
    }
    if ((flags & 0x20) != 0) {
      body.putLong(random.nextBoolean() ? random.nextLong() : 1_000_000L);
    }
    if ((flags & 0x80) != 0) {
      body.putString("z");
    }
    if ((flags & 0x100) != 0) {
      body.putInt(random.nextInt());
    }
  }

  private static byte[] batch(int version, IssuedIds known, Random random) {
    int count = 1 + random.nextInt(5);
    BodyWriter body = new BodyWriter().putByte(random.nextInt(3)).putShort(count);
    for (int i = 0; i < count; i++) {
      if (random.nextInt(3) == 0) {
        body.putByte(0).putLongString("DELETE FROM z.t WHERE p = 4 AND c = " + random.nextInt(200));
        body.putShort(0);
      } else {
        List<byte[]> values = row(random);
        body.putByte(1).putShortBytes(known.insert().id()).putShort(values.size());
        values.forEach(body::putBytes);
      }
    }
    int flags = random.nextBoolean() ? 0x20 : 0;
    body.putShort(1);
    body = version >= 5 ? body.putInt(flags) : body.putByte(flags);
    return (flags == 0 ? body : body.putLong(random.nextLong())).toArray();
  }
}
