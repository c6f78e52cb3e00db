package io.helenus.server.protocol;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Re-records transcripts: sends the bytes of each to a server and records the responses. Arguments:
 * host, port, file, and after how many milliseconds of silence a response is complete.
 */
final class TranscriptRecorder {
  private TranscriptRecorder() {}

  /** Rewrites the file. */
  public static void main(String[] arguments) throws IOException {
    String host = arguments[0];
    int port = Integer.parseInt(arguments[1]);
    Path file = Path.of(arguments[2]);
    int silenceMillis = Integer.parseInt(arguments[3]);
    String text = Files.readString(file, StandardCharsets.UTF_8);
    StringBuilder out = new StringBuilder();
    text.lines().takeWhile(line -> line.startsWith("#")).forEach(l -> out.append(l).append('\n'));
    for (Transcript transcript : Transcript.parse(text)) {
      out.append(record(host, port, transcript, silenceMillis).format());
    }
    Files.writeString(file, out.toString(), StandardCharsets.UTF_8);
  }

  private static Transcript record(String host, int port, Transcript asked, int silenceMillis)
      throws IOException {
    List<Transcript.Step> steps = new ArrayList<>();
    boolean closed = false;
    try (Socket socket = new Socket(host, port)) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(silenceMillis);
      for (Transcript.Step step : asked.steps()) {
        socket.getOutputStream().write(step.sent());
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        closed = readUntilSilence(socket.getInputStream(), received);
        steps.add(new Transcript.Step(step.sent(), received.toByteArray()));
      }
    }
    return new Transcript(asked.name(), steps, closed);
  }

  private static boolean readUntilSilence(InputStream in, ByteArrayOutputStream received)
      throws IOException {
    byte[] buffer = new byte[1 << 16];
    try {
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        received.write(buffer, 0, length);
      }
      return true;
    } catch (SocketTimeoutException silence) {
      return false;
    } catch (SocketException reset) {
      return true;
    }
  }
}
