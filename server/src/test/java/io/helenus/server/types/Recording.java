package io.helenus.server.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** A recording: lines of tab-separated fields with Python escapes. */
final class Recording {
  private Recording() {}

  static List<String[]> lines(String resource) {
    try (InputStream in = Recording.class.getResourceAsStream(resource)) {
      byte[] all = Objects.requireNonNull(in, resource).readAllBytes();
      List<String[]> lines = new ArrayList<>();
      for (String line : new String(all, UTF_8).lines().toList()) {
        lines.add(line.split("\t", -1));
      }
      return lines;
    } catch (IOException e) {
      throw new IllegalStateException(resource, e);
    }
  }

  static byte[] bytes(String hex) {
    return hex.equals("-") ? new byte[0] : HexFormat.of().parseHex(hex);
  }

  static String hex(byte[] bytes) {
    return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes);
  }

  static String unescape(String text) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c != '\\') {
        out.append(c);
        at++;
        continue;
      }
      int digits =
          switch (text.charAt(at + 1)) {
            case 'x' -> 2;
            case 'u' -> 4;
            case 'U' -> 8;
            default -> 0;
          };
      if (digits == 0) {
        out.append(text.charAt(at + 1));
      } else {
        out.appendCodePoint(Integer.parseInt(text.substring(at + 2, at + 2 + digits), 16));
      }
      at += 2 + digits;
    }
    return out.toString();
  }
}
