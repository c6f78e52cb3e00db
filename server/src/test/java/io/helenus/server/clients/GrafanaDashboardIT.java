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

/** The dashboard against the schema of dashboards that Grafana publishes. */
class GrafanaDashboardIT {
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

  private static Toolchain.Run check(String dashboard) throws IOException {
    Path home = Toolchain.nodeModules("grafana", "@grafana/schema@12.3.0", "typescript@5.9.3");
    Path program = home.resolveSibling("dashboard.ts");
    Path schema = Toolchain.resources("grafana").resolve("schema.ts");
    Files.writeString(program, Files.readString(schema) + dashboard + ";\n");
    List<String> command = new ArrayList<>(COMPILER);
    command.add(program.toString());
    return Toolchain.run(command, home.getParent(), Map.of());
  }

  @Test
  void theDashboardFollowsTheSchema() throws IOException {
    Toolchain.Run run = check(Files.readString(Dashboard.FILE));
    assertEquals(0, run.exitCode(), () -> run.out() + run.err());
  }

  @Test
  void aMistakeInTheDashboardIsFound() throws IOException {
    String dashboard = Files.readString(Dashboard.FILE);
    Toolchain.Run value =
        check(dashboard.replaceFirst("\"drawStyle\": \"line\"", "\"drawStyle\": \"lines\""));
    assertTrue(value.out().contains("Type '\"lines\"' is not assignable"), value.out());
    Toolchain.Run field = check(dashboard.replaceFirst("\"schemaVersion\"", "\"schemasVersion\""));
    assertTrue(field.out().contains("schemasVersion"), field.out());
  }
}
