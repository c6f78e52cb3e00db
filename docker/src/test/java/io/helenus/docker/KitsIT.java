package io.helenus.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.clients.Toolchain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The Cassandra containers of Testcontainers for other languages. */
class KitsIT {
  private static final Path KITS = Path.of("src", "test", "resources", "kits").toAbsolutePath();
  private static final String SCHEMA =
      Path.of("src", "test", "resources", "schema.cql").toAbsolutePath().toString();

  @BeforeAll
  static void build() throws IOException {
    TestImage.require();
  }

  private static void assertPrintsOne(String... command) throws IOException {
    Toolchain.Run run = Toolchain.run(List.of(command), KITS, Map.of());
    assertEquals(0, run.exitCode(), () -> run.out() + run.err());
    assertEquals("one\n", run.out());
  }

  @Test
  void pythonsContainerStarts() throws IOException {
    Path programs =
        Toolchain.pythonPrograms("kits", "testcontainers==4.15.0", "cassandra-driver==3.30.1");
    assertPrintsOne(programs.resolve("python").toString(), "python/kit.py", TestImage.NAME);
  }

  @Test
  void gosContainerStartsWithAScript() throws IOException {
    Path program = Toolchain.goProgram(KITS.resolve("go"));
    assertPrintsOne(program.toString(), TestImage.NAME, SCHEMA);
  }
}
