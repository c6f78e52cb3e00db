package io.helenus.server.process.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts warnings and errors that repeat, instead of writing them: of equal ones the first in a
 * minute is written, and of those that differ only in their parameters the first 50. At the end of
 * the minute one line tells how many there were. Any thread.
 */
final class RepeatFilter extends Filter<ILoggingEvent> {
  static final long WINDOW_MILLIS = 60_000;
  private static final int DIFFERENT = 50;
  private static final int MAX_PATTERNS = 256;
  private static final Logger LOG = LoggerFactory.getLogger(RepeatFilter.class);

  /** Runs a task later. */
  interface Timer {
    void after(long millis, Runnable task);
  }

  private final Timer timer;
  private final Map<String, Window> windows = new HashMap<>();

  /** A minute with one pattern. */
  private static final class Window {
    private final Map<String, Integer> repeats = new LinkedHashMap<>();
    private boolean reported;
    private int others;
    private String lastOther = "";
    private final long startMillis;

    Window(long startMillis) {
      this.startMillis = startMillis;
    }
  }

  RepeatFilter(Timer timer) {
    this.timer = timer;
  }

  @Override
  public FilterReply decide(ILoggingEvent event) {
    if (!event.getLevel().isGreaterOrEqual(Level.WARN)
        || event.getLoggerName().equals(RepeatFilter.class.getName())) {
      return FilterReply.NEUTRAL;
    }
    return isNew(event) ? FilterReply.NEUTRAL : FilterReply.DENY;
  }

  private synchronized boolean isNew(ILoggingEvent event) {
    String pattern = event.getLoggerName() + ' ' + event.getMessage();
    Window window = windows.get(pattern);
    if (window == null || isOver(window, event.getTimeStamp())) {
      if (window == null && !hasRoom(event.getTimeStamp())) {
        return true;
      }
      if (window == null || !window.reported) {
        window = new Window(event.getTimeStamp());
        windows.put(pattern, window);
      }
    }
    String text = text(event);
    Integer times = window.repeats.get(text);
    if (times == null && window.repeats.size() < DIFFERENT) {
      window.repeats.put(text, 0);
      return true;
    }
    if (times == null) {
      window.others++;
      window.lastOther = text;
    } else {
      window.repeats.put(text, times + 1);
    }
    if (!window.reported) {
      window.reported = true;
      long left = window.startMillis + WINDOW_MILLIS - event.getTimeStamp();
      timer.after(Math.max(0, left), () -> report(pattern));
    }
    return false;
  }

  private static boolean isOver(Window window, long nowMillis) {
    return nowMillis - window.startMillis >= WINDOW_MILLIS;
  }

  /** Patterns are those in the code, so that there are few; others are not counted. */
  private boolean hasRoom(long nowMillis) {
    if (windows.size() >= MAX_PATTERNS) {
      windows.values().removeIf(each -> !each.reported && isOver(each, nowMillis));
    }
    return windows.size() < MAX_PATTERNS;
  }

  private static String text(ILoggingEvent event) {
    IThrowableProxy cause = event.getThrowableProxy();
    return cause == null
        ? event.getFormattedMessage()
        : event.getFormattedMessage() + ": " + cause.getClassName() + ": " + cause.getMessage();
  }

  private void report(String pattern) {
    Window ended;
    synchronized (this) {
      ended = windows.remove(pattern);
    }
    if (ended == null) {
      return;
    }
    List<String> lines = new ArrayList<>();
    ended.repeats.forEach(
        (text, times) -> {
          if (times > 0) {
            lines.add("Repeated " + times(times) + " within a minute: " + text);
          }
        });
    if (ended.others > 0) {
      lines.add(times(ended.others) + " more like this within a minute: " + ended.lastOther);
    }
    lines.forEach(line -> LOG.warn("{}", line));
  }

  private static String times(int count) {
    return count == 1 ? "once" : count + " times";
  }
}
