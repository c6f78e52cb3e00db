package io.helenus.server.process.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import ch.qos.logback.core.spi.FilterReply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RepeatFilterTest {
  private static final long MINUTE = RepeatFilter.WINDOW_MILLIS;

  private final Logger logger = new LoggerContext().getLogger("some.Room");
  private final Logger reports = (Logger) LoggerFactory.getLogger(RepeatFilter.class);
  private final ListAppender<ILoggingEvent> reported = new ListAppender<>();
  private final List<Long> delays = new ArrayList<>();
  private final List<Runnable> tasks = new ArrayList<>();
  private final RepeatFilter filter =
      new RepeatFilter(
          (millis, task) -> {
            delays.add(millis);
            tasks.add(task);
          });
  private long now = 1_000_000;

  @BeforeEach
  void listen() {
    reported.start();
    reports.setLevel(Level.WARN); // the tests' own configuration shows errors only
    reports.addAppender(reported);
  }

  @AfterEach
  void stopListening() {
    reports.detachAppender(reported);
    reports.setLevel(null);
  }

  private boolean isWritten(Level level, String pattern, Object... parameters) {
    LoggingEvent event = new LoggingEvent("", logger, level, pattern, null, parameters);
    event.setTimeStamp(now);
    return filter.decide(event) == FilterReply.NEUTRAL;
  }

  private List<String> endWindows() {
    List<Runnable> due = List.copyOf(tasks);
    tasks.clear();
    reported.list.clear();
    due.forEach(Runnable::run);
    return reported.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void equalWarningsAreCounted() {
    assertTrue(isWritten(Level.WARN, "Table {}: no effect", "k.t"));
    now += 10_000;
    for (int i = 0; i < 5; i++) {
      assertTrue(!isWritten(Level.WARN, "Table {}: no effect", "k.t"));
    }
    assertEquals(List.of(MINUTE - 10_000), delays);
    assertTrue(isWritten(Level.WARN, "Table {}: no effect", "k.other"));
    assertEquals(List.of("Repeated 5 times within a minute: Table k.t: no effect"), endWindows());
    assertTrue(isWritten(Level.WARN, "Table {}: no effect", "k.t"));
    assertEquals(List.of(), endWindows());
  }

  @Test
  void ofDifferentParametersFiftyAreWritten() {
    int written = 0;
    for (int i = 0; i < 1000; i++) {
      written += isWritten(Level.ERROR, "Cannot read {}", "file" + i) ? 1 : 0;
    }
    assertEquals(50, written);
    assertEquals(
        List.of("950 times more like this within a minute: Cannot read file999"), endWindows());
  }

  @Test
  void rareWarningsAndInformationAreWritten() {
    for (int i = 0; i < 5; i++) {
      assertTrue(isWritten(Level.WARN, "rare"));
      now += MINUTE;
      assertTrue(isWritten(Level.INFO, "information"));
      assertTrue(isWritten(Level.INFO, "information"));
    }
    assertEquals(List.of(), delays);
  }

  @Test
  void warningsBeyondTheMemoryOfTheFilterAreWritten() {
    for (int i = 0; i < 1000; i++) {
      assertTrue(isWritten(Level.WARN, "made of pieces " + i));
    }
    assertTrue(!isWritten(Level.WARN, "made of pieces 0"));
    assertTrue(isWritten(Level.WARN, "made of pieces 999"));
    now += 2 * MINUTE;
    assertEquals(List.of("Repeated once within a minute: made of pieces 0"), endWindows());
    assertTrue(isWritten(Level.WARN, "made of pieces 999"));
    assertTrue(!isWritten(Level.WARN, "made of pieces 999"));
  }
}
