package io.helenus.server.process;

import io.helenus.server.admin.AdminFiles;
import io.helenus.server.config.Settings;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The training run of the start-up cache: starts a node on a temporary folder, runs the queries
 * that drivers send when they connect and common statements over a real socket, and stops. The JVM
 * records the classes used ({@code -XX:DumpLoadedClassList}).
 */
public final class Training {
  private static final List<String> QUESTIONS =
      List.of(
          "SELECT * FROM system.local WHERE key='local'",
          "SELECT * FROM system.peers_v2",
          "SELECT * FROM system.peers",
          "SELECT release_version FROM system.local",
          "SELECT * FROM system_schema.keyspaces",
          "SELECT * FROM system_schema.tables",
          "SELECT * FROM system_schema.columns",
          "SELECT * FROM system_schema.types",
          "SELECT * FROM system_schema.functions",
          "SELECT * FROM system_schema.aggregates",
          "SELECT * FROM system_schema.triggers",
          "SELECT * FROM system_schema.indexes",
          "SELECT * FROM system_schema.views",
          "SELECT * FROM system_virtual_schema.keyspaces",
          "SELECT * FROM system_virtual_schema.tables",
          "SELECT * FROM system_virtual_schema.columns",
          "DROP KEYSPACE IF EXISTS training",
          "CREATE KEYSPACE training WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 1}",
          "CREATE TABLE training.t (k text, c int, v text, n bigint, d timestamp, u uuid, PRIMARY"
              + " KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC)",
          "INSERT INTO training.t (k, c, v, n, d, u) VALUES ('a', 1, 'one', 1, '2026-11-21',"
              + " uuid()) USING TTL 1000",
          "UPDATE training.t SET v = 'two' WHERE k = 'a' AND c = 2",
          "SELECT * FROM training.t WHERE k = 'a' AND c > 0 ORDER BY c ASC LIMIT 10",
          "SELECT count(*) FROM training.t",
          "SELECT k, token(k), writetime(v) FROM training.t WHERE v = 'two' ALLOW FILTERING",
          "BEGIN BATCH INSERT INTO training.t (k, c) VALUES ('b', 1); DELETE FROM training.t WHERE"
              + " k = 'a' AND c = 1; APPLY BATCH",
          "SELECT * FROM training.t WHERE v = 'x'",
          "SELEC",
          "DESCRIBE KEYSPACES");

  private static final int ERROR = 0;
  private static final int EVENT = 0x0C;

  /** A request for options as a segment of version 5, with its checksums. */
  private static final byte[] OPTIONS_IN_SEGMENT =
      HexFormat.of().parseHex("090002a4c8c1050000010500000000b5557486");

  private static final int ROWS = 50;

  /** More than fits into one chunk of an answer. */
  private static final int LARGE_BYTES = 1 << 20;

  private static final int MAX_READS_DURING_STOP = 10_000;

  private final DataInputStream in;
  private final OutputStream out;

  /** Of the last response. */
  private int opcode = -1;

  private Training(Socket socket) throws IOException {
    this.in = new DataInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  /**
   * Runs the training and exits, as a stop does, through {@link System#exit}: the JDK logs exits
   * with classes that take 10 ms to load without a cache, time in which reads would continue.
   */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("helenus-training");
    try {
      Settings settings = settings(folder);
      for (int start = 0; start < 2; start++) {
        try (Server server = Server.start(settings)) {
          Main.announce(server, settings);
          StopSignals.handle(server::stopReads);
          askWhetherReady(folder.resolve("data"));
          talk(server.port());
          reset(server.port());
          readDuringStop(server);
        }
      }
    } finally {
      delete(folder);
    }
    System.exit(0);
  }

