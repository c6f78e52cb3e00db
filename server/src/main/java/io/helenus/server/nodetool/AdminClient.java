package io.helenus.server.nodetool;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Sends one request to an administration endpoint. A plain socket, because the JDK's HTTP clients
 * take longer to load than the request.
 *
 * @param host of the node
 * @param port of its administration endpoint
 * @param token that it requires
 */
record AdminClient(String host, int port, String token) {
  private static final int CONNECT_MILLIS = 10_000;
  private static final String END_OF_HEADERS = "\r\n\r\n";

  /** The status of a response and its text. */
  record Response(int status, String text) {}

  /** Sends a command and waits for its response, as long as it takes. */
  Response send(String pathAndQuery) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(host), port), CONNECT_MILLIS);
      String request =
          "POST "
              + pathAndQuery
              + " HTTP/1.1\r\nHost: "
              + host
              + "\r\nAuthorization: Bearer "
              + token
              + "\r\nContent-Length: 0\r\nConnection: close"
              + END_OF_HEADERS;
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int end = answer.indexOf(END_OF_HEADERS);
      int space = answer.indexOf(' ');
      if (end < 0 || space < 0 || space + 4 > end) {
        throw new IOException("the node closed the connection without an answer");
      }
      int status = Integer.parseInt(answer.substring(space + 1, space + 4));
      return new Response(status, answer.substring(end + END_OF_HEADERS.length()));
    }
  }
}
