package io.helenus.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.cassandra.CassandraContainer;
import org.testcontainers.containers.BindMode;
import org.testcontainers.containers.Container;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.ToStringConsumer;
import org.testcontainers.containers.startupcheck.OneShotStartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** Uses the image as its users do: by itself, and with the container of Testcontainers. */
class ImageIT {
  private static final String SCRIPTS = "/docker-entrypoint-initdb.d";
  private static final int PORT = 9042;

  @TempDir Path folder;

  @BeforeAll
  static void build() throws IOException {
    TestImage.require();
  }

  private static DockerImageName image() {
    return DockerImageName.parse(TestImage.NAME).asCompatibleSubstituteFor("cassandra");
  }

  /** A container that is awaited by the line that test tools look for. */
  private static GenericContainer<?> node() {
    return new GenericContainer<>(image())
        .withExposedPorts(PORT, 9180)
        .waitingFor(Wait.forLogMessage(".*Startup complete.*", 1));
  }

  private static String cqlsh(GenericContainer<?> node, String statement)
      throws IOException, InterruptedException {
    Container.ExecResult result =
        node.execInContainer(
            "cqlsh", "--connect-timeout=120", "--request-timeout=120", "-e", statement);
    assertEquals(0, result.getExitCode(), result.getStderr());
    return result.getStdout();
  }

  private static Row local(CassandraContainer container) {
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(container.getContactPoint())
            .withLocalDatacenter(container.getLocalDatacenter())
            .build()) {
      return Objects.requireNonNull(session.execute("SELECT * FROM system.local").one());
    }
  }

  @Test
  void theContainerOfTestcontainersStarts() {
    try (CassandraContainer container = new CassandraContainer(image())) {
      container.start();
      assertEquals("Test Cluster", local(container).getString("cluster_name"));
    }
  }

  @Test
  void theContainerOfTestcontainersTakesAScriptAndAConfiguration() {
    try (CassandraContainer container =
        new CassandraContainer(image())
            .withInitScript("schema.cql")
            .withConfigurationOverride("cassandra-configuration")) {
      container.start();
      assertEquals("Shop Cluster", local(container).getString("cluster_name"));
      try (CqlSession session =
          CqlSession.builder()
              .addContactPoint(container.getContactPoint())
              .withLocalDatacenter(container.getLocalDatacenter())
              .build()) {
        Row row = session.execute("SELECT name FROM shop.items WHERE id = 1").one();
        assertEquals("one", Objects.requireNonNull(row).getString("name"));
      }
    }
  }

  @Test
  void scriptsRunOnceWithoutRightsOnTheImage() throws IOException, InterruptedException {
    String schema = Files.readString(Path.of("src/test/resources/schema.cql"));
    Files.writeString(folder.resolve("1.cql"), schema);
    Files.writeString(folder.resolve("2.sh"), "cqlsh -e 'DELETE FROM shop.items WHERE id = 2'\n");
    open(folder);
    try (GenericContainer<?> node =
        node()
            .withFileSystemBind(folder.toString(), SCRIPTS, BindMode.READ_ONLY)
            .withEnv("CASSANDRA_DC", "dc7")
            .withEnv("MAX_HEAP_SIZE", "128M")
            .withCreateContainerCmdModifier(
                command ->
                    Objects.requireNonNull(command.withUser("4321").getHostConfig())
                        .withReadonlyRootfs(true))) {
      node.start();
      assertTrue(cqlsh(node, "SELECT id FROM shop.items").contains("(1 rows)"));
      assertTrue(cqlsh(node, "SELECT data_center FROM system.local").contains("dc7"));
      assertEquals(0, node.execInContainer("health-check").getExitCode());
      assertTrue(node.execInContainer("nodetool", "status").getStdout().contains("UN  "));
      cqlsh(node, "INSERT INTO shop.items (id) VALUES (3)");
      DockerClientFactory.instance().client().restartContainerCmd(node.getContainerId()).exec();
      Wait.forLogMessage(".*Startup complete.*", 2)
          .withStartupTimeout(Duration.ofMinutes(2))
          .waitUntilReady(node);
      assertTrue(cqlsh(node, "SELECT id FROM shop.items").contains("(2 rows)"));
    }
  }

  @Test
  void aFailingScriptEndsTheContainer() throws IOException {
    Files.writeString(folder.resolve("1.cql"), "CREATE TABLE nowhere.t (k int PRIMARY KEY);\n");
    open(folder);
    ToStringConsumer log = new ToStringConsumer();
    try (GenericContainer<?> node =
        new GenericContainer<>(image())
            .withLogConsumer(log)
            .withFileSystemBind(folder.toString(), SCRIPTS, BindMode.READ_ONLY)) {
      node.withStartupCheckStrategy(new OneShotStartupCheckStrategy());
      assertThrows(RuntimeException.class, node::start);
      String line = "1.cql failed; the next start runs all files again";
      assertTrue(log.toUtf8String().contains(line), log.toUtf8String());
    }
  }

  /** Lets any user read the folder. */
  private static void open(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
