package io.helenus.server.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A blocking connection, with one request at a time; {@link #send} and {@link #receive} allow
 * several in flight. Server errors are returned as {@link Response.Failure}, connection errors are
 * thrown. Not thread-safe.
 */
public final class CqlClient implements AutoCloseable {
  /** How long {@link Settings#of} waits for a response. */
  public static final int DEFAULT_TIMEOUT_MILLIS = 300_000;

  private final FrameSocket socket;
  private final int version;
  private final ArrayDeque<Response.Event> events = new ArrayDeque<>();
  private final Map<Integer, Response> early = new HashMap<>();
  private int nextStream;

  private CqlClient(FrameSocket socket, int version) {
    this.socket = socket;
    this.version = version;
  }

  /** Connection settings. */
  public record Settings(
      InetAddress host,
      int port,
      int version,
      Compression compression,
      @Nullable String user,
      @Nullable String password,
      Map<String, String> startupOptions,
      int timeoutMillis) {
    /** v5, without compression or authentication. */
    public static Settings of(InetAddress host, int port) {
      return new Settings(
          host, port, 5, Compression.NONE, null, null, Map.of(), DEFAULT_TIMEOUT_MILLIS);
    }

    public Settings withVersion(int newVersion) {
      return new Settings(
          host, port, newVersion, compression, user, password, startupOptions, timeoutMillis);
    }

    public Settings withCompression(Compression newCompression) {
      return new Settings(
          host, port, version, newCompression, user, password, startupOptions, timeoutMillis);
    }

    public Settings withLogin(String newUser, String newPassword) {
      return new Settings(
          host, port, version, compression, newUser, newPassword, startupOptions, timeoutMillis);
    }

    public Settings withStartupOptions(Map<String, String> options) {
      return new Settings(host, port, version, compression, user, password, options, timeoutMillis);
    }

    public Settings withTimeoutMillis(int millis) {
      return new Settings(host, port, version, compression, user, password, startupOptions, millis);
    }
  }

  /** A statement of a batch: a query string or a prepared id, with values. */
  public record BatchEntry(
      @Nullable String text, byte @Nullable [] preparedId, List<byte @Nullable []> values) {}

  /** Connects with v5. */
  public static CqlClient connect(InetAddress host, int port) {
    return connect(Settings.of(host, port));
  }

  /** Connects and performs the handshake; AssertionError if the server rejects it. */
  public static CqlClient connect(Settings settings) {
    try {
      FrameSocket socket =
          new FrameSocket(settings.host(), settings.port(), settings.timeoutMillis());
      CqlClient client = new CqlClient(socket, settings.version());
      try {
        client.handshake(settings);
      } catch (RuntimeException | Error e) {
        socket.close();
        throw e;
      }
      return client;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void handshake(Settings settings) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("CQL_VERSION", "3.0.0");
    if (settings.compression() != Compression.NONE) {
      options.put("COMPRESSION", settings.compression().optionValue());
    }
    options.putAll(settings.startupOptions());
    socket.compress(settings.compression());
    Response answer = call(0x01, 0, new BodyWriter().putStringMap(options).toArray());
    if (version >= 5) {
      socket.beginSegments();
    }
    if (answer instanceof Response.Authenticate) {
      answer = login(settings);
    }
    boolean welcome =
        answer instanceof Response.Ready
            || answer instanceof Response.AuthToken token && token.done();
    if (!welcome) {
      throw new AssertionError("STARTUP was answered with " + answer);
    }
  }

  private Response login(Settings settings) {
    String token = "\0" + settings.user() + "\0" + settings.password();
    byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
    return call(0x0F, 0, new BodyWriter().putBytes(bytes).toArray());
  }

  /** The underlying socket, for tests that send raw bytes. */
  public FrameSocket socket() {
    return socket;
  }

  /** The negotiated protocol version. */
  public int version() {
    return version;
  }

  /** OPTIONS. */
  public Response options() {
    return call(0x05, 0, new byte[0]);
  }

  /** QUERY with consistency ONE. */
  public Response query(String cql) {
    return query(cql, QueryOptions.NONE);
  }

  /** QUERY. */
  public Response query(String cql, QueryOptions options) {
    return receive(sendQuery(cql, options));
  }

  /** Sends QUERY; returns its stream id. */
  public int sendQuery(String cql, QueryOptions options) {
    BodyWriter body = begin(options).putLongString(cql);
    options.write(body, version);
    return send(0x07, flags(options), body.toArray());
  }

  /** PREPARE. */
  public Response prepare(String cql) {
    return prepare(cql, null);
  }

  /** PREPARE for a keyspace (v5). */
  public Response prepare(String cql, @Nullable String keyspace) {
    BodyWriter body = new BodyWriter().putLongString(cql);
    if (version >= 5) {
      body.putInt(keyspace == null ? 0 : 1);
      if (keyspace != null) {
        body.putString(keyspace);
      }
    }
    return call(0x09, 0, body.toArray());
  }

  /** EXECUTE. */
  public Response execute(Response.Prepared prepared, QueryOptions options) {
    return call(0x0A, flags(options), executeBody(prepared, options));
  }

  /** The body of EXECUTE, for {@link #send}. */
  public byte[] executeBody(Response.Prepared prepared, QueryOptions options) {
    BodyWriter body = begin(options).putShortBytes(prepared.id());
    if (version >= 5) {
      body.putShortBytes(prepared.resultMetadataId());
    }
    options.write(body, version);
    return body.toArray();
  }

  /** BATCH: type 0 logged, 1 unlogged, 2 counter. */
  public Response batch(int type, List<BatchEntry> entries, QueryOptions options) {
    BodyWriter body = begin(options).putByte(type).putShort(entries.size());
    for (BatchEntry entry : entries) {
      String text = entry.text();
      byte[] id = entry.preparedId();
      if (text != null) {
        body.putByte(0).putLongString(text);
      } else if (id != null) {
        body.putByte(1).putShortBytes(id);
      }
      QueryOptions.writeValues(body, entry.values(), null);
    }
    options.write(body, version);
    return call(0x0D, flags(options), body.toArray());
  }

  /** REGISTER. */
  public Response register(String... types) {
    return call(0x0B, 0, new BodyWriter().putStringList(Arrays.asList(types)).toArray());
  }

  /** The next event; waits at most for the socket timeout. */
  public Response.Event nextEvent() {
    while (events.isEmpty()) {
      receiveOne();
    }
    return events.remove();
  }

  /** The events that arrived while waiting for responses. */
  public List<Response.Event> eventsSoFar() {
    List<Response.Event> taken = new ArrayList<>(events);
    events.clear();
    return taken;
  }

  /** Fetches all pages of a query. */
  public List<List<byte @Nullable []>> queryAllPages(String cql, int pageSize) {
    List<List<byte @Nullable []>> rows = new ArrayList<>();
    byte[] state = null;
    do {
      Response answer = query(cql, QueryOptions.NONE.withPage(pageSize, state));
      if (!(answer instanceof Response.Rows page)) {
        throw new AssertionError(cql + " was answered with " + answer);
      }
      rows.addAll(page.rows());
      state = page.pagingState();
    } while (state != null);
    return rows;
  }

  private static int flags(QueryOptions options) {
    return (options.tracing() ? 0x02 : 0) | (options.payload() != null ? 0x04 : 0);
  }

  private static BodyWriter begin(QueryOptions options) {
    BodyWriter body = new BodyWriter();
    Map<String, byte[]> payload = options.payload();
    if (payload != null) {
      body.putShort(payload.size());
      payload.forEach((key, value) -> body.putString(key).putBytes(value));
    }
    return body;
  }

  /** Sends a message and waits for its response. */
  public Response call(int opcode, int flags, byte[] body) {
    return receive(send(opcode, flags, body));
  }

  /** Sends a message; returns its stream id. */
  public int send(int opcode, int flags, byte[] body) {
    int stream = nextStream;
    nextStream = (nextStream + 1) % 32_768;
    try {
      socket.send(Frame.request(version, flags, stream, opcode, body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return stream;
  }

  /** Waits for the response to a message. */
  public Response receive(int stream) {
    while (true) {
      Response answer = early.remove(stream);
      if (answer != null) {
        return answer;
      }
      receiveOne();
    }
  }

  private void receiveOne() {
    try {
      Frame frame = socket.receive();
      if (!frame.response()) {
        throw new AssertionError("the server sent a request: " + frame);
      }
      Response response = ResponseDecoder.decode(frame);
      if (response instanceof Response.Event event) {
        if (frame.stream() != -1) {
          throw new AssertionError("an event on stream " + frame.stream());
        }
        events.add(event);
      } else {
        early.put(frame.stream(), response);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
