package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of the built server. */
class MetricsIT {
  @TempDir private Path folder;

  @Test
  void micrometerIsLoadedByTheFirstScrape() throws Exception {
    Path loaded = folder.resolve("loaded");
    int port = ServerProcess.freePort();
    try (ServerProcess server =
            ServerProcess.start(
                folder.resolve("data"),
                ServerProcess.freePort(),
                List.of("-Dhealth_port=" + port),
                "-Xlog:class+load:file=" + loaded);
        HttpClient http = HttpClient.newHttpClient()) {
      String before = Files.readString(loaded);
      assertTrue(before.contains("io.helenus.server.admin.AdminEndpoint"));
      assertFalse(before.contains(" io.micrometer."));
      assertFalse(before.contains(" io.prometheus."));
      HttpRequest scrape =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
      HttpResponse<String> answer = http.send(scrape, HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode(), answer.body());
      assertTrue(answer.body().contains("helenus_build_info{"));
      assertTrue(Files.readString(loaded).contains(" io.micrometer."));
      assertEquals(0, server.terminate());
    }
  }
}
