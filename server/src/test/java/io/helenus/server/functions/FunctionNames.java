package io.helenus.server.functions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of the native functions, from the case labels of the sources that look them up. */
public final class FunctionNames {
  private static final Path SOURCES =
      Path.of("src", "main", "java", "io", "helenus", "server", "functions");
  private static final Pattern LABELS = Pattern.compile("case ((?:\"[a-z0-9_]+\",?\\s*)+)(?:->|:)");
  private static final Pattern NAME = Pattern.compile("\"([a-z0-9_]+)\"");

  private FunctionNames() {}

  /** The names, in lower case and order. */
  public static Set<String> all() throws IOException {
    Set<String> names = new TreeSet<>(Set.of("floor"));
    try (var files = Files.list(SOURCES)) {
      for (Path file : files.toList()) {
        Matcher labels = LABELS.matcher(Files.readString(file));
        while (labels.find()) {
          Matcher name = NAME.matcher(labels.group(1));
          while (name.find()) {
            names.add(name.group(1));
          }
        }
      }
    }
    return names;
  }
}
