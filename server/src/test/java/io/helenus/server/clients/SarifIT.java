package io.helenus.server.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code helenus advise --format sarif} writes against the published types of SARIF 2.1.0. */
class SarifIT {
  private static final Path REPORT =
      Path.of("src", "test", "resources", "modelling", "chat", "advice.sarif");
  private static final List<String> COMPILER =
      List.of(
          "node_modules/.bin/tsc",
          "--noEmit",
          "--strict",
          "--skipLibCheck",
          "--target",
          "es2022",
          "--module",
          "esnext",
          "--moduleResolution",
          "bundler");

  private static Toolchain.Run check(String report) throws IOException {
    Path home = Toolchain.nodeModules("sarif", "@types/sarif@2.1.7", "typescript@5.9.3");
    Path program = home.resolveSibling("report.ts");
    Files.writeString(
        program, "import type { Log } from 'sarif';\nexport const log: Log = " + report + ";\n");
    List<String> command = new ArrayList<>(COMPILER);
    command.add(program.toString());
    return Toolchain.run(command, home.getParent(), Map.of());
  }

  @Test
  void theReportFollowsTheTypes() throws IOException {
    Toolchain.Run run = check(Files.readString(REPORT));
    assertEquals(0, run.exitCode(), () -> run.out() + run.err());
  }

  @Test
  void aMistakeInTheReportIsFound() throws IOException {
    String report = Files.readString(REPORT);
    Toolchain.Run value = check(report.replaceFirst("\"warning\"", "\"warnings\""));
    assertTrue(value.out().contains("Type '\"warnings\"' is not assignable"), value.out());
    Toolchain.Run field = check(report.replaceFirst("\"startLine\"", "\"line\""));
    assertTrue(field.out().contains("does not exist in type 'Region'"), field.out());
  }
}
