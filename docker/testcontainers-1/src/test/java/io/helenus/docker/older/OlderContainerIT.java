package io.helenus.docker.older;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.datastax.driver.core.Cluster;
import com.datastax.driver.core.Session;
import io.helenus.docker.TestImage;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.CassandraContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The class CassandraContainer that was deprecated in favour of the one in {@code
 * org.testcontainers.cassandra}. It waits for the port, then sends the script with the Java driver
 * 3.
 */
@SuppressWarnings("deprecation")
class OlderContainerIT {
  @BeforeAll
  static void build() throws IOException {
    TestImage.require();
  }

  @Test
  void itStartsWithAScript() {
    try (CassandraContainer<?> container =
        new CassandraContainer<>(
                DockerImageName.parse(TestImage.NAME).asCompatibleSubstituteFor("cassandra"))
            .withInitScript("schema.cql")) {
      container.start();
      try (Cluster cluster =
              Cluster.builder()
                  .addContactPoint(container.getHost())
                  .withPort(container.getMappedPort(CassandraContainer.CQL_PORT))
                  .withoutJMXReporting()
                  .build();
          Session session = cluster.connect("shop")) {
        assertEquals(
            "one", session.execute("SELECT name FROM items WHERE id = 1").one().getString("name"));
      }
    }
  }
}
