package io.helenus.server.process.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import io.helenus.server.config.Setting;
import io.helenus.server.config.TestSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

class LogSetupTest {
  @TempDir private Path folder;
  private final LoggerContext context = new LoggerContext();
  private final Logger logger = context.getLogger("some.Room");

  @BeforeEach
  void start() {
    context.setMDCAdapter(new LogbackMDCAdapter());
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private Path file() {
    return folder.resolve("logs").resolve("node 1.log");
  }

  private TestSettings settings() {
    return TestSettings.in(folder).with(Setting.LOG_FILE, file().toString());
  }

  @Test
  void filesAreRotatedAndLimitedInNumber() throws Exception {
    int kib = 64;
    LogSetup.apply(
        settings().with(Setting.LOG_FILE_SIZE, kib + "KiB").with(Setting.LOG_FILES, "3").build(),
        context);
    for (int batch = 0; batch < 10; batch++) {
      for (int i = 0; i < 70; i++) {
        logger.info("{} {}", i, "x".repeat(1000));
      }
      // sizes are looked at every 100 ms
      LockSupport.parkNanos(110_000_000);
    }
    List<Path> files;
    try (var all = Files.list(folder.resolve("logs"))) {
      files = new ArrayList<>(all.sorted().toList());
    }
    assertEquals(3, files.size(), files.toString());
    for (Path each : files) {
      assertTrue(Files.size(each) < 3 * (kib << 10), each + " has " + Files.size(each));
    }
    String newest = Files.readString(files.get(1));
    assertTrue(newest.matches("(?s)\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO  .*"));
  }

  @Test
  void linesAreJsonOnRequest() throws Exception {
    LogSetup.apply(settings().with(Setting.LOG_FORMAT, "json").build(), context);
    logger.warn("a \"quoted\"\nmessage of {}", 2, new IOException("no disk"));
    List<String> lines = Files.readAllLines(file());
    assertEquals(1, lines.size());
    Map<String, String> fields = new HashMap<>();
    try (JsonParser parser =
        new JsonFactory().createParser(ObjectReadContext.empty(), lines.getFirst())) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isScalarValue()) {
          fields.putIfAbsent(parser.currentName(), parser.getValueAsString());
        }
      }
    }
    assertEquals("WARN", fields.get("level"));
    assertEquals("some.Room", fields.get("loggerName"));
    assertEquals("a \"quoted\"\nmessage of 2", fields.get("formattedMessage"));
    assertTrue(Long.parseLong(fields.get("timestamp")) > 1_700_000_000_000L);
    assertTrue(lines.getFirst().contains("no disk"));
  }

  @Test
  void repeatedWarningsAreNotWritten() throws Exception {
    LogSetup.apply(settings().build(), context);
    for (int i = 0; i < 100; i++) {
      logger.warn("Table {}: no effect", "k.t");
    }
    assertEquals(1, Files.readAllLines(file()).size());
  }

  @Test
  void aFileThatCannotBeWrittenIsAnError() throws Exception {
    Files.writeString(folder.resolve("logs"), "not a folder");
    IOException error =
        assertThrows(IOException.class, () -> LogSetup.apply(settings().build(), context));
    assertTrue(
        error.getMessage().startsWith("cannot create log_file " + file()), error::getMessage);
    assertFalse(Files.exists(file()));
  }
}
