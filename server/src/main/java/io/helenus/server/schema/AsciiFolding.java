package io.helenus.server.schema;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Replaces characters by the ASCII characters that look like them, as Lucene's ASCIIFoldingFilter
 * does: the resource lists for each replacement the characters that it replaces. Loaded with the
 * first index that folds. Immutable; any thread.
 */
final class AsciiFolding {
  private static final String RESOURCE = "ascii-folding.txt";

  private final Map<Character, String> replacements = new HashMap<>();

  private AsciiFolding() {
    InputStream resource =
        Objects.requireNonNull(AsciiFolding.class.getResourceAsStream(RESOURCE), RESOURCE);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
      lines.lines().forEach(this::add);
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE, e);
    }
  }

  private static final class Loaded {
    private static final AsciiFolding FOLDING = new AsciiFolding();
  }

  private void add(String line) {
    int tab = line.indexOf('\t');
    for (int i = tab + 1; i < line.length(); i++) {
      replacements.put(line.charAt(i), line.substring(0, tab));
    }
  }

  static String fold(String text) {
    int first = 0;
    while (first < text.length() && text.charAt(first) < 0x80) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    StringBuilder folded = new StringBuilder(text.length() + 8).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char character = text.charAt(i);
      String replacement = Loaded.FOLDING.replacements.get(character);
      if (replacement == null) {
        folded.append(character);
      } else {
        folded.append(replacement);
      }
    }
    return folded.toString();
  }
}
