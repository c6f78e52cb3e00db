package io.helenus.server.advice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A schema that was published, with the verdict of its author; see {@code README.md} beside the
 * files.
 *
 * @param file that has it, within the folder
 * @param headers what is said about it, by name
 * @param script its definitions
 */
record PublishedSchema(String file, Map<String, String> headers, String script) {
  private static final Path FOLDER = Path.of("src", "test", "resources", "advice");
  private static final String START = "-- name: ";

  /** All of them. */
  static List<PublishedSchema> all() throws IOException {
    List<PublishedSchema> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".cql")).sorted().toList()) {
        for (String block : Files.readString(file).split("(?m)^(?=" + START + ")", -1)) {
          if (!block.isBlank()) {
            all.add(read(FOLDER.relativize(file).toString(), block));
          }
        }
      }
    }
    return all;
  }

  private static PublishedSchema read(String file, String block) {
    Map<String, String> headers = new LinkedHashMap<>();
    StringBuilder script = new StringBuilder();
    for (String line : block.lines().toList()) {
      int colon = line.indexOf(": ");
      if (script.isEmpty() && line.startsWith("-- ") && colon > 0) {
        headers.put(line.substring("-- ".length(), colon), line.substring(colon + 2).strip());
      } else {
        script.append(line).append('\n');
      }
    }
    return new PublishedSchema(file, headers, script.toString());
  }

  String header(String name) {
    return headers.getOrDefault(name, "");
  }

  boolean isGood() {
    return header("verdict").equals("good");
  }

  /** The rules that say what is wrong, the one that must be found first; empty if it is good. */
  List<String> rules() {
    return header("rule").isEmpty() ? List.of() : List.of(header("rule").split(", *", -1));
  }

  /** What is advised about it. */
  List<Advice> advice() {
    int dataCenters =
        header("data-centers").isEmpty() ? 1 : Integer.parseInt(header("data-centers"));
    return AdvicePages.adviceAbout(script, dataCenters);
  }

  @Override
  public String toString() {
    return header("name") + " (" + file + ")";
  }
}
