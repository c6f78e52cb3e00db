package io.helenus.cql.parser;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Reads the files written by {@code src/test/record/record.py}. */
final class GoldenStatements {
  private GoldenStatements() {}

  /** A statement that Cassandra's parser rejects. */
  record Refused(String code, String statement, String message) {}

  /** The statements of {@code refused.tsv}. */
  static List<Refused> refused() {
    List<Refused> refused = new ArrayList<>();
    for (String line : lines("refused.tsv")) {
      String[] parts = line.split("\t", -1);
      refused.add(new Refused(parts[0], unescaped(parts[1]), unescaped(parts[2])));
    }
    return refused;
  }

  /** The statements of {@code accepted.txt}. */
  static List<String> accepted() {
    return lines("accepted.txt").stream().map(GoldenStatements::unescaped).toList();
  }

  private static List<String> lines(String file) {
    InputStream stream =
        Objects.requireNonNull(GoldenStatements.class.getResourceAsStream(file), file);
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      while (line != null) {
        lines.add(line);
        line = reader.readLine();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        plain.append(c);
        continue;
      }
      i++;
      plain.append(
          switch (text.charAt(i)) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> '\\';
          });
    }
    return plain.toString();
  }
}
