package io.helenus.server.process.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The levels of the loggers of this process, and how to change them. Any thread. */
public final class LogLevels {
  private static final String ROOT = org.slf4j.Logger.ROOT_LOGGER_NAME;

  /** The levels before the first change, of loggers that were changed; null if inherited. */
  private final Map<String, @Nullable Level> initial = new HashMap<>();

  /** For the loggers of SLF4J. */
  public LogLevels() {}

  private static LoggerContext context() {
    return (LoggerContext) LoggerFactory.getILoggerFactory();
  }

  /** The loggers with a level of their own; ROOT comes first. */
  public SortedMap<String, String> all() {
    SortedMap<String, String> levels =
        new TreeMap<>(
            Comparator.comparing((String name) -> !name.equals(ROOT))
                .thenComparing(Comparator.naturalOrder()));
    for (Logger logger : context().getLoggerList()) {
      if (logger.getLevel() != null) {
        levels.put(logger.getName(), logger.getLevel().toString());
      }
    }
    return levels;
  }

  /** Sets a level; null to inherit it, DEBUG if there is no such level. */
  public synchronized void set(String name, @Nullable String level) {
    Logger logger = context().getLogger(name);
    initial.putIfAbsent(logger.getName(), logger.getLevel());
    if (level != null) {
      logger.setLevel(Level.toLevel(level));
    } else if (!logger.getName().equals(ROOT)) {
      logger.setLevel(null);
    }
  }

  /** Undoes all changes. */
  public synchronized void reset() {
    initial.forEach((name, level) -> context().getLogger(name).setLevel(level));
    initial.clear();
  }
}
