package io.helenus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files and classes named in docs/architecture.md and CONTRIBUTING.md exist. */
class DocumentedFilesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern FILE_NAME = Pattern.compile("\\w+\\.(java|md|g4|tokens|cql|tsv|py)");
  private static final Pattern CLASS_NAME = Pattern.compile("[A-Z]\\w*[a-z]\\w*(\\.[A-Z]\\w*)?");

  @Test
  void theFilesOfTheArchitectureExist() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/architecture.md"));
    Map<String, String> shorthand =
        Map.of(
            "S", "server/src/main/java/io/helenus/server",
            "E", "storage/src/main/java/io/helenus/storage");
    Set<String> missing = new TreeSet<>();
    int named = 0;
    for (MatchResult match :
        Pattern.compile("`([SE])/([\\w/]+\\.java)`").matcher(text).results().toList()) {
      named++;
      String file = shorthand.get(match.group(1)) + "/" + match.group(2);
      if (!Files.exists(ROOT.resolve(file))) {
        missing.add(file);
      }
    }
    assertEquals(Set.of(), missing);
    assertTrue(named >= 30, "the walks name files as `S/…` and `E/…`, found " + named);
  }

  /** A name without a folder refers to the last named folder or to the root. */
  @Test
  void theFilesAndClassesOfContributingExist() throws IOException {
    Map<String, Path> classes = classes();
    Set<String> missing = new TreeSet<>();
    int named = 0;
    Path folder = ROOT;
    for (String name : names(Files.readString(ROOT.resolve("CONTRIBUTING.md")))) {
      boolean exists;
      if (name.contains("/")) {
        Path file = ROOT.resolve(name);
        folder = file.getParent();
        exists = Files.exists(file);
      } else if (FILE_NAME.matcher(name).matches()) {
        exists = Files.exists(folder.resolve(name)) || Files.exists(ROOT.resolve(name));
      } else if (CLASS_NAME.matcher(name).matches()) {
        exists = isClass(name, classes);
      } else {
        continue;
      }
      named++;
      if (!exists) {
        missing.add(name);
      }
    }
    assertEquals(Set.of(), missing);
    assertTrue(named >= 100, "the recipes name files in backticks, found " + named);
  }

  /** The names in backticks or links, with the shorthands R and T resolved. */
  private static List<String> names(String text) {
    return Pattern.compile("`([\\w./-]+)`|\\]\\(([\\w./-]+)[#)]")
        .matcher(text)
        .results()
        .map(match -> match.group(1) == null ? "./" + match.group(2) : match.group(1))
        .map(name -> name.replaceFirst("^R/", "server/src/main/java/io/helenus/server/"))
        .map(name -> name.replaceFirst("^T/", "server/src/test/java/io/helenus/server/"))
        .toList();
  }

  /** The source files by class name. */
  private static Map<String, Path> classes() throws IOException {
    Map<String, Path> classes = new TreeMap<>();
    for (String module : List.of("cql-grammar", "storage", "server")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src"))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(file -> classes.put(file.getFileName().toString().replace(".java", ""), file));
      }
    }
    return classes;
  }

  private static boolean isClass(String name, Map<String, Path> classes) throws IOException {
    String[] parts = name.split("\\.");
    Path file = classes.get(parts[0]);
    if (file == null || parts.length == 1) {
      return file != null;
    }
    return Pattern.compile("(class|interface|enum|record) " + parts[1] + "\\b")
        .matcher(Files.readString(file))
        .find();
  }
}
