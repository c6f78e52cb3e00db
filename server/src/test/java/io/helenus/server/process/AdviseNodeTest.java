package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.Response;
import io.helenus.server.config.TestSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code helenus advise --node}: the schema and the statements of a running node. */
class AdviseNodeTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int advise(String... arguments) {
    PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
    Arguments.Outcome.Advise advise =
        assertInstanceOf(Arguments.Outcome.Advise.class, Arguments.read(arguments, stream, stream));
    return AdviseCommand.run(advise.request(), folder, stream, stream);
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static void run(CqlClient client, String statement) {
    Response response = client.query(statement);
    assertFalse(response instanceof Response.Failure, response.toString());
  }

  private static void prepare(CqlClient client, String statement) {
    assertInstanceOf(Response.Prepared.class, client.prepare(statement));
  }

  @Test
  void theSchemaAndThePreparedStatementsAreThoseOfTheNode() throws Exception {
    try (Server server = Server.start(TestSettings.in(folder.resolve("data")).build());
        CqlClient client = CqlClient.connect(InetAddress.getLoopbackAddress(), server.port())) {
      run(
          client,
          "CREATE KEYSPACE \"K\" WITH replication = {'class': 'NetworkTopologyStrategy',"
              + " 'datacenter1': 1}");
      run(client, "USE \"K\"");
      run(client, "CREATE TYPE point (x int, y int)");
      run(client, "CREATE TABLE t (a int, b text, p frozen<point>, PRIMARY KEY (a, b))");
      run(client, "CREATE TABLE u (a int PRIMARY KEY, b int)");
      prepare(client, "SELECT * FROM t WHERE a = ?");
      prepare(client, "SELECT * FROM \"K\".u WHERE b = ? ALLOW FILTERING;");
      prepare(client, "SELECT * FROM system.local");
      String node = "127.0.0.1:" + server.port();
      assertEquals(1, advise("advise", "--node", node), this::printed);
      assertTrue(
          printed().startsWith(node + ": 2 tables; 2 queries, 1 not served; 1 table"), printed());
      assertTrue(printed().contains("With the table \"K\".u_by_b, proposed below"), printed());
      printed.reset();
      Files.writeString(folder.resolve("mine.cql"), "CREATE TABLE \"K\".t (a int PRIMARY KEY);");
      assertEquals(1, advise("advise", "--node", node, "mine.cql"), this::printed);
      assertTrue(printed().contains("table u does not exist"), printed());
    }
  }

  @Test
  void aNodeThatDoesNotAnswerIsSaid() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertEquals(2, advise("advise", "--node", "127.0.0.1:" + port));
    assertEquals("helenus: cannot ask 127.0.0.1:" + port + ": Connection refused\n", printed());
    printed.reset();
    assertEquals(2, advise("advise", "--node", "127.0.0.1:many"));
    assertTrue(printed().contains("is not a host, or a host and a port"), printed());
  }

  @Test
  void aNodeWithPasswordsIsSaid() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread node =
          new Thread(
              () -> {
                try (Socket socket = listening.accept()) {
                  socket.getInputStream().readNBytes(9 + 22);
                  socket
                      .getOutputStream()
                      .write(new byte[] {(byte) 0x84, 0, 0, 0, 3, 0, 0, 0, 3, 0, 1, 'x'});
                } catch (IOException e) {
                  // the test sees that nothing came
                }
              });
      node.start();
      assertEquals(2, advise("advise", "--node", "127.0.0.1:" + listening.getLocalPort()));
      node.join();
    }
    assertTrue(printed().contains("the node asks for a password"), printed());
  }
}
