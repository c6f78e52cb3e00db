package io.helenus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The Java sources of all modules. */
final class Sources {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private Sources() {}

  /** Those for production and those of tests. */
  static List<Path> all() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String module :
        List.of(
            "cql-grammar",
            "storage",
            "server",
            "copy",
            "release",
            "clients",
            "docker",
            "docker/testcontainers-1",
            "bench")) {
      Path source = ROOT.resolve(module).resolve("src");
      if (Files.exists(source)) {
        try (Stream<Path> files = Files.walk(source)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
        }
      }
    }
    return found;
  }
}
