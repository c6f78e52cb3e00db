package io.helenus.docker.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.docker.ComposeFile;
import io.helenus.docker.spring.items.Item;
import io.helenus.docker.spring.items.ItemRepository;
import io.helenus.docker.spring.items.ItemsApplication;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application started beside docker/compose.yaml, which Spring Boot starts and connects to. */
class DockerComposeIT {
  @BeforeAll
  static void build() throws IOException {
    ComposeFile.require();
  }

  @Test
  void theApplicationStartsTheComposeFileAndConnects() {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(
            ItemsApplication.class,
            "--spring.cassandra.keyspace-name=shop",
            "--spring.docker.compose.file=" + String.join(",", ComposeFile.FILES),
            "--spring.docker.compose.arguments=--project-name=helenus-spring",
            "--spring.docker.compose.skip.in-tests=false",
            "--spring.docker.compose.stop.command=down",
            "--spring.docker.compose.stop.arguments=--volumes")) {
      ItemRepository items = context.getBean(ItemRepository.class);
      assertEquals(Optional.of(new Item(1, "one")), items.findById(1));
    }
  }
}
