package io.helenus.server.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A recorded conversation: its name, the bytes sent, the response to each, and whether the server
 * then closed the connection.
 */
record Transcript(String name, List<Step> steps, boolean closed) {
  /** Bytes sent, and the bytes received in response. */
  record Step(byte[] sent, byte[] received) {}

  /** Reads the transcripts in a resource of the folder {@code protocol}. */
  static List<Transcript> load(String resource) throws IOException {
    try (InputStream in = Transcript.class.getResourceAsStream("/protocol/" + resource)) {
      byte[] bytes = Objects.requireNonNull(in, resource).readAllBytes();
      return parse(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  static List<Transcript> parse(String text) {
    List<Transcript> all = new ArrayList<>();
    String name = "";
    List<Step> steps = new ArrayList<>();
    boolean closed = false;
    byte[] sent = new byte[0];
    for (String line : text.lines().toList()) {
      if (line.startsWith("case ")) {
        finish(all, name, steps, closed);
        name = line.substring(5);
        steps = new ArrayList<>();
        closed = false;
      } else if (line.startsWith("> ")) {
        sent = HexFormat.of().parseHex(line.substring(2));
        steps.add(new Step(sent, new byte[0]));
      } else if (line.startsWith("< ")) {
        steps.set(steps.size() - 1, new Step(sent, HexFormat.of().parseHex(line.substring(2))));
      } else if (line.equals("closed")) {
        closed = true;
      }
    }
    finish(all, name, steps, closed);
    return all;
  }

  private static void finish(List<Transcript> all, String name, List<Step> steps, boolean closed) {
    if (!steps.isEmpty()) {
      all.add(new Transcript(name, steps, closed));
    }
  }

  String format() {
    StringBuilder text = new StringBuilder("\ncase ").append(name).append('\n');
    for (Step step : steps) {
      text.append("> ").append(HexFormat.of().formatHex(step.sent())).append('\n');
      if (step.received().length > 0) {
        text.append("< ").append(HexFormat.of().formatHex(step.received())).append('\n');
      }
    }
    return closed ? text.append("closed\n").toString() : text.toString();
  }
}
