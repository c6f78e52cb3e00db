package io.helenus.server.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** Copies of what the build has made, for tests that change it. Stateless. */
final class Installation {
  private Installation() {}

  /** Copies all but the start-up caches into a folder, and returns the home of the copy. */
  static Path withoutCache(Path folder) throws IOException {
    Path built = ServerProcess.launcher().resolve("../../server/target/helenus").normalize();
    Path home = folder.resolve("an install");
    Path dist = home.resolve("server/target/helenus");
    copy(ServerProcess.launcher(), home.resolve("bin/helenus"));
    copy(built.resolve("../../../conf/jvm.options"), home.resolve("conf/jvm.options"));
    copy(built.resolve("classpath"), dist.resolve("classpath"));
    try (Stream<Path> jars = Files.list(built.resolve("lib"))) {
      for (Path jar : jars.toList()) {
        copy(jar, dist.resolve("lib").resolve(jar.getFileName().toString()));
      }
    }
    return home;
  }

  /** Copies a file with its times, into a folder that need not be there. */
  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
  }
}
