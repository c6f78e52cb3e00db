package io.helenus.server.nodetool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What nodetool makes of the responses of an administration endpoint. */
class AdminClientTest {
  private final List<String> progress = new ArrayList<>();

  private AdminClient.Response send(String answer) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> served = CompletableFuture.runAsync(() -> serve(listener, answer));
      AdminClient client =
          new AdminClient(
              InetAddress.getLoopbackAddress().getHostAddress(), listener.getLocalPort(), "t");
      try {
        return client.send("/nodetool/x", progress::add);
      } finally {
        served.join();
      }
    }
  }

  private static void serve(ServerSocket listener, String answer) {
    try (Socket socket = listener.accept()) {
      StringBuilder request = new StringBuilder();
      while (!request.toString().endsWith("\r\n\r\n")) {
        request.append((char) socket.getInputStream().read());
      }
      assertTrue(request.toString().startsWith("POST /nodetool/x HTTP/1.1\r\n"));
      socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void interimResponsesTellTheProgress() throws IOException {
    AdminClient.Response response =
        send(
            "HTTP/1.1 102 Processing\r\nhelenus-progress: 1 of 3\r\n\r\n"
                + "HTTP/1.1 102 Processing\r\nHelenus-Progress: 2 of 3\r\n\r\n"
                + "HTTP/1.1 422 Unprocessable Entity\r\ncontent-length: 7\r\n\r\nthré\n\n");
    assertEquals(new AdminClient.Response(422, "thré\n\n"), response);
    assertEquals(List.of("1 of 3", "2 of 3"), progress);
  }

  @Test
  void anAnswerThatEndsEarlyIsNone() {
    for (String answer : List.of("", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 102 P\r\n\r\n")) {
      IOException failure = assertThrows(IOException.class, () -> send(answer));
      assertEquals("the node closed the connection without an answer", failure.getMessage());
    }
    assertThrows(IOException.class, () -> send("SSH-2.0-x\r\n\r\n"));
  }
}
