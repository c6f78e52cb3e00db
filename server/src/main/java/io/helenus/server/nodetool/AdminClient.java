package io.helenus.server.nodetool;

import io.helenus.server.admin.AdminFiles;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

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
  private static final int MOST_OF_HEAD = 64 << 10;

  /** Responses below are interim ones. */
  private static final int FIRST_FINAL_STATUS = 200;

  /** The status of a response and its text. */
  record Response(int status, String text) {}

  /**
   * Sends a command and waits for its response, as long as it takes.
   *
   * @param progress takes the lines that tell how far the command is
   */
  Response send(String pathAndQuery, Consumer<String> progress) throws IOException {
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
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        String head = readHead(in);
        int status = status(head);
        if (status >= FIRST_FINAL_STATUS) {
          return new Response(status, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        String header = AdminFiles.PROGRESS_HEADER + ": ";
        head.lines()
            .filter(line -> line.regionMatches(true, 0, header, 0, header.length()))
            .forEach(line -> progress.accept(line.substring(header.length())));
      }
    }
  }

  /** Reads the status line and the headers of a response. */
  private static String readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf(END_OF_HEADERS, Math.max(0, head.length() - END_OF_HEADERS.length())) < 0) {
      int next = in.read();
      if (next < 0 || head.length() == MOST_OF_HEAD) {
        throw new IOException("the node closed the connection without an answer");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static int status(String head) throws IOException {
    int space = head.indexOf(' ');
    try {
      return Integer.parseInt(head.substring(space + 1, space + 4));
    } catch (NumberFormatException e) {
      throw new IOException("the answer is not an HTTP response", e);
    }
  }
}