  /** As {@code helenus start} and the health check of the image do. */
  private static void askWhetherReady(Path data) throws IOException {
    String address = Files.readString(data.resolve(AdminFiles.ADDRESS)).strip();
    int colon = address.lastIndexOf(':');
    int port = Integer.parseInt(address.substring(colon + 1));
    try (Socket socket = new Socket(address.substring(0, colon), port)) {
      String request = "GET /ready HTTP/1.1\r\nHost: helenus\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readAllBytes();
      if (!new String(answer, StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200 ")) {
        throw new IOException("the node is not ready");
      }
    }
  }

  /** Reads until the stopping node refuses to. */
  private static void readDuringStop(Server server) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      Training client = new Training(socket);
      client.call(0x01, stringMap(Map.of("CQL_VERSION", "3.0.0")));
      byte[] read = query("SELECT v FROM training.t WHERE k = 'key' LIMIT 1");
      client.call(0x07, read);
      server.node().stopReads();
      for (int i = 0; i < MAX_READS_DURING_STOP && client.opcode != ERROR; i++) {
        client.call(0x07, read);
      }
    }
  }

  /** Parses a command line, so that parsing is trained too. */
  private static Settings settings(Path folder) throws IOException {
    Path config = Files.writeString(folder.resolve("helenus.yaml"), "cluster_name: Training\n");
    String[] arguments = {
      "--config", config.toString(), "--data", folder.resolve("data").toString(), "--port", "0"
    };
    return switch (Arguments.read(arguments, System.out, System.err)) {
      case Arguments.Outcome.Run(Settings settings) -> settings;
      case Arguments.Outcome other ->
          throw new IOException("the training's command line does not start a node: " + other);
    };
  }

  private static void talk(int port) throws IOException {
    talkCompressed(port);
    talkSegments(port);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Training client = new Training(socket);
      client.call(0x05, new byte[0]);
      client.call(0x01, stringMap(Map.of("CQL_VERSION", "3.0.0")));
      client.call(0x0B, stringList(List.of("SCHEMA_CHANGE", "STATUS_CHANGE", "TOPOLOGY_CHANGE")));
      for (String question : QUESTIONS) {
        client.call(0x07, query(question));
      }
      byte[] insert = client.prepare("INSERT INTO training.t (k, c, v) VALUES (?, ?, ?)");
      byte[] point = client.prepare("SELECT v, n FROM training.t WHERE k = ? AND c = ?");
      byte[] slice = client.prepare("SELECT c, v FROM training.t WHERE k = ? LIMIT 50");
      byte[] key = "key".getBytes(StandardCharsets.UTF_8);
      byte[] value = new byte[LARGE_BYTES / ROWS];
      for (int i = 0; i < 2 * ROWS; i++) {
        byte[] number = ByteBuffer.allocate(4).putInt(i % ROWS).array();
        client.call(0x0A, execute(insert, key, number, value));
        client.call(0x0A, execute(point, key, number));
        if (i % 20 == 0) {
          client.call(0x0A, execute(slice, key));
        }
      }
      client.call(0x07, query("SELECT v FROM training.t")); // in several chunks
      client.call(0x07, paged("SELECT c FROM training.t", ROWS / 2));
    }
  }

  /** The Python driver compresses if it can; the response is ignored. */
  private static void talkCompressed(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Training client = new Training(socket);
      client.call(0x01, stringMap(Map.of("CQL_VERSION", "3.0.0", "COMPRESSION", "lz4")));
      client.call(0x07, query(QUESTIONS.getFirst()));
    }
  }

  /** Ends a connection as a client that is killed: Netty has a class for the error of the read. */
  private static void reset(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      new Training(socket).call(0x05, new byte[0]);
      socket.setSoLinger(true, 0);
    }
  }

  /**
   * As drivers of version 5, some of which first offer a version that the server does not have. The
   * answer in a segment is read but not decoded.
   */
  private static void talkSegments(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Training client = new Training(socket);
      client.send(0x42, 0x05, new byte[0]);
      client.receive();
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Training client = new Training(socket);
      client.send(5, 0x01, stringMap(Map.of("CQL_VERSION", "3.0.0")));
      client.receive();
      client.out.write(OPTIONS_IN_SEGMENT);
      client.in.readByte();
    }
  }

  private byte[] call(int opcode, byte[] body) throws IOException {
    send(4, opcode, body);
    return receive();
  }

  private void send(int version, int opcode, byte[] body) throws IOException {
    out.write(frame(version, opcode, body));
  }

  private static byte[] frame(int version, int opcode, byte[] body) {
    ByteBuffer frame = ByteBuffer.allocate(9 + body.length);
    frame.put((byte) version).put((byte) 0).putShort((short) 1);
    return frame.put((byte) opcode).putInt(body.length).put(body).array();
  }

  private byte[] receive() throws IOException {
    while (true) {
      in.readInt();
      opcode = in.readUnsignedByte();
      byte[] bytes = new byte[in.readInt()];
      in.readFully(bytes);
      if (opcode != EVENT) {
        return bytes;
      }
    }
  }

  private byte[] prepare(String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer answer =
        ByteBuffer.wrap(
            call(0x09, ByteBuffer.allocate(4 + utf8.length).putInt(utf8.length).put(utf8).array()));
    answer.getInt();
    byte[] id = new byte[answer.getShort()];
    answer.get(id);
    return id;
  }

  private static byte[] query(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer body = ByteBuffer.allocate(7 + utf8.length);
    return body.putInt(utf8.length).put(utf8).putShort((short) 1).put((byte) 0).array();
  }

  private static byte[] paged(String text, int pageSize) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer body = ByteBuffer.allocate(11 + utf8.length);
    body.putInt(utf8.length).put(utf8).putShort((short) 1).put((byte) 4);
    return body.putInt(pageSize).array();
  }

  private static byte[] execute(byte[] id, byte[]... values) {
    int size = 7 + id.length;
    for (byte[] value : values) {
      size += 4 + value.length;
    }
    ByteBuffer body = ByteBuffer.allocate(size);
    body.putShort((short) id.length).put(id).putShort((short) 1).put((byte) 1);
    body.putShort((short) values.length);
    for (byte[] value : values) {
      body.putInt(value.length).put(value);
    }
    return body.array();
  }

  private static byte[] stringMap(Map<String, String> map) {
    ByteBuffer body = ByteBuffer.allocate(1024).putShort((short) map.size());
    map.forEach(
        (key, value) -> {
          putString(body, key);
          putString(body, value);
        });
    return written(body);
  }

  private static byte[] stringList(List<String> list) {
    ByteBuffer body = ByteBuffer.allocate(1024).putShort((short) list.size());
    list.forEach(text -> putString(body, text));
    return written(body);
  }

  private static void putString(ByteBuffer body, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    body.putShort((short) utf8.length).put(utf8);
  }

  private static byte[] written(ByteBuffer body) {
    byte[] bytes = new byte[body.position()];
    body.flip().get(bytes);
    return bytes;
  }

  private static void delete(Path folder) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> files = Files.walk(folder)) {
      deepestFirst = files.sorted(java.util.Comparator.reverseOrder()).toList();
    }
    for (Path file : deepestFirst) {
      Files.delete(file);
    }
  }
}
