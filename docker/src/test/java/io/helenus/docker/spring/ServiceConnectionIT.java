package io.helenus.docker.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.docker.TestImage;
import io.helenus.docker.spring.items.Item;
import io.helenus.docker.spring.items.ItemRepository;
import io.helenus.docker.spring.items.ItemsApplication;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.testcontainers.cassandra.CassandraContainer;
import org.testcontainers.utility.DockerImageName;

/** A test of the application with a container that Spring Boot starts and connects it to. */
@SpringBootTest(
    classes = ItemsApplication.class,
    properties = "spring.cassandra.keyspace-name=shop")
@Import(ServiceConnectionIT.Containers.class)
@DirtiesContext
class ServiceConnectionIT {
  @Autowired private ItemRepository items;

  /** The container. */
  @TestConfiguration(proxyBeanMethods = false)
  static class Containers {
    @Bean
    @ServiceConnection
    CassandraContainer node() {
      return new CassandraContainer(
              DockerImageName.parse(TestImage.NAME).asCompatibleSubstituteFor("cassandra"))
          .withInitScript("schema.cql");
    }
  }

  @BeforeAll
  static void build() throws IOException {
    TestImage.require();
  }

  @Test
  void theRepositoryReadsAndWrites() {
    assertEquals(Optional.of(new Item(1, "one")), items.findById(1));
    items.saveAll(List.of(new Item(3, "three"), new Item(4, "four")));
    items.deleteById(1);
    assertEquals(3, items.count());
    assertEquals(Optional.empty(), items.findById(1));
    assertEquals(Optional.of(new Item(4, "four")), items.findById(4));
  }
}
